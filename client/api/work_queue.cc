#include "client/api/work_queue.h"

#include <pthread.h>

#include <utility>

namespace halyard {

void WorkQueue::Push(std::function<void()> work) {
  std::lock_guard<std::mutex> lock(mutex_);
  work_.push_back(std::move(work));
  if (!thread_.joinable()) thread_ = std::thread([this] { Main(); });
  pushed_.notify_one();
}

void WorkQueue::WaitUntilIdle() {
  std::unique_lock<std::mutex> lock(mutex_);
  idle_.wait(lock, [this] { return !busy_ && work_.empty(); });
}

void WorkQueue::Stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
    pushed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void WorkQueue::Main() {
  pthread_setname_np(pthread_self(), "halyard-client");
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    pushed_.wait(lock, [this] { return stop_ || !work_.empty(); });
    if (work_.empty()) return;
    std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    busy_ = true;
    lock.unlock();
    work();
    work = nullptr;  // frees what it holds before the lock is taken
    lock.lock();
    busy_ = false;
    if (work_.empty()) idle_.notify_all();
  }
}

}  // namespace halyard
