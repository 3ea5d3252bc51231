// Measures how many operations of f32 this machine's cores can do: fused multiply-adds in registers,
// on all of the process's cores at the same time.

#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <time.h>

enum { kMaxThreads = 256, kChains = 12 };

typedef struct {
  long rounds;
  float result;
} Share;

// Twelve independent chains hide the latency of an instruction on every core that has two units.
__attribute__((target("avx512f"))) static float Run512(long rounds) {
  __m512 sums[kChains];
  const __m512 factor = _mm512_set1_ps(0.999f), term = _mm512_set1_ps(0.001f);
  for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps((float)i);
  for (long r = 0; r < rounds; ++r) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_fmadd_ps(sums[i], factor, term);
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm512_add_ps(sums[0], sums[i]);
  return _mm512_reduce_add_ps(sums[0]);
}

__attribute__((target("avx2,fma"))) static float Run256(long rounds) {
  __m256 sums[kChains];
  const __m256 factor = _mm256_set1_ps(0.999f), term = _mm256_set1_ps(0.001f);
  for (int i = 0; i < kChains; ++i) sums[i] = _mm256_set1_ps((float)i);
  for (long r = 0; r < rounds; ++r) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm256_fmadd_ps(sums[i], factor, term);
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm256_add_ps(sums[0], sums[i]);
  return _mm256_cvtss_f32(sums[0]);
}

static int HasAvx512(void) { return __builtin_cpu_supports("avx512f"); }

static void* Run(void* data) {
  Share* share = data;
  share->result = HasAvx512() ? Run512(share->rounds) : Run256(share->rounds);
  return 0;
}

// Returns the operations per second of `threads` threads that each do `rounds` rounds of twelve
// instructions; 0 if the CPU has no fused multiply-add, and -1 if a thread could not be started.
double FlopsOfFma(int threads, long rounds) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
  if (threads > kMaxThreads) threads = kMaxThreads;
  pthread_t ids[kMaxThreads];
  Share shares[kMaxThreads];
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int started = 0;
  for (; started < threads; ++started) {
    shares[started] = (Share){rounds, 0};
    if (pthread_create(&ids[started], 0, Run, &shares[started]) != 0) break;
  }
  for (int t = 0; t < started; ++t) pthread_join(ids[t], 0);
  if (started < threads) return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  const double seconds =
      (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
  const double lanes = HasAvx512() ? 16 : 8;
  return 2 * lanes * kChains * (double)rounds * threads / seconds;
}
