// Exchanges: who reads whose arrays, and when they may be freed.
#include "runtime/collectives/grid_state.h"
#include "runtime/copy.h"
#include "runtime/host.h"

namespace halyard::runtime {

Grid::Place Grid::PlaceOf(uint32_t process, const ExchangeStep& step) const {
  Place place;
  const int64_t* member = step.groups + step.num_groups;
  for (uint32_t g = 0; g < step.num_groups; ++g) {
    const uint32_t count = static_cast<uint32_t>(step.groups[g]);
    const int64_t* group = member;
    member += count;
    if (step.pattern == ExchangePattern::kPermute) {
      if (group[1] == process) {
        place.sources = group;
        place.num_sources = 1;
      }
      if (group[0] == process) {
        place.readers = group + 1;
        place.num_readers = 1;
      }
      continue;
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (group[i] != process) continue;
      place.index = i;
      place.sources = group;
      const bool broadcast = step.pattern == ExchangePattern::kBroadcast;
      place.num_sources = broadcast ? 1 : count;
      place.readers = group;
      place.num_readers = broadcast && i != 0 ? 0 : count;
      return place;
    }
  }
  return place;
}

Grid::Post* Grid::FindPost(uint32_t owner, uint64_t step, uint64_t time, uint32_t reader) const {
  for (Post* post = members_[owner].posts; post != nullptr; post = post->next) {
    if (post->step == step && post->time == time &&
        (post->only_reader < 0 || post->only_reader == reader))
      return post;
  }
  return nullptr;
}

void Grid::RemovePost(uint32_t owner, Post* post) {
  Post** at = &members_[owner].posts;
  while (*at != post) at = &(*at)->next;
  *at = post->next;
  Release(post->owned);
  HeapFree(post);
}

// AddPost, ReadPost and LeavePost need the mutex. ReadPost releases it while it copies, and both
// ReadPost and LeavePost release it while they wait.
Status Grid::AddPost(const GridParcel& parcel, const HostArray* arrays, const GridOwned& owned) {
  Post* post = static_cast<Post*>(
      HeapAllocateZeroed(1, sizeof(Post) + parcel.num_arrays * sizeof(HostArray)));
  if (post == nullptr) return NoExchangeMemory();
  post->step = parcel.step;
  post->time = parcel.time;
  post->readers_left = parcel.readers;
  post->only_reader = parcel.only_reader;
  post->is_kept = !IsHere(parcel.process);
  post->owned = owned;
  post->num_arrays = parcel.num_arrays;
  for (uint32_t k = 0; k < parcel.num_arrays; ++k) post->arrays[k] = arrays[k];
  post->next = members_[parcel.process].posts;
  members_[parcel.process].posts = post;
  for (uint32_t i = 0; i < size(); ++i) {
    Member& other = members_[i];
    if (other.wait == Member::Wait::kPost && other.source == parcel.process &&
        other.step == parcel.step && other.time == parcel.time)
      WakeUp(&other);
  }
  return Status();
}

// SendParcel and the next two functions must not hold the mutex.
Status Grid::SendParcel(const GridParcel& parcel, const HostArray* arrays,
                        const uint32_t* readers) {
  {
    const GridLock lock(&mutex_);
    for (uint32_t rank = 0; rank < remote_.num_ranks; ++rank) sent_ += readers[rank] != 0;
  }
  return remote_.send(remote_.user, parcel, arrays, readers);
}

// An all-to-all gives each member its own blocks.
Status Grid::PostBlocks(const GridParcel& parcel, const Place& place, const HostArray* operands) {
  HostArray* blocks =
      static_cast<HostArray*>(HeapAllocateZeroed(parcel.num_arrays + 1, sizeof(HostArray)));
  uint32_t* readers =
      static_cast<uint32_t*>(HeapAllocateZeroed(remote_.num_ranks, sizeof(uint32_t)));
  Status status = blocks == nullptr || readers == nullptr ? NoExchangeMemory() : Status();
  for (uint32_t i = 0; status.ok() && i < place.num_readers; ++i) {
    const uint32_t reader = static_cast<uint32_t>(place.readers[i]);
    if (IsHere(reader)) continue;
    for (uint32_t k = 0; k < parcel.num_arrays; ++k) {
      const uint64_t bytes = operands[k].bytes / place.num_readers;
      blocks[k] = {static_cast<uint8_t*>(operands[k].data) + i * bytes, bytes};
    }
    GridParcel own = parcel;
    own.only_reader = reader;
    readers[RankOf(reader)] = 1;
    status = SendParcel(own, blocks, readers);
    readers[RankOf(reader)] = 0;
  }
  HeapFree(blocks);
  HeapFree(readers);
  return status;
}

Status Grid::PostRemotely(uint32_t process, const ExchangeStep& step, uint64_t time,
                          const Place& place, const HostArray* operands) {
  const GridParcel parcel = {
      GridParcel::Kind::kPost, process, step.num_arrays, 0, 0, -1, step.step, time};
  if (step.pattern == ExchangePattern::kAllToAll) return PostBlocks(parcel, place, operands);
  uint32_t* readers =
      static_cast<uint32_t*>(HeapAllocateZeroed(remote_.num_ranks, sizeof(uint32_t)));
  if (readers == nullptr) return NoExchangeMemory();
  bool any = false;
  for (uint32_t i = 0; i < place.num_readers; ++i) {
    const uint32_t reader = static_cast<uint32_t>(place.readers[i]);
    if (IsHere(reader)) continue;
    ++readers[RankOf(reader)];
    any = true;
  }
  Status status = any ? SendParcel(parcel, operands, readers) : Status();
  HeapFree(readers);
  return status;
}

namespace {

// Copies the bytes that a reader takes of one array of member `from` to their place.
void CopyPart(ExchangePattern pattern, uint32_t index, uint32_t from, const HostArray& operand,
              const HostArray& result, uint64_t num_members) {
  const uint8_t* source = static_cast<const uint8_t*>(operand.data);
  uint8_t* to = static_cast<uint8_t*>(result.data);
  uint64_t bytes = operand.bytes;
  if (pattern == ExchangePattern::kGather) to += from * bytes;
  if (pattern == ExchangePattern::kAllToAll) {
    bytes /= num_members;
    source += index * bytes;
    to += from * bytes;
  }
  CopyArray(to, source, bytes);
}

}  // namespace

// Ranks that run different programs may bring different things to the same step.
Status Grid::CheckSizes(const Post& post, uint32_t source, const ExchangeStep& step,
                        const Place& place, const HostArray* operands) const {
  const bool cut = step.pattern == ExchangePattern::kAllToAll && !IsHere(source);
  const bool same = post.num_arrays == step.num_arrays && cut == (post.only_reader >= 0);
  for (uint32_t k = 0; same && k < step.num_arrays; ++k) {
    const uint64_t wanted = operands[k].bytes / (cut ? place.num_sources : 1);
    if (post.arrays[k].bytes == wanted) continue;
    return MakeStatus(
        Code::kInvalidArgument, "%s: process (%u, %u) brings %llu bytes to step %llu, not %llu",
        step.label, source / partitions_, source % partitions_,
        static_cast<unsigned long long>(post.arrays[k].bytes),
        static_cast<unsigned long long>(step.step), static_cast<unsigned long long>(wanted));
  }
  if (same) return Status();
  return MakeStatus(
      Code::kInvalidArgument, "%s: process (%u, %u) brings %u arrays%s to step %llu, not %u%s",
      step.label, source / partitions_, source % partitions_, post.num_arrays,
      post.only_reader >= 0 ? " for one reader" : "", static_cast<unsigned long long>(step.step),
      step.num_arrays, cut ? " for one reader" : "");
}

Status Grid::ReadPost(uint32_t process, uint32_t source, const ExchangeStep& step, uint64_t time,
                      const Place& place, uint32_t from, const HostArray* operands,
                      const HostArray* results) {
  Member& member = members_[process];
  member.wait = Member::Wait::kPost;
  member.label = step.label;
  member.source = source;
  member.step = step.step;
  member.time = time;
  HY_RETURN_IF_ERROR(WaitUntilReady(process));
  Post* post = FindPost(source, step.step, time, process);
  const bool cut = post->only_reader >= 0;
  HY_RETURN_IF_ERROR(CheckSizes(*post, source, step, place, operands));
  ++post->reading;
  pthread_mutex_unlock(&mutex_);
  // If the blocks are already cut, they lie one after the other, as in a gather.
  const ExchangePattern pattern = cut ? ExchangePattern::kGather : step.pattern;
  for (uint32_t k = 0; k < step.num_arrays; ++k)
    CopyPart(pattern, place.index, from, post->arrays[k], results[k], place.num_sources);
  pthread_mutex_lock(&mutex_);
  --post->reading;
  --post->readers_left;
  if (post->reading != 0) return Status();
  // An owner that has gone on leaves the copy to the last reader.
  if (post->is_kept && post->readers_left == 0) {
    RemovePost(source, post);
  } else {
    WakeUp(&members_[source]);
  }
  return Status();
}

// Afterwards, the memory of the operands belongs to the caller again.
Status Grid::LeavePost(uint32_t process, Post* post, const char* label, bool members_are_here) {
  Member& member = members_[process];
  Status status;
  if (members_are_here) {  // they read without waiting for anyone else
    member.wait = Member::Wait::kReaders;
    member.own = post;
    member.label = label;
    status = WaitUntilReady(process);
  } else if (post->readers_left != 0) {
    uint8_t* copy = CopyOf(post->arrays, post->num_arrays);
    if (copy == nullptr) status = NoExchangeMemory();
    if (copy != nullptr) {
      while (post->reading != 0) pthread_cond_wait(&member.changed, &mutex_);
      if (post->readers_left != 0) {
        post->is_kept = true;
        post->owned = {copy, HeapFree};
        for (uint32_t k = 0; k < post->num_arrays; ++k) {
          post->arrays[k].data = copy;
          copy += post->arrays[k].bytes;
        }
        return Status();
      }
      HeapFree(copy);
    }
  }
  while (post->reading != 0) pthread_cond_wait(&member.changed, &mutex_);
  RemovePost(process, post);
  return status;
}

// Needs the mutex. Returns whether all processes of this rank that read what this one gives have
// come to the end of the exchange.
bool Grid::ReadersHaveCome(const Place& place, uint64_t step, uint64_t time) const {
  for (uint32_t i = 0; i < place.num_readers; ++i) {
    const uint32_t reader = static_cast<uint32_t>(place.readers[i]);
    if (IsHere(reader) && members_[reader].ends[step] <= time) return false;
  }
  return true;
}

Status Grid::BeginExchange(uint32_t process, const ExchangeStep& step, const HostArray* operands) {
  if (step.step >= num_steps_)
    return MakeStatus(Code::kInvalidArgument, "%s: this grid has no exchanges", step.label);
  const Place place = PlaceOf(process, step);
  uint32_t readers = 0;  // readers on this rank
  for (uint32_t i = 0; i < place.num_readers; ++i) {
    const uint32_t reader = static_cast<uint32_t>(place.readers[i]);
    readers += reader != process && IsHere(reader);
  }
  // Only this process counts how often it executes its steps.
  const uint64_t time = members_[process].times[step.step]++;
  if (remote_.num_ranks > 1) HY_RETURN_IF_ERROR(PostRemotely(process, step, time, place, operands));
  const GridLock lock(&mutex_);
  if (stopped_) return Aborted();
  if (readers == 0) return Status();
  return AddPost(
      {GridParcel::Kind::kPost, process, step.num_arrays, 0, readers, -1, step.step, time},
      operands, {});
}

// `at_once`: whether the exchange has only just begun.
Status Grid::TakeParts(uint32_t process, const ExchangeStep& step, bool at_once,
                       const HostArray* operands, const HostArray* results) {
  if (step.step >= num_steps_ || members_[process].times[step.step] == 0)
    return MakeStatus(Code::kInvalidArgument, "%s: the exchange has not begun", step.label);
  const Place place = PlaceOf(process, step);
  const uint64_t time = members_[process].times[step.step] - 1;
  const GridLock lock(&mutex_);
  members_[process].ends[step.step] = time + 1;
  Status status;
  for (uint32_t i = 0; i < place.num_sources && status.ok(); ++i) {
    const uint32_t source = static_cast<uint32_t>(place.sources[i]);
    if (source != process) {
      status = ReadPost(process, source, step, time, place, i, operands, results);
      continue;
    }
    pthread_mutex_unlock(&mutex_);
    for (uint32_t k = 0; k < step.num_arrays; ++k)
      CopyPart(step.pattern, place.index, i, operands[k], results[k], place.num_sources);
    pthread_mutex_lock(&mutex_);
  }
  for (uint32_t k = 0; k < step.num_arrays; ++k) {
    uint64_t filled = place.num_sources == 0 ? 0 : results[k].bytes;
    if (step.pattern == ExchangePattern::kGather) filled = place.num_sources * operands[k].bytes;
    if (results[k].bytes > filled)
      memset(static_cast<uint8_t*>(results[k].data) + filled, 0, results[k].bytes - filled);
  }
  Post* own = FindPost(process, step.step, time, process);
  if (own == nullptr) return status;
  // After a gather or an all-to-all, this process has read from all processes that read from it, so
  // those that have come to the end do not wait for anyone. Others may do something else for long.
  const bool here =
      status.ok() &&
      (step.pattern == ExchangePattern::kGather || step.pattern == ExchangePattern::kAllToAll) &&
      (at_once || ReadersHaveCome(place, step.step, time));
  Status left = LeavePost(process, own, step.label, here);
  return status.ok() ? static_cast<Status&&>(left) : static_cast<Status&&>(status);
}

Status Grid::EndExchange(uint32_t process, const ExchangeStep& step, const HostArray* operands,
                         const HostArray* results) {
  return TakeParts(process, step, /*at_once=*/false, operands, results);
}

Status Grid::Exchange(uint32_t process, const ExchangeStep& step, const HostArray* operands,
                      const HostArray* results) {
  HY_RETURN_IF_ERROR(BeginExchange(process, step, operands));
  return TakeParts(process, step, /*at_once=*/true, operands, results);
}

void Grid::Withdraw(uint32_t process) {
  Member& member = members_[process];
  const GridLock lock(&mutex_);
  for (Post* post = member.posts; post != nullptr;) {
    if (post->is_kept) {
      post = post->next;
      continue;
    }
    post->step = UINT64_MAX;  // nobody finds it any longer
    while (post->reading != 0) pthread_cond_wait(&member.changed, &mutex_);
    RemovePost(process, post);
    post = member.posts;
  }
}

}  // namespace halyard::runtime
