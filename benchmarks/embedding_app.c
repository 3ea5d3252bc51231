/* An application for embedding.py: runs the model of model.h with an allocator that counts and
 * threads of its own, and prints what it saw. Usage: app THREADS SECONDS */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model.h"

static atomic_llong calls, bytes_now;

static void* allocate(void* user, size_t bytes, size_t alignment) {
  (void)user;
  atomic_fetch_add(&calls, 1);
  atomic_fetch_add(&bytes_now, (long long)bytes);
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void release(void* user, void* memory, size_t bytes, size_t alignment) {
  (void)user, (void)alignment;
  atomic_fetch_sub(&bytes_now, (long long)bytes);
  free(memory);
}

/* Threads that spin for the next loop, as the runtime's own do for a while. */
static struct {
  _Alignas(64) atomic_int epoch, next, left, stop;
  int count;
  void (*task)(void*, int);
  void* data;
} loop;

static void work(void) {
  int i;
  while ((i = atomic_fetch_add(&loop.next, 1)) < loop.count) {
    loop.task(loop.data, i);
    atomic_fetch_sub(&loop.left, 1);
  }
}
static void* worker(void* unused) {
  int seen = 0;
  (void)unused;
  while (!atomic_load(&loop.stop)) {
    if (atomic_load(&loop.epoch) == seen) continue;
    seen = atomic_load(&loop.epoch);
    if (seen % 2 == 1) work();
  }
  return NULL;
}
/* One loop runs at a time. Its numbers change only while the epoch is even and nobody works. */
static void parallel_for(void* user, int count, void (*task)(void*, int), void* data) {
  (void)user;
  loop.task = task;
  loop.data = data;
  loop.count = count;
  atomic_store(&loop.left, count);
  atomic_store(&loop.next, 0);
  atomic_fetch_add(&loop.epoch, 1);
  work();
  while (atomic_load(&loop.left) != 0) {
  }
  atomic_store(&loop.next, 1 << 30);
  atomic_fetch_add(&loop.epoch, 1);
}

static int threads_now(void) {
  int count = 0;
  struct dirent* entry;
  DIR* folder = opendir("/proc/self/task");
  while ((entry = readdir(folder)) != NULL) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}
static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}
static void check(hy_status status) {
  if (status == NULL) return;
  fprintf(stderr, "%s\n", hy_status_message(status));
  exit(1);
}
static void* array(const hy_value* value) {
  const size_t bytes = (size_t)(value->bytes + 63) / 64 * 64;
  unsigned char* data = aligned_alloc(64, bytes == 0 ? 64 : bytes);
  memset(data, 0, bytes == 0 ? 64 : bytes);
  if (strcmp(value->element_type, "f32") == 0) {
    for (size_t i = 0; i < bytes / sizeof(float); ++i) ((float*)data)[i] = 0.5f;
  }
  return data;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 1;
  const double seconds = argc > 2 ? atof(argv[2]) : 0.5;
  hy_allocator allocator = {sizeof(allocator), NULL, allocate, release};
  hy_pool pool = {sizeof(pool), NULL, threads, parallel_for, NULL};
  hy_device_options device = {0};
  hy_choose_options options = {0};
  model_model* model = NULL;
  const void** arguments;
  void** results;
  long long before, at_create, runs = 0;
  double best = 1e30, begin;
  int i, at_start, count;
  for (i = 1; i < threads; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
  }
  at_start = threads_now();
  device.struct_size = sizeof(device);
  device.allocator = &allocator;
  device.pool = &pool;
  options.struct_size = sizeof(options);
  options.device_options = &device;
  check(model_create_with(&options, &model));
  at_create = atomic_load(&bytes_now);
  count = hy_program_num_arguments(model);
  arguments = calloc((size_t)count + 1, sizeof(*arguments));
  results = calloc((size_t)hy_program_num_results(model) + 1, sizeof(*results));
  for (i = 0; i < count; ++i) {
    hy_value value;
    check(hy_program_argument(model, i, &value));
    arguments[i] = array(&value);
  }
  for (i = 0; i < hy_program_num_results(model); ++i) {
    hy_value value;
    check(hy_program_result(model, i, &value));
    results[i] = array(&value);
  }
  for (i = 0; i < 20; ++i) check(hy_run(model, arguments, results));
  before = atomic_load(&calls);
  for (begin = now_ms(); now_ms() < begin + seconds * 1e3; ++runs) {
    const double from = now_ms();
    double took;
    check(hy_run(model, arguments, results));
    took = now_ms() - from;
    if (took < best) best = took;
  }
  printf(
      "{\"min_ms\": %.6f, \"runs\": %lld, \"allocations\": %lld, \"bytes_at_create\": %lld, "
      "\"threads_started\": %d}\n",
      best, runs, (long long)(atomic_load(&calls) - before), at_create, threads_now() - at_start);
  atomic_store(&loop.stop, 1);
  model_destroy(model);
  return 0;
}
