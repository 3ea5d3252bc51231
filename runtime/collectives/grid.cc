#include "runtime/collectives/grid.h"

#include <sched.h>
#include <stdio.h>

#include <new>

#include "runtime/backend.h"
#include "runtime/collectives/grid_state.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

constexpr uint32_t kMaxListed = 8;  // the most processes that a message lists
// How often a process that waits looks for what other ranks send before it sleeps. It yields each
// time, because there may be more ranks than cores, and then the rank that it waits for needs one.
constexpr int kPolls = 1000;

}  // namespace

Status Grid::Create(uint32_t replicas, uint32_t partitions, uint64_t num_steps,
                    const GridHost& host, const GridRemote& remote, Grid** grid) {
  void* memory = HeapAllocate(sizeof(Grid));
  if (memory == nullptr) return NoExchangeMemory();
  Grid* made = new (memory) Grid();
  made->replicas_ = replicas;
  made->partitions_ = partitions;
  made->num_steps_ = num_steps;
  made->host_ = host;
  made->remote_ = remote;
  made->live_ = made->size();
  made->members_ = static_cast<Member*>(HeapAllocateZeroed(made->size(), sizeof(Member)));
  bool ok = made->members_ != nullptr;
  for (uint32_t i = 0; ok && i < made->size(); ++i) {
    pthread_cond_init(&made->members_[i].changed, nullptr);
    made->members_[i].process = i;
    made->live_here_ += made->IsHere(i);
    made->members_[i].times =
        static_cast<uint64_t*>(HeapAllocateZeroed(2 * num_steps + 1, sizeof(uint64_t)));
    ok = made->members_[i].times != nullptr;
    if (ok) made->members_[i].ends = made->members_[i].times + num_steps;
  }
  if (!ok) {
    made->Destroy();
    return NoExchangeMemory();
  }
  *grid = made;
  return Status();
}

void Grid::Destroy() {
  for (uint32_t i = 0; members_ != nullptr && i < size(); ++i) {
    while (members_[i].posts != nullptr) RemovePost(i, members_[i].posts);
    pthread_cond_destroy(&members_[i].changed);
    HeapFree(members_[i].times);
  }
  while (channels_ != nullptr) {
    Channel* channel = channels_;
    channels_ = channel->next;
    while (channel->first != nullptr) {
      Message* message = channel->first;
      channel->first = message->next;
      Release(message->owned);
      HeapFree(message);
    }
    HeapFree(channel);
  }
  HeapFree(members_);
  pthread_cond_destroy(&all_ended_);
  pthread_mutex_destroy(&mutex_);
  this->~Grid();
  HeapFree(this);
}

uint32_t Grid::RankOf(uint32_t process) const {
  uint32_t rank = 0;
  while (rank + 1 < remote_.num_ranks && remote_.starts[rank + 1] <= process) ++rank;
  return rank;
}

void Grid::Stop(Status error, bool tell) {
  if (stopped_) return;
  stopped_ = true;
  error_ = static_cast<Status&&>(error);
  for (uint32_t i = 0; i < size(); ++i) WakeUp(&members_[i]);
  pthread_cond_broadcast(&all_ended_);
  if (tell && remote_.failed != nullptr) remote_.failed(remote_.user, error_);
}

void Grid::End(uint32_t process, const Status& error) {
  const GridLock lock(&mutex_);
  members_[process].ended = true;
  --live_;
  --live_here_;
  if (!error.ok()) {
    Stop(MakeStatus(error.code(), "process (%u, %u): %s", process / partitions_,
                    process % partitions_, error.message()),
         true);
  } else if (remote_.ended != nullptr && !stopped_) {
    remote_.ended(remote_.user, process);
  }
  if (live_ == 0) pthread_cond_broadcast(&all_ended_);
  CheckDeadlock();
}

void Grid::EndRemote(uint32_t process) {
  const GridLock lock(&mutex_);
  if (process >= size() || IsHere(process) || members_[process].ended) {
    Stop(MakeStatus(Code::kInternal, "another rank says that process %u has ended", process), true);
    return;
  }
  members_[process].ended = true;
  --live_;
  if (live_ == 0) pthread_cond_broadcast(&all_ended_);
  CheckDeadlock();
}

void Grid::Fail(Status error) {
  const GridLock lock(&mutex_);
  Stop(static_cast<Status&&>(error), false);
}

void Grid::WaitForAll() {
  const GridLock lock(&mutex_);
  while (live_ > 0 && !stopped_) pthread_cond_wait(&all_ended_, &mutex_);
}

Status Grid::CheckRunning() {
  const GridLock lock(&mutex_);
  return stopped_ ? Aborted() : Status();
}

Status Grid::TakeError() {
  const GridLock lock(&mutex_);
  return static_cast<Status&&>(error_);
}

Status Grid::CopyError() {
  const GridLock lock(&mutex_);
  return error_.ok() ? Status() : MakeStatus(error_.code(), "%s", error_.message());
}

void Grid::SetPlace(uint32_t process, GridPlace place) { members_[process].place = place; }
uint64_t Grid::waited_ns(uint32_t process) const { return members_[process].waited_ns; }
void Grid::AddWaited(uint32_t process, uint64_t ns) { members_[process].waited_ns += ns; }
GridPlace Grid::place(uint32_t process) const { return members_[process].place; }

bool Grid::IsReady(const Member& member) const {
  switch (member.wait) {
    case Member::Wait::kNothing:
      return true;
    case Member::Wait::kPost:
      return FindPost(member.source, member.step, member.time, member.process) != nullptr;
    case Member::Wait::kReaders:
      return member.own->readers_left == 0 && member.own->reading == 0;
    case Member::Wait::kMessage:
      return member.channel->first != nullptr;
  }
  return true;
}

// Needs the mutex. Tells the thread of a process that what it waits for may have come.
void Grid::WakeUp(Member* member) {
  wake_ups_.fetch_add(1, std::memory_order_relaxed);
  pthread_cond_broadcast(&member->changed);
}

// Needs the mutex, and releases it meanwhile. Looks for some hundreds of microseconds for what
// other ranks send. One thread of a rank does so: more would take the time of those that compute.
void Grid::PollUntilReady(const Member& member) {
  if (polled_.exchange(true)) return;
  uint64_t seen = wake_ups_;
  pthread_mutex_unlock(&mutex_);
  for (int i = 0; i < kPolls; ++i) {
    remote_.poll(remote_.user);
    if (wake_ups_ != seen) {
      const GridLock lock(&mutex_);
      seen = wake_ups_;
      if (stopped_ || IsReady(member)) break;
    }
    sched_yield();
  }
  polled_ = false;
  pthread_mutex_lock(&mutex_);
}

// Needs the mutex. The member says what it waits for.
Status Grid::WaitUntilReady(uint32_t process) {
  Member& member = members_[process];
  if (!IsReady(member) && !stopped_) {
    const uint64_t begin = MonotonicNanoseconds();
    ++waiting_;
    CheckDeadlock();
    if (remote_.poll != nullptr) PollUntilReady(member);
    const bool sleeps = remote_.sleeping != nullptr && !stopped_ && !IsReady(member);
    if (sleeps) {
      pthread_mutex_unlock(&mutex_);
      remote_.sleeping(remote_.user, 1);
      pthread_mutex_lock(&mutex_);
    }
    while (!stopped_ && !IsReady(member)) pthread_cond_wait(&member.changed, &mutex_);
    if (sleeps) remote_.sleeping(remote_.user, -1);
    --waiting_;
    member.waited_ns += MonotonicNanoseconds() - begin;
  }
  const bool ready = IsReady(member);
  member.wait = Member::Wait::kNothing;
  return ready && !stopped_ ? Status() : Aborted();
}

// Needs the mutex. Returns false if a waiting process has been woken and has not noticed yet.
bool Grid::WriteWaits(char* text, size_t size) const {
  size_t used = 0;
  uint32_t listed = 0, more = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < this->size(); ++i) {
    const Member& member = members_[i];
    if (member.wait == Member::Wait::kNothing) continue;
    if (IsReady(member)) return false;
    if (listed == kMaxListed || used + 400 > size) {
      ++more;
      continue;
    }
    char what[100];
    if (member.wait == Member::Wait::kMessage) {
      snprintf(what, sizeof(what), "a send on channel %lld",
               static_cast<long long>(member.channel->id));
    } else {
      snprintf(what, sizeof(what), "(%u, %u)", member.source / partitions_,
               member.source % partitions_);
    }
    used += static_cast<size_t>(
        snprintf(text + used, size - used, "%sprocess (%u, %u) waits at %.250s for %s",
                 listed++ == 0 ? "" : "; ", i / partitions_, i % partitions_, member.label, what));
  }
  if (more > 0) snprintf(text + used, size - used, "; and %u more", more);
  return true;
}

// Needs the mutex. Only a process that does not wait can wake those that wait, so there is a
// deadlock if all processes wait. This does not hold with several ranks, because a parcel that is
// still on its way can wake a process even if all processes of the other ranks have ended. There,
// `progress` serves to find deadlocks.
void Grid::CheckDeadlock() {
  if (remote_.num_ranks > 1) return;
  if (stopped_ || live_ == 0 || waiting_ < live_) return;
  char text[4096];
  if (!WriteWaits(text, sizeof(text))) return;
  Stop(MakeStatus(Code::kDeadlineExceeded, "deadlock: %s%s", text,
                  live_ < size() ? "; the others have ended" : ""),
       true);
}

void Grid::DescribeWaits(char* text, size_t size) {
  const GridLock lock(&mutex_);
  if (!WriteWaits(text, size)) text[0] = '\0';
}

Grid::Progress Grid::progress() {
  const GridLock lock(&mutex_);
  bool stuck = !stopped_ && waiting_ == live_here_;
  for (uint32_t i = 0; stuck && i < size(); ++i)
    stuck = IsReady(members_[i]) == (members_[i].wait == Member::Wait::kNothing);
  return {live_here_, stuck, sent_, received_};
}

}  // namespace halyard::runtime
