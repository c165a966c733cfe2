#include "third_party.h"

#include <stdlib.h>
#include <string.h>

struct Words {
    char **list;
    int count;
};

static char *copy(const char *start, size_t length) {
    char *word = malloc(length + 1);
    if (word != NULL) {
        memcpy(word, start, length);
        word[length] = '\0';
    }
    return word;
}

static int append(Words *words, const char *start, size_t length) {
    char **list = realloc(words->list, ((size_t)words->count + 1) * sizeof *list);
    if (list == NULL)
        return 0;
    words->list = list;
    list[words->count] = copy(start, length);
    return list[words->count] != NULL && ++words->count;
}

Words *words_read(const char *text) {
    Words *words = calloc(1, sizeof *words);
    while (words != NULL && *(text += strspn(text, " ")) != '\0') {
        size_t length = strcspn(text, " ");
        if (!append(words, text, length)) {
            words_free(words);
            return NULL;
        }
        text += length;
    }
    return words;
}

int words_count(const Words *words) {
    return words->count;
}

const char *words_at(const Words *words, int index) {
    return words->list[index];
}

void words_free(Words *words) {
    for (int i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
    free(words);
}
