#include "record.h"
void vesta_record_balance(VestaBalance *balance) {
    *balance = (VestaBalance){.committed = 0};
}
