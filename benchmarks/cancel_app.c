/* An application for cancel.py: cancels runs of programs from another thread, and prints how long
 * each run then took to return, as JSON. Usage: app TARGET COUNT BUNDLE... */
#define _GNU_SOURCE
#include <halyard_rt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
static void sleep_ms(double ms) {
  struct timespec t;
  t.tv_sec = (time_t)(ms / 1e3);
  t.tv_nsec = (long)((ms - (double)t.tv_sec * 1e3) * 1e6);
  nanosleep(&t, NULL);
}
static void die(const char* what, const char* why) {
  fprintf(stderr, "cancel_app: %s: %s\n", what, why);
  exit(1);
}

static struct {
  hy_cancel cancel;
  double after_ms, requested_at;
} stop;

static void* request(void* unused) {
  (void)unused;
  sleep_ms(stop.after_ms);
  stop.requested_at = now_ms();
  hy_cancel_request(&stop.cancel);
  return NULL;
}

/* Returns the time from the request to the end of the run. */
static double cancel_once(hy_program* program, const void* const* arguments, void* const* results,
                          double after_ms) {
  hy_run_options options = {0};
  pthread_t thread;
  hy_status status;
  double end;
  memset(&stop, 0, sizeof(stop));
  stop.after_ms = after_ms;
  options.struct_size = sizeof(options);
  options.cancel = &stop.cancel;
  if (pthread_create(&thread, NULL, request, NULL) != 0) die("pthread_create", "failed");
  status = hy_run_with(program, &options, arguments, results);
  end = now_ms();
  pthread_join(thread, NULL);
  if (hy_status_code(status) != HY_ABORTED)
    die("a run that was cancelled", status == NULL ? "it ended by itself" : hy_status_message(status));
  hy_status_free(status);
  return end - stop.requested_at;
}

static void* array_of(uint64_t bytes) {
  void* memory = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
  if (memory == NULL) die("aligned_alloc", "no memory");
  memset(memory, 0, (size_t)bytes);
  return memory;
}

int main(int argc, char** argv) {
  const int count = argc > 3 ? atoi(argv[2]) : 0;
  int i, k;
  printf("[");
  for (i = 3; i < argc; ++i) {
    hy_choose_options options = {0};
    hy_program* program = NULL;
    hy_status status;
    const void* arguments[1];
    void* results[1];
    hy_value argument = {0}, result = {0};
    options.struct_size = sizeof(options);
    options.targets = argv[1];
    status = hy_program_choose_file(argv[i], &options, &program);
    if (status == NULL) status = hy_program_argument(program, 0, &argument);
    if (status == NULL) status = hy_program_result(program, 0, &result);
    if (status != NULL) die(argv[i], hy_status_message(status));
    arguments[0] = array_of(argument.bytes);
    results[0] = array_of(result.bytes);
    printf("%s[", i == 3 ? "" : ", ");
    /* At moments that have nothing to do with the rounds of the loop. The first run also makes the
     * program ready, and is not counted. */
    for (k = -1; k < count; ++k) {
      const double after = k < 0 ? 300 : 5 + (double)((unsigned)k * 7919u % 1000u) / 50;
      const double took = cancel_once(program, arguments, results, after);
      sleep_ms(after / 4); /* Linux stops real-time threads that leave nothing to others */
      if (k >= 0) printf("%s%.4f", k == 0 ? "" : ", ", took);
    }
    printf("]");
    hy_program_free(program);
    free((void*)(size_t)arguments[0]);
    free(results[0]);
  }
  printf("]\n");
  return 0;
}
