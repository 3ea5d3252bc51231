#include "runtime/execute/device_exchange.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "runtime/hash.h"
#include "runtime/host.h"
#include "runtime/program/verify_communication.h"
#include "runtime/spin.h"

namespace halyard::runtime {

// The processes that meet in an exchange, in the order of their numbers in the link. For pairs,
// these are all sources and targets of others.
struct DeviceExchange::Group {
  Group* next;
  DeviceLink* link;   // null if the members do not have a device each
  bool is_connected;  // whether it is known if they have
  uint32_t index;     // of this process
  int64_t size;       // and then the members: as ExchangeStep::groups
  int64_t members[];
};

struct DeviceExchange::Call {
  Device* device;
  Grid* grid;
  uint32_t process;
  const ExchangeStep& step;
  const DeviceArray* operands;
  const DeviceArray* results;
  uint32_t stream;
};

namespace {

Status NoMemoryToExchange() {
  return MakeStatus(Code::kResourceExhausted, "no memory for what devices exchange");
}

// Zeroed memory of the heap (runtime/host.h).
struct Bytes {
  explicit Bytes(uint64_t size) : data(static_cast<uint8_t*>(HeapAllocateZeroed(1, size + 1))) {}
  ~Bytes() { HeapFree(data); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  uint8_t* data;
};

// Writes the processes with which `process` meets in the step, of which there are at most
// kMaxProcesses. Returns their number, 0 if it does not take part.
int64_t MembersOf(const ExchangeStep& step, int64_t process, int64_t* members) {
  const int64_t* at = step.groups + step.num_groups;
  if (step.pattern != ExchangePattern::kPermute) {
    for (uint32_t g = 0; g < step.num_groups; ++g) {
      const int64_t size = step.groups[g];
      for (int64_t i = 0; i < size; ++i) {
        if (at[i] != process) continue;
        memcpy(members, at, static_cast<size_t>(size) * sizeof(int64_t));
        return size;
      }
      at += size;
    }
    return 0;
  }
  // Whoever gives itself something needs nobody else.
  bool is_member[kMaxProcesses] = {};
  for (uint32_t g = 0; g < step.num_groups; ++g, at += 2) {
    if (at[0] != at[1]) is_member[at[0]] = is_member[at[1]] = true;
    if (at[0] == process && at[1] == process) {
      members[0] = process;
      return 1;
    }
  }
  int64_t size = 0;
  for (int64_t p = 0; p < static_cast<int64_t>(kMaxProcesses); ++p) {
    if (is_member[p]) members[size++] = p;
  }
  return is_member[process] ? size : 0;
}

uint64_t AddressOf(const DeviceArray& array) { return array.block->device_address + array.offset; }

// What a process says of its device when the members of an exchange first meet.
struct Identity {
  DeviceId device;
  uint64_t alone;  // 1 if no other process of the run is on the device, as far as is known
};

// Communicators of one device that are used at the same time would have to be so in the same order
// everywhere, which processes that share a device do not keep.
bool IsAlone(const Grid& grid, uint32_t process) {
  const Device* device = grid.place(process).device;
  for (uint32_t p = 0; device != nullptr && p < grid.size(); ++p) {
    if (p != process && grid.place(p).device == device) return false;
  }
  return true;
}

Status CheckGrid(void* grid) { return static_cast<Grid*>(grid)->CheckRunning(); }

// The moves of one process.
class Moves {
 public:
  explicit Moves(uint64_t most) : moves_(most * sizeof(DeviceMove)) {}
  bool ok() const { return moves_.data != nullptr; }
  void Add(DeviceMove::Kind kind, uint32_t peer, uint64_t from, uint64_t to, uint64_t bytes) {
    if (bytes != 0) data()[count_++] = {kind, peer, from, to, bytes};
  }
  const DeviceMove* data() const { return reinterpret_cast<const DeviceMove*>(moves_.data); }
  DeviceMove* data() { return reinterpret_cast<DeviceMove*>(moves_.data); }
  uint32_t count() const { return count_; }

 private:
  Bytes moves_;
  uint32_t count_ = 0;
};

// What this process, number `index` of `size` members, does with one array.
void AddMoves(const ExchangeStep& step, uint32_t index, uint32_t size, const DeviceArray& operand,
              const DeviceArray& result, Moves* moves) {
  using Kind = DeviceMove::Kind;
  const uint64_t from = AddressOf(operand), to = AddressOf(result), bytes = operand.bytes;
  if (step.pattern == ExchangePattern::kAllToAll) {
    const uint64_t block = bytes / size;
    for (uint32_t i = 0; i < size; ++i) {
      if (i == index) {
        moves->Add(Kind::kCopy, 0, from + i * block, to + i * block, block);
        continue;
      }
      moves->Add(Kind::kSend, i, from + i * block, 0, block);
      moves->Add(Kind::kReceive, i, 0, to + i * block, block);
    }
    return;
  }
  if (step.pattern == ExchangePattern::kGather) {
    moves->Add(size == 1 ? Kind::kCopy : Kind::kGather, 0, from, to, bytes);
    moves->Add(Kind::kZero, 0, 0, to + size * bytes, result.bytes - size * bytes);
    return;
  }
  moves->Add(size == 1 ? Kind::kCopy : Kind::kBroadcast, 0, from, to, bytes);
}

// The numbers of the members that give to and take from a process, or -1.
struct Pairs {
  int64_t source = -1, target = -1;
};

Pairs PairsOf(const ExchangeStep& step, int64_t process, const int64_t* members, int64_t size) {
  Pairs pairs;
  const auto number = [&](int64_t member) {
    int64_t i = 0;
    while (i < size && members[i] != member) ++i;
    return i;
  };
  const int64_t* pair = step.groups + step.num_groups;
  for (uint32_t g = 0; g < step.num_groups; ++g, pair += 2) {
    if (pair[0] == process) pairs.target = number(pair[1]);
    if (pair[1] == process) pairs.source = number(pair[0]);
  }
  return pairs;
}

void AddPairMoves(const Pairs& pairs, uint32_t index, const DeviceArray& operand,
                  const DeviceArray& result, Moves* moves) {
  using Kind = DeviceMove::Kind;
  const uint64_t from = AddressOf(operand), to = AddressOf(result), bytes = operand.bytes;
  if (pairs.source == index) return moves->Add(Kind::kCopy, 0, from, to, bytes);
  if (pairs.target >= 0)
    moves->Add(Kind::kSend, static_cast<uint32_t>(pairs.target), from, 0, bytes);
  if (pairs.source >= 0) {
    moves->Add(Kind::kReceive, static_cast<uint32_t>(pairs.source), 0, to, bytes);
  } else {
    moves->Add(Kind::kZero, 0, 0, to, bytes);
  }
}

}  // namespace

// Finds the group of an exchange, which the members of this run make when they first meet.
Status DeviceExchange::GroupOf(const Call& call, Group** group) {
  *group = nullptr;
  int64_t members[kMaxProcesses];
  const int64_t size = MembersOf(call.step, call.process, members);
  if (size == 0) return Status();
  const size_t bytes = static_cast<size_t>(size) * sizeof(int64_t);
  for (Group* known = groups_; known != nullptr; known = known->next) {
    if (known->size != size || memcmp(known->members, members, bytes) != 0) continue;
    *group = known;
    return Status();
  }
  Group* made = static_cast<Group*>(HeapAllocateZeroed(1, sizeof(Group) + bytes));
  if (made == nullptr) return NoMemoryToExchange();
  made->size = size;
  memcpy(made->members, members, bytes);
  while (members[made->index] != call.process) ++made->index;
  made->next = groups_;
  groups_ = made;
  *group = made;
  return Status();
}

// Exchanges a few bytes between all members through the Grid. Waits for all of them if it is a
// gather.
Status DeviceExchange::Meet(const Call& call, const Group& group, ExchangePattern pattern,
                            const void* own, uint64_t own_bytes, void* all, uint64_t all_bytes) {
  ExchangeStep step = call.step;
  step.pattern = pattern;
  step.groups = &group.size;
  step.num_groups = 1;
  step.num_arrays = own == nullptr ? 0 : 1;
  const HostArray operand = {const_cast<void*>(own), own_bytes}, result = {all, all_bytes};
  return call.grid->Exchange(call.process, step, &operand, &result);
}

// Finds out whether the members have a device each, which no other process uses, and links these.
Status DeviceExchange::Connect(const Call& call, Group* group) {
  group->is_connected = true;
  if (group->size == 1) return Status();
  const uint64_t size = static_cast<uint64_t>(group->size);
  Identity own = {};
  HY_RETURN_IF_ERROR(links_->Identify(&own.device));
  own.alone = IsAlone(*call.grid, call.process) ? 1 : 0;
  Bytes all(size * sizeof(own)), devices(size * sizeof(DeviceId));
  if (all.data == nullptr || devices.data == nullptr) return NoMemoryToExchange();
  HY_RETURN_IF_ERROR(Meet(call, *group, ExchangePattern::kGather, &own, sizeof(own), all.data,
                          size * sizeof(own)));
  const auto* members = reinterpret_cast<const Identity*>(all.data);
  auto* ids = reinterpret_cast<DeviceId*>(devices.data);
  for (uint64_t i = 0; i < size; ++i) {
    if (members[i].alone == 0) return Status();
    ids[i] = members[i].device;
    for (uint64_t j = 0; j < i; ++j) {
      if (memcmp(&ids[i], &ids[j], sizeof(DeviceId)) == 0) return Status();
    }
  }
  return ConnectByNames(call, group, ids);
}

// If all members hold the same link from an earlier run, they use it. Otherwise they make one, and
// those that hold another, which somebody has lost, give it up.
Status DeviceExchange::ConnectByNames(const Call& call, Group* group, const DeviceId* ids) {
  const uint64_t size = static_cast<uint64_t>(group->size);
  const uint64_t key = Hash64(ids, size * sizeof(DeviceId)) + group->index;
  group->link = links_->Take(key);
  const uint64_t held = group->link == nullptr ? 0 : group->link->serial;
  Bytes all(size * sizeof(held));
  if (all.data == nullptr) return NoMemoryToExchange();
  HY_RETURN_IF_ERROR(Meet(call, *group, ExchangePattern::kGather, &held, sizeof(held), all.data,
                          size * sizeof(held)));
  bool same = held != 0;
  for (uint64_t i = 0; i < size; ++i)
    same = same && memcmp(all.data + i * sizeof(held), &held, sizeof(held)) == 0;
  if (same) return Status();
  if (group->link != nullptr) links_->Abort(group->link);
  group->link = nullptr;
  DeviceGroupId own = {}, id = {};
  if (group->index == 0) HY_RETURN_IF_ERROR(links_->NewGroup(&own));
  HY_RETURN_IF_ERROR(
      Meet(call, *group, ExchangePattern::kBroadcast, &own, sizeof(own), &id, sizeof(id)));
  const DeviceWatch watch = {call.grid, CheckGrid, call.grid->timeout_ns()};
  return links_->Join(id, group->index, static_cast<uint32_t>(size), key, watch, &group->link);
}

Status DeviceExchange::ByLinks(const Call& call, Group* group, Event* last) {
  const ExchangeStep& step = call.step;
  const uint32_t size = static_cast<uint32_t>(group->size);
  Moves moves(uint64_t{step.num_arrays} * (2 * uint64_t{size} + 1));
  if (!moves.ok()) return NoMemoryToExchange();
  const bool permute = step.pattern == ExchangePattern::kPermute;
  const Pairs pairs = permute ? PairsOf(step, call.process, group->members, group->size) : Pairs();
  for (uint32_t k = 0; k < step.num_arrays; ++k) {
    if (permute) {
      AddPairMoves(pairs, group->index, call.operands[k], call.results[k], &moves);
    } else {
      AddMoves(step, group->index, size, call.operands[k], call.results[k], &moves);
    }
  }
  if (moves.count() == 0) return Status();
  const DeviceWatch watch = {call.grid, CheckGrid, call.grid->timeout_ns()};
  return links_->Exchange(group->link, moves.data(), moves.count(), call.stream, watch, last);
}

// Through host memory, as for devices without links.
Status DeviceExchange::Staged(const Call& call, Event* last) {
  const uint32_t count = 2 * call.step.num_arrays;
  uint64_t bytes = 0;
  for (uint32_t k = 0; k < count; ++k) bytes += call.operands[k].bytes;
  Bytes memory(bytes), list(count * sizeof(HostArray));
  if (memory.data == nullptr || list.data == nullptr) return NoMemoryToExchange();
  Status status = StagedIn(call, memory.data, reinterpret_cast<HostArray*>(list.data), last);
  if (!status.ok()) {  // copies that are under way must not outlive the memory
    End(/*failed=*/true);
    (void)call.device->Wait(*last).ok();
  }
  return status;
}

Status DeviceExchange::StagedIn(const Call& call, uint8_t* memory, HostArray* arrays, Event* last) {
  const uint32_t count = 2 * call.step.num_arrays;
  for (uint32_t k = 0; k < count; ++k) {
    const DeviceArray& array = call.operands[k];
    arrays[k] = {memory, array.bytes};
    memory += array.bytes;
    if (k >= call.step.num_arrays || array.bytes == 0) continue;
    HY_RETURN_IF_ERROR(call.device->Download(*array.block, array.offset, array.bytes,
                                             arrays[k].data, call.stream, last));
  }
  HY_RETURN_IF_ERROR(Wait(call.device, call.grid, *last));
  HY_RETURN_IF_ERROR(
      call.grid->Exchange(call.process, call.step, arrays, arrays + call.step.num_arrays));
  for (uint32_t k = call.step.num_arrays; k < count; ++k) {
    const DeviceArray& array = call.operands[k];
    if (array.bytes == 0) continue;
    HY_RETURN_IF_ERROR(call.device->Upload(arrays[k].data, *array.block, array.offset, array.bytes,
                                           call.stream, last));
  }
  return Wait(call.device, call.grid, *last);
}

Status DeviceExchange::Exchange(Device* device, Grid* grid, uint32_t process,
                                const ExchangeStep& step, const DeviceArray* arrays,
                                uint32_t stream, Event* last) {
  links_ = device->links();
  const Call call = {device, grid, process, step, arrays, arrays + step.num_arrays, stream};
  Group* group = nullptr;
  if (links_ != nullptr) HY_RETURN_IF_ERROR(GroupOf(call, &group));
  Status status;
  if (group != nullptr && !group->is_connected) status = Connect(call, group);
  if (status.ok() && (group == nullptr || (group->link == nullptr && group->size > 1))) {
    status = Staged(call, last);
  } else if (status.ok()) {
    if (group->size > 1)
      status = Meet(call, *group, ExchangePattern::kGather, nullptr, 0, nullptr, 0);
    if (status.ok()) status = ByLinks(call, group, last);
  }
  const size_t label = strlen(step.label);
  if (status.ok() || status.code() == Code::kAborted ||
      strncmp(status.message(), step.label, label) == 0)
    return status;
  return MakeStatus(status.code(), "%s: %s", step.label, status.message());
}

Status DeviceExchange::Wait(Device* device, Grid* grid, Event event) {
  const auto is_done = [&] { return device->IsDone(event); };
  bool any = false;
  for (const Group* group = groups_; group != nullptr; group = group->next)
    any = any || group->link != nullptr;
  if (!any || SpinUntil(is_done)) return device->Wait(event);
  while (!is_done()) {
    Status status = grid->CheckRunning();
    for (const Group* group = groups_; group != nullptr && status.ok(); group = group->next) {
      if (group->link != nullptr) status = links_->Check(group->link);
    }
    if (!status.ok()) {
      End(/*failed=*/true);
      (void)device->Wait(event).ok();  // nothing on the stream waits for other devices any longer
      return status;
    }
    usleep(50);
  }
  return device->Wait(event);
}

void DeviceExchange::End(bool failed) {
  while (groups_ != nullptr) {
    Group* group = groups_;
    groups_ = group->next;
    if (group->link != nullptr && failed) links_->Abort(group->link);
    if (group->link != nullptr && !failed) links_->Keep(group->link);
    HeapFree(group);
  }
}

}  // namespace halyard::runtime
