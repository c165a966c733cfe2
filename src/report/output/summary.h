/* What the process allocated, as a table on standard error. */
#ifndef VESTA_REPORT_SUMMARY_H
#define VESTA_REPORT_SUMMARY_H

void vesta_report_summary(void);

#endif
