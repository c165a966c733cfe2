/* A library that takes 1 KiB of the room for initial-exec thread variables. */
__attribute__((tls_model("initial-exec"))) _Thread_local volatile char field_thread_variables[1024];

char field_first_thread_variable(void);

char field_first_thread_variable(void) {
    return field_thread_variables[0];
}
