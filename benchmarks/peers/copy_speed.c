// Measures how fast this machine can copy memory: threads on all of the process's cores copy at the
// same time, and do not wait for each other between the copies.

#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { kMaxThreads = 256 };

typedef struct {
  char* to;
  const char* from;
  size_t bytes;
  int copies, streaming;
} Share;

__attribute__((target("avx"))) static void Stream(char* to, const char* from, size_t bytes) {
  size_t at = 0;
  for (; at + 32 <= bytes; at += 32)
    _mm256_stream_si256((__m256i*)(to + at), _mm256_loadu_si256((const __m256i*)(from + at)));
  _mm_sfence();
  memcpy(to + at, from + at, bytes - at);
}

static void* Run(void* data) {
  const Share* share = data;
  for (int i = 0; i < share->copies; ++i) {
    if (share->streaming) {
      Stream(share->to, share->from, share->bytes);
    } else {
      memcpy(share->to, share->from, share->bytes);
      __asm__ volatile("" ::: "memory");
    }
  }
  return 0;
}

// Returns the seconds that one of `copies` copies takes, or -1 if a thread could not be started.
// `to` and `from` start at multiples of 64 bytes.
double SecondsOfCopy(char* to, const char* from, size_t bytes, int threads, int copies,
                     int streaming) {
  if (threads > kMaxThreads) threads = kMaxThreads;
  pthread_t ids[kMaxThreads];
  Share shares[kMaxThreads];
  const size_t part = (bytes / threads) / 64 * 64;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int started = 0;
  for (; started < threads; ++started) {
    const int t = started;
    const size_t size = t + 1 < threads ? part : bytes - part * t;
    shares[t] = (Share){to + part * t, from + part * t, size, copies, streaming};
    if (pthread_create(&ids[t], 0, Run, &shares[t]) != 0) break;
  }
  // Waits for the threads even if one could not be started, because they use this function's
  // arrays.
  for (int t = 0; t < started; ++t) pthread_join(ids[t], 0);
  if (started < threads) return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec)) /
         copies;
}
