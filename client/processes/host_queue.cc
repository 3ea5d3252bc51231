#include "client/processes/host_queue.h"

#include <utility>

namespace halyard {

using hlo::Literal;

absl::Status HostQueue::Push(std::vector<Literal> item) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || items_.size() < capacity_; });
  if (closed_) return absl::FailedPreconditionError("the queue is closed");
  items_.push_back(std::move(item));
  changed_.notify_all();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Literal>> HostQueue::Pop() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
  if (items_.empty()) return absl::OutOfRangeError("the queue is closed and empty");
  std::vector<Literal> item = std::move(items_.front());
  items_.pop_front();
  changed_.notify_all();
  return item;
}

void HostQueue::Close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::vector<std::vector<Literal>> HostQueue::TakeAll() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::vector<Literal>> items(std::make_move_iterator(items_.begin()),
                                          std::make_move_iterator(items_.end()));
  items_.clear();
  changed_.notify_all();
  return items;
}

HostQueue& ProcessHost::QueueOf(std::map<int64_t, HostQueue>* queues, int64_t channel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  HostQueue& queue = queues->try_emplace(channel, capacity_).first->second;
  if (closed_) queue.Close();
  return queue;
}

std::vector<int64_t> ProcessHost::sent_channels() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<int64_t> channels;
  for (const auto& [channel, queue] : to_host_) channels.push_back(channel);
  return channels;
}

void ProcessHost::CloseAll() {
  infeed.Close();
  outfeed.Close();
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  for (auto* queues : {&to_device_, &to_host_}) {
    for (auto& [channel, queue] : *queues) queue.Close();
  }
}

}  // namespace halyard
