/* Fork: every lock there is, in one place and one order. */
#ifndef VESTA_HEAP_FORK_H
#define VESTA_HEAP_FORK_H

/* Registers the handlers; before a second thread can exist. */
void vesta_fork_watch(void);

#endif
