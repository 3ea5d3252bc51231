#include "runtime/forks.h"

#include <pthread.h>

#include <atomic>

namespace halyard::runtime {
namespace {

std::atomic<uint32_t> forks{0};
pthread_once_t watch_forks = PTHREAD_ONCE_INIT;

void WatchForks() {
  // If there is no memory for the handler, a child could hang. There is nobody to report this to.
  (void)pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
}

}  // namespace

uint32_t ForkCount() {
  pthread_once(&watch_forks, WatchForks);
  return forks.load(std::memory_order_relaxed);
}

}  // namespace halyard::runtime
