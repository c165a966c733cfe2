/* Memory for one request of a server: all of it is given back at once. */
#include <stdio.h>
#include <string.h>
#include <vesta/scratch.h>

static char *join(VestaScratch *scratch, const char *left, const char *right) {
    size_t length = strlen(left);
    char *text = (char *)vesta_scratch_alloc(scratch, length + strlen(right) + 1);
    if (text != NULL) {
        memcpy(text, left, length);
        strcpy(text + length, right);
    }
    return text;
}

int main(void) {
    VestaScratch scratch;
    vesta_scratch_init(&scratch, 0);
    for (int request = 0; request < 3; request++) {
        const char *answer = join(&scratch, "hello, ", "world");
        VestaScratchMark mark = vesta_scratch_mark(&scratch);
        for (int i = 0; i < 1000 && answer != NULL; i++)
            if (join(&scratch, answer, "!") == NULL)
                return 1;
        vesta_scratch_rewind(&scratch, mark); /* only the answer is left */
        if (answer == NULL || puts(answer) < 0)
            return 1;
        vesta_scratch_reset(&scratch);
    }
    vesta_scratch_destroy(&scratch);
    return 0;
}
