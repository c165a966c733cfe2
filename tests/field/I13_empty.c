/* A library that does nothing, to know what preloading any library costs. */
int field_empty(void);

int field_empty(void) {
    return 0;
}
