#include "runtime/collectives/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <new>

namespace halyard::runtime {
namespace {

constexpr uint32_t kMaxListed = 8;  // processes in a message

Status NoMemory() {
  return MakeStatus(Code::kResourceExhausted, "no memory for what processes exchange");
}

Status Aborted() { return MakeStatus(Code::kAborted, "another process of the run failed"); }

class Lock {
 public:
  explicit Lock(pthread_mutex_t* mutex) : mutex_(mutex) { pthread_mutex_lock(mutex_); }
  ~Lock() { pthread_mutex_unlock(mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pthread_mutex_t* mutex_;
};

// One piece of memory with copies of all arrays, in order.
uint8_t* CopyOf(const HostArray* arrays, uint32_t num_arrays) {
  uint64_t bytes = 1;
  for (uint32_t k = 0; k < num_arrays; ++k) bytes += arrays[k].bytes;
  uint8_t* copy = static_cast<uint8_t*>(malloc(bytes));
  if (copy == nullptr) return nullptr;
  uint64_t at = 0;
  for (uint32_t k = 0; k < num_arrays; ++k) {
    if (arrays[k].bytes != 0) memcpy(copy + at, arrays[k].data, arrays[k].bytes);
    at += arrays[k].bytes;
  }
  return copy;
}

}  // namespace

// What a process has brought to an exchange.
struct Grid::Post {
  Post* next;
  uint64_t step, time;
  uint32_t readers_left;  // who have not copied it yet
  uint32_t reading;       // who copy it now
  uint8_t* owned;         // the copy, once the owner has gone on; else null
  uint32_t num_arrays;
  HostArray arrays[];
};

struct Grid::Message {
  Message* next;
  uint8_t* copy;
  uint32_t num_arrays;
  uint64_t bytes[];
};

struct Grid::Channel {
  Channel* next;
  int64_t id, sender, receiver;  // -1: not known yet
  Message* first;
  Message* last;
};

struct Grid::Member {
  Post* posts;      // of exchanges that not all readers have left
  uint64_t* times;  // how often each step has been executed
  pthread_cond_t changed;
  bool ended;
  // What the process waits for: a post of `source`, its own readers, or a message.
  enum class Wait : uint8_t { kNothing, kPost, kReaders, kMessage } wait;
  const char* label;
  uint32_t source;
  uint64_t step, time;
  const Post* own;
  const Channel* channel;
};

// Where a process stands in an exchange.
struct Grid::Place {
  const int64_t* sources = nullptr;  // whose arrays it reads, in order
  uint32_t num_sources = 0;
  uint32_t readers = 0;  // how many others read its own
  uint32_t index = 0;    // in its group
};

Status Grid::Create(uint32_t replicas, uint32_t partitions, uint64_t num_steps,
                    const GridHost& host, Grid** grid) {
  void* memory = malloc(sizeof(Grid));
  if (memory == nullptr) return NoMemory();
  Grid* made = new (memory) Grid();
  made->replicas_ = replicas;
  made->partitions_ = partitions;
  made->num_steps_ = num_steps;
  made->host_ = host;
  made->live_ = made->size();
  made->members_ = static_cast<Member*>(calloc(made->size(), sizeof(Member)));
  bool ok = made->members_ != nullptr;
  for (uint32_t i = 0; ok && i < made->size(); ++i) {
    pthread_cond_init(&made->members_[i].changed, nullptr);
    made->members_[i].times = static_cast<uint64_t*>(calloc(num_steps + 1, sizeof(uint64_t)));
    ok = made->members_[i].times != nullptr;
  }
  if (!ok) {
    made->Destroy();
    return NoMemory();
  }
  *grid = made;
  return Status();
}

void Grid::Destroy() {
  for (uint32_t i = 0; members_ != nullptr && i < size(); ++i) {
    while (members_[i].posts != nullptr) RemovePost(i, members_[i].posts);
    pthread_cond_destroy(&members_[i].changed);
    free(members_[i].times);
  }
  while (channels_ != nullptr) {
    Channel* channel = channels_;
    channels_ = channel->next;
    while (channel->first != nullptr) {
      Message* message = channel->first;
      channel->first = message->next;
      free(message->copy);
      free(message);
    }
    free(channel);
  }
  free(members_);
  pthread_mutex_destroy(&mutex_);
  this->~Grid();
  free(this);
}

void Grid::Stop(Status error) {
  if (stopped_) return;
  stopped_ = true;
  error_ = static_cast<Status&&>(error);
  for (uint32_t i = 0; i < size(); ++i) pthread_cond_broadcast(&members_[i].changed);
}

void Grid::End(uint32_t process, const Status& error) {
  const Lock lock(&mutex_);
  members_[process].ended = true;
  --live_;
  if (!error.ok()) {
    Stop(MakeStatus(error.code(), "process (%u, %u): %s", process / partitions_,
                    process % partitions_, error.message()));
  }
  CheckDeadlock();
}

Status Grid::TakeError() {
  const Lock lock(&mutex_);
  return static_cast<Status&&>(error_);
}

bool Grid::IsReady(const Member& member) const {
  switch (member.wait) {
    case Member::Wait::kNothing:
      return true;
    case Member::Wait::kPost:
      return FindPost(member.source, member.step, member.time) != nullptr;
    case Member::Wait::kReaders:
      return member.own->readers_left == 0 && member.own->reading == 0;
    case Member::Wait::kMessage:
      return member.channel->first != nullptr;
  }
  return true;
}

// With the mutex held. The member says what it waits for.
Status Grid::WaitUntilReady(uint32_t process) {
  Member& member = members_[process];
  if (!IsReady(member) && !stopped_) {
    ++waiting_;
    CheckDeadlock();
    while (!stopped_ && !IsReady(member)) pthread_cond_wait(&member.changed, &mutex_);
    --waiting_;
  }
  const bool ready = IsReady(member);
  member.wait = Member::Wait::kNothing;
  return ready && !stopped_ ? Status() : Aborted();
}

// With the mutex held: who waits cannot be woken but by who does not.
void Grid::CheckDeadlock() {
  if (stopped_ || live_ == 0 || waiting_ < live_) return;
  char text[4096];
  size_t used = 0;
  uint32_t listed = 0, more = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < size(); ++i) {
    const Member& member = members_[i];
    if (member.wait == Member::Wait::kNothing) continue;
    if (IsReady(member)) return;  // it has been woken and will see so
    if (listed == kMaxListed || used + 400 > sizeof(text)) {
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
        snprintf(text + used, sizeof(text) - used, "%sprocess (%u, %u) waits at %.250s for %s",
                 listed++ == 0 ? "" : "; ", i / partitions_, i % partitions_, member.label, what));
  }
  if (more > 0)
    used += static_cast<size_t>(snprintf(text + used, sizeof(text) - used, "; and %u more", more));
  Stop(MakeStatus(Code::kDeadlineExceeded, "deadlock: %s%s", text,
                  live_ < size() ? "; the others have ended" : ""));
}

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
      if (group[0] == process && group[1] != process) place.readers = 1;
      continue;
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (group[i] != process) continue;
      place.index = i;
      place.sources = group;
      const bool broadcast = step.pattern == ExchangePattern::kBroadcast;
      place.num_sources = broadcast ? 1 : count;
      place.readers = broadcast && i != 0 ? 0 : count - 1;
      return place;
    }
  }
  return place;
}

Grid::Post* Grid::FindPost(uint32_t owner, uint64_t step, uint64_t time) const {
  for (Post* post = members_[owner].posts; post != nullptr; post = post->next) {
    if (post->step == step && post->time == time) return post;
  }
  return nullptr;
}

void Grid::RemovePost(uint32_t owner, Post* post) {
  Post** at = &members_[owner].posts;
  while (*at != post) at = &(*at)->next;
  *at = post->next;
  free(post->owned);
  free(post);
}

// With the mutex held, as are the next two, which let go of it while they copy.
Status Grid::AddPost(uint32_t process, const ExchangeStep& step, uint64_t time,
                     const HostArray* operands, uint32_t readers) {
  Post* post = static_cast<Post*>(calloc(1, sizeof(Post) + step.num_arrays * sizeof(HostArray)));
  if (post == nullptr) return NoMemory();
  post->step = step.step;
  post->time = time;
  post->readers_left = readers;
  post->num_arrays = step.num_arrays;
  for (uint32_t k = 0; k < step.num_arrays; ++k) post->arrays[k] = operands[k];
  post->next = members_[process].posts;
  members_[process].posts = post;
  for (uint32_t i = 0; i < size(); ++i) {
    Member& other = members_[i];
    if (other.wait == Member::Wait::kPost && other.source == process && other.step == step.step &&
        other.time == time)
      pthread_cond_signal(&other.changed);
  }
  return Status();
}

namespace {

// The bytes that a reader takes of one array of member `from`, and where they go.
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
  if (bytes != 0) memcpy(to, source, bytes);
}

}  // namespace

Status Grid::ReadPost(uint32_t process, uint32_t source, const ExchangeStep& step, uint64_t time,
                      const Place& place, uint32_t from, const HostArray* results) {
  Member& member = members_[process];
  member.wait = Member::Wait::kPost;
  member.label = step.label;
  member.source = source;
  member.step = step.step;
  member.time = time;
  HY_RETURN_IF_ERROR(WaitUntilReady(process));
  Post* post = FindPost(source, step.step, time);
  ++post->reading;
  pthread_mutex_unlock(&mutex_);
  for (uint32_t k = 0; k < step.num_arrays; ++k)
    CopyPart(step.pattern, place.index, from, post->arrays[k], results[k], place.num_sources);
  pthread_mutex_lock(&mutex_);
  --post->reading;
  --post->readers_left;
  if (post->reading != 0) return Status();
  // An owner that has gone on leaves the copy to its last reader.
  if (post->owned != nullptr && post->readers_left == 0) {
    RemovePost(source, post);
  } else {
    pthread_cond_signal(&members_[source].changed);
  }
  return Status();
}

// The operands' memory is the caller's again afterwards.
Status Grid::LeavePost(uint32_t process, const ExchangeStep& step, uint64_t time,
                       bool members_are_here) {
  Member& member = members_[process];
  Post* post = FindPost(process, step.step, time);
  Status status;
  if (members_are_here) {  // their readings end without anyone else
    member.wait = Member::Wait::kReaders;
    member.own = post;
    member.label = step.label;
    status = WaitUntilReady(process);
  } else if (post->readers_left != 0) {
    uint8_t* copy = CopyOf(post->arrays, post->num_arrays);
    if (copy == nullptr) status = NoMemory();
    if (copy != nullptr) {
      while (post->reading != 0) pthread_cond_wait(&member.changed, &mutex_);
      if (post->readers_left != 0) {
        post->owned = copy;
        for (uint32_t k = 0; k < post->num_arrays; ++k) {
          post->arrays[k].data = copy;
          copy += post->arrays[k].bytes;
        }
        return Status();
      }
      free(copy);
    }
  }
  while (post->reading != 0) pthread_cond_wait(&member.changed, &mutex_);
  RemovePost(process, post);
  return status;
}

Status Grid::Exchange(uint32_t process, const ExchangeStep& step, const HostArray* operands,
                      const HostArray* results) {
  const Place place = PlaceOf(process, step);
  const Lock lock(&mutex_);
  if (stopped_) return Aborted();
  const uint64_t time = members_[process].times[step.step]++;
  const bool posts = place.readers != 0;
  if (posts) HY_RETURN_IF_ERROR(AddPost(process, step, time, operands, place.readers));
  Status status;
  for (uint32_t i = 0; i < place.num_sources && status.ok(); ++i) {
    const uint32_t source = static_cast<uint32_t>(place.sources[i]);
    if (source != process) {
      status = ReadPost(process, source, step, time, place, i, results);
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
  if (posts) {
    // After a gather or an all-to-all, this process has read from all who read from it.
    const bool here =
        step.pattern == ExchangePattern::kGather || step.pattern == ExchangePattern::kAllToAll;
    Status left = LeavePost(process, step, time, here && status.ok());
    if (status.ok()) status = static_cast<Status&&>(left);
  }
  return status;
}

Grid::Channel* Grid::ChannelOf(int64_t id) {
  for (Channel* channel = channels_; channel != nullptr; channel = channel->next) {
    if (channel->id == id) return channel;
  }
  Channel* made = static_cast<Channel*>(calloc(1, sizeof(Channel)));
  if (made == nullptr) return nullptr;
  made->id = id;
  made->sender = made->receiver = -1;
  made->next = channels_;
  channels_ = made;
  return made;
}

// Each end of a channel is one process.
Status Grid::Claim(int64_t* end, uint32_t process, int64_t channel, const char* name) {
  if (*end < 0) *end = process;
  if (*end == process) return Status();
  const uint32_t other = static_cast<uint32_t>(*end);
  return MakeStatus(Code::kInvalidArgument, "process (%u, %u) is the %s of channel %lld",
                    other / partitions_, other % partitions_, name,
                    static_cast<long long>(channel));
}

Status Grid::Send(uint32_t process, int64_t id, const char* label, const HostArray* arrays,
                  uint32_t num_arrays) {
  Message* message =
      static_cast<Message*>(calloc(1, sizeof(Message) + num_arrays * sizeof(uint64_t)));
  uint8_t* copy = CopyOf(arrays, num_arrays);
  const Lock lock(&mutex_);
  Channel* channel = ChannelOf(id);
  Status status = stopped_ ? Aborted()
                  : message == nullptr || copy == nullptr || channel == nullptr
                      ? NoMemory()
                      : Claim(&channel->sender, process, id, "sender");
  if (!status.ok()) {
    free(message);
    free(copy);
    return MakeStatus(status.code(), "%s: %s", label, status.message());
  }
  message->copy = copy;
  message->num_arrays = num_arrays;
  for (uint32_t k = 0; k < num_arrays; ++k) message->bytes[k] = arrays[k].bytes;
  (channel->first == nullptr ? channel->first : channel->last->next) = message;
  channel->last = message;
  if (channel->receiver >= 0) pthread_cond_signal(&members_[channel->receiver].changed);
  return Status();
}

Status Grid::Receive(uint32_t process, int64_t id, const char* label, const HostArray* arrays,
                     uint32_t num_arrays) {
  Message* message = nullptr;
  {
    const Lock lock(&mutex_);
    Channel* channel = ChannelOf(id);
    if (channel == nullptr) return NoMemory();
    if (Status status = Claim(&channel->receiver, process, id, "receiver"); !status.ok())
      return MakeStatus(status.code(), "%s: %s", label, status.message());
    Member& member = members_[process];
    member.wait = Member::Wait::kMessage;
    member.label = label;
    member.channel = channel;
    HY_RETURN_IF_ERROR(WaitUntilReady(process));
    message = channel->first;
    channel->first = message->next;
  }
  Status status;
  bool fits = message->num_arrays == num_arrays;
  for (uint32_t k = 0; fits && k < num_arrays; ++k) fits = message->bytes[k] == arrays[k].bytes;
  if (!fits) {
    status =
        MakeStatus(Code::kInvalidArgument, "%s: what was sent on channel %lld has another shape",
                   label, static_cast<long long>(id));
  }
  const uint8_t* from = message->copy;
  for (uint32_t k = 0; fits && k < num_arrays; ++k) {
    if (arrays[k].bytes != 0) memcpy(arrays[k].data, from, arrays[k].bytes);
    from += arrays[k].bytes;
  }
  free(message->copy);
  free(message);
  return status;
}

}  // namespace halyard::runtime
