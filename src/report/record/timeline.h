/* Samples of the whole process over time: a bounded number, in even steps. When they are full every second one is
 * dropped and the step doubled. */
#ifndef VESTA_RECORD_TIMELINE_H
#define VESTA_RECORD_TIMELINE_H

void vesta_timeline_start(void);

/* Takes a sample if it is time. To be called now and then. */
void vesta_timeline_look(void);

/* Takes one now: the last moment belongs to the picture. */
void vesta_timeline_sample(void);

#endif
