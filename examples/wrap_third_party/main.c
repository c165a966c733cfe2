/* Uses the library, and shows whose memory it got. */
#include "third_party.h"

#include <vesta/host_alloc.h>

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    Words *words = words_read("memory that another library asked for");
    if (words == NULL)
        return EXIT_FAILURE;
    int ours = vesta_host_owns(words) != 0;
    for (int i = 0; i < words_count(words); i++) {
        ours += vesta_host_owns(words_at(words, i)) != 0;
        printf("%s ", words_at(words, i));
    }
    printf("\n%d of the library's %d blocks are ours\n", ours, words_count(words) + 1);
    int all = ours == words_count(words) + 1;
    words_free(words);
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
