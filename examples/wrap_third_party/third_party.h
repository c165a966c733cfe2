/* Stands for a library that you did not write: a list of words. */
#ifndef THIRD_PARTY_H
#define THIRD_PARTY_H

typedef struct Words Words;

Words *words_read(const char *text);
int words_count(const Words *words);
const char *words_at(const Words *words, int index);
void words_free(Words *words);

#endif
