/* The memory primitives from C: which form to use where. Compiled as C99. */
#include <stdio.h>
#include <string.h>

#include <vesta/mem.h>

typedef struct Message {
    unsigned id;
    unsigned length;
    char text[48];
} Message;

/* The size is known and small: a few moves in place, no call. */
static Message reply_to(const Message *message) {
    Message reply;
    vesta_memcpy(&reply, message, sizeof reply);
    reply.id++;
    return reply;
}

/* The size is not known but small as a rule: the inline form branches to a few moves and never calls anybody. */
static void set_text(Message *message, const char *text) {
    size_t length = strlen(text);
    if (length >= sizeof message->text)
        length = sizeof message->text - 1;
    vesta_memcpy_inline(message->text, text, length);
    message->text[length] = '\0';
    message->length = (unsigned)length;
}

/* Any size: one call, which takes the best path of this CPU. */
static void clear(Message *messages, size_t count) {
    vesta_memset_noinline(messages, 0, count * sizeof *messages);
}

int main(void) {
    static Message messages[100];
    clear(messages, 100);
    messages[0].id = 1;
    set_text(&messages[0], "hello");
    messages[1] = reply_to(&messages[0]);
    set_text(&messages[1], "hello yourself");
    for (int i = 0; i < 3; i++)
        printf("%u: \"%s\" (%u bytes)\n", messages[i].id, messages[i].text, messages[i].length);
    return 0;
}
