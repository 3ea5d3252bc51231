#include "runtime/use_count.h"

#include <pthread.h>

namespace halyard::runtime {
namespace {

// One place to wait for the whole process: it is rare that somebody waits.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ended = PTHREAD_COND_INITIALIZER;

__thread uint32_t runs_of_this_thread = 0;

}  // namespace

std::atomic<uint32_t> UseCount::waiting_{0};

void UseCount::AwaitOthers(Use use) const {
  if (runs_of_this_thread != 0) return;
  pthread_mutex_lock(&mutex);
  waiting_.fetch_add(1, std::memory_order_seq_cst);  // before it looks, as End looks after it ends
  while (InWayOf(use)) pthread_cond_wait(&ended, &mutex);
  waiting_.fetch_sub(1, std::memory_order_seq_cst);
  pthread_mutex_unlock(&mutex);
}

void UseCount::WakeAll() {
  pthread_mutex_lock(&mutex);
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&mutex);
}

InRun::InRun() { ++runs_of_this_thread; }
InRun::~InRun() { --runs_of_this_thread; }

}  // namespace halyard::runtime
