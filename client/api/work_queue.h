// A queue of work, done in order by a thread of its own, which starts with the first piece of work.
#ifndef HALYARD_CLIENT_API_WORK_QUEUE_H_
#define HALYARD_CLIENT_API_WORK_QUEUE_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace halyard {

class WorkQueue {
 public:
  WorkQueue() = default;
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue() { Stop(); }

  // `work` must not throw. It may push more.
  void Push(std::function<void()> work);
  // Returns when there is nothing left to do. Work must not call it.
  void WaitUntilIdle();
  // Returns when everything that was pushed is done, and the thread has ended. Work must not call
  // it.
  void Stop();

 private:
  void Main();

  std::mutex mutex_;
  std::condition_variable pushed_, idle_;
  std::deque<std::function<void()>> work_;
  bool busy_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_WORK_QUEUE_H_
