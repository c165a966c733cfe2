/* How the recorder was started. */
#ifndef VESTA_RECORD_SETTINGS_H
#define VESTA_RECORD_SETTINGS_H

#include "record.h"

uint32_t vesta_record_depth_limit(void);

/* This process is a child of the one that began recording. */
bool vesta_record_forked(void);

/* The totals without those that take a look at every site. */
void vesta_record_process(VestaRecordTotals *totals);

#endif
