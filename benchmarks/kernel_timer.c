/* Lets tuned_kernels.py run Halyard's programs in its own process: wraps the runtime's C API in a
 * few functions that ctypes can call. They print errors to stderr, and then return NULL or -1. */
#include <stdint.h>
#include <stdio.h>

#include "runtime/c_api/halyard_rt.h"

#define EXPORT __attribute__((visibility("default")))

static int Failed(hy_status status) {
  if (status == NULL) return 0;
  fprintf(stderr, "kernel_timer: %s\n", hy_status_message(status));
  hy_status_free(status);
  return 1;
}

EXPORT hy_device* timer_open(int threads) {
  hy_device* device = NULL;
  return Failed(hy_device_open("x86", 0, threads, &device)) ? NULL : device;
}

EXPORT hy_program* timer_load(hy_device* device, const char* path) {
  hy_program* program = NULL;
  return Failed(hy_program_load_file(device, path, &program)) ? NULL : program;
}

EXPORT void timer_free(hy_program* program) { hy_program_free(program); }

EXPORT int timer_run(hy_program* program, const void* const* arguments, void* const* results) {
  return Failed(hy_run(program, arguments, results)) ? -1 : 0;
}
