// Messages from process to process.
#include "runtime/collectives/grid_state.h"
#include "runtime/copy.h"
#include "runtime/host.h"

namespace halyard::runtime {

Grid::Channel* Grid::ChannelOf(int64_t id) {
  for (Channel* channel = channels_; channel != nullptr; channel = channel->next) {
    if (channel->id == id) return channel;
  }
  Channel* made = static_cast<Channel*>(HeapAllocateZeroed(1, sizeof(Channel)));
  if (made == nullptr) return nullptr;
  made->id = id;
  made->sender = made->receiver = -1;
  made->next = channels_;
  channels_ = made;
  return made;
}

// Makes `process` the sender or receiver of the channel, which only one process can be.
Status Grid::Claim(int64_t* end, uint32_t process, int64_t channel, const char* name) {
  if (*end < 0) *end = process;
  if (*end == process) return Status();
  const uint32_t other = static_cast<uint32_t>(*end);
  return MakeStatus(Code::kInvalidArgument, "process (%u, %u) is the %s of channel %lld",
                    other / partitions_, other % partitions_, name,
                    static_cast<long long>(channel));
}

// AddMessage and FlushTo need the mutex. AddMessage takes over `owned`, which holds `data`, if it
// succeeds.
Status Grid::AddMessage(Channel* channel, const HostArray* arrays, uint32_t num_arrays,
                        uint8_t* data, const GridOwned& owned) {
  Message* message =
      static_cast<Message*>(HeapAllocateZeroed(1, sizeof(Message) + num_arrays * sizeof(uint64_t)));
  if (message == nullptr) return NoExchangeMemory();
  message->data = data;
  message->owned = owned;
  message->num_arrays = num_arrays;
  for (uint32_t k = 0; k < num_arrays; ++k) message->bytes[k] = arrays[k].bytes;
  (channel->first == nullptr ? channel->first : channel->last->next) = message;
  channel->last = message;
  if (channel->receiver >= 0) WakeUp(&members_[channel->receiver]);
  return Status();
}

// Sends what was kept until the receiver, which is on another rank, became known.
Status Grid::FlushTo(Channel* channel) {
  uint32_t* readers =
      static_cast<uint32_t*>(HeapAllocateZeroed(remote_.num_ranks, sizeof(uint32_t)));
  if (readers == nullptr) return NoExchangeMemory();
  readers[RankOf(static_cast<uint32_t>(channel->receiver))] = 1;
  Status status;
  while (status.ok() && channel->first != nullptr) {
    Message* message = channel->first;
    channel->first = message->next;
    HostArray* arrays =
        static_cast<HostArray*>(HeapAllocateZeroed(message->num_arrays + 1, sizeof(HostArray)));
    uint8_t* at = message->data;
    for (uint32_t k = 0; arrays != nullptr && k < message->num_arrays; ++k) {
      arrays[k] = {at, message->bytes[k]};
      at += message->bytes[k];
    }
    ++sent_;
    status = arrays == nullptr
                 ? NoExchangeMemory()
                 : remote_.send(remote_.user,
                                {GridParcel::Kind::kMessage, static_cast<uint32_t>(channel->sender),
                                 message->num_arrays, channel->id, 0, -1, 0, 0},
                                arrays, readers);
    HeapFree(arrays);
    Release(message->owned);
    HeapFree(message);
  }
  HeapFree(readers);
  return status;
}

Status Grid::Send(uint32_t process, int64_t id, const char* label, const HostArray* arrays,
                  uint32_t num_arrays) {
  uint8_t* copy = CopyOf(arrays, num_arrays);
  const GridLock lock(&mutex_);
  Channel* channel = ChannelOf(id);
  Status status = stopped_ ? Aborted()
                  : copy == nullptr || channel == nullptr
                      ? NoExchangeMemory()
                      : Claim(&channel->sender, process, id, "sender");
  if (status.ok()) status = AddMessage(channel, arrays, num_arrays, copy, {copy, HeapFree});
  if (!status.ok()) {
    HeapFree(copy);
    return MakeStatus(status.code(), "%s: %s", label, status.message());
  }
  if (channel->receiver >= 0 && !IsHere(static_cast<uint32_t>(channel->receiver)))
    return FlushTo(channel);
  return Status();
}

// Needs the mutex. Clears `*owned` if it takes the memory over.
Status Grid::DeliverLocked(const GridParcel& parcel, const HostArray* arrays, GridOwned* owned) {
  if (parcel.process >= size() || IsHere(parcel.process) || parcel.step > num_steps_ ||
      parcel.only_reader >= static_cast<int64_t>(size())) {
    return MakeStatus(Code::kInternal, "another rank sends what no process of it can send");
  }
  if (parcel.kind == GridParcel::Kind::kPost) {
    HY_RETURN_IF_ERROR(AddPost(parcel, arrays, *owned));
    *owned = {};
    return Status();
  }
  Channel* channel = ChannelOf(parcel.channel);
  if (channel == nullptr) return NoExchangeMemory();
  if (parcel.kind == GridParcel::Kind::kReceiver) {
    HY_RETURN_IF_ERROR(Claim(&channel->receiver, parcel.process, parcel.channel, "receiver"));
    return FlushTo(channel);
  }
  HY_RETURN_IF_ERROR(Claim(&channel->sender, parcel.process, parcel.channel, "sender"));
  auto* data = parcel.num_arrays == 0 ? nullptr : static_cast<uint8_t*>(arrays[0].data);
  HY_RETURN_IF_ERROR(AddMessage(channel, arrays, parcel.num_arrays, data, *owned));
  *owned = {};
  return Status();
}

void Grid::Deliver(const GridParcel& parcel, const HostArray* arrays, const GridOwned& given) {
  GridOwned owned = given;
  {
    const GridLock lock(&mutex_);
    ++received_;
    Status status = stopped_ ? Status() : DeliverLocked(parcel, arrays, &owned);
    if (!status.ok()) {
      Stop(MakeStatus(status.code(), "process (%u, %u): %s", parcel.process / partitions_,
                      parcel.process % partitions_, status.message()),
           true);
    }
  }
  Release(owned);
}

// Needs the mutex. Tells all other ranks who receives.
Status Grid::TellReceiver(const Channel& channel) {
  uint32_t* readers =
      static_cast<uint32_t*>(HeapAllocateZeroed(remote_.num_ranks, sizeof(uint32_t)));
  if (readers == nullptr) return NoExchangeMemory();
  for (uint32_t rank = 0; rank < remote_.num_ranks; ++rank) readers[rank] = rank != remote_.rank;
  sent_ += remote_.num_ranks - 1;
  Status status =
      remote_.send(remote_.user,
                   {GridParcel::Kind::kReceiver, static_cast<uint32_t>(channel.receiver), 0,
                    channel.id, 0, -1, 0, 0},
                   nullptr, readers);
  HeapFree(readers);
  return status;
}

Status Grid::Receive(uint32_t process, int64_t id, const char* label, const HostArray* arrays,
                     uint32_t num_arrays) {
  Message* message = nullptr;
  {
    const GridLock lock(&mutex_);
    Channel* channel = ChannelOf(id);
    if (channel == nullptr) return NoExchangeMemory();
    const bool is_new = channel->receiver < 0;
    Status status = Claim(&channel->receiver, process, id, "receiver");
    if (status.ok() && is_new && remote_.num_ranks > 1) status = TellReceiver(*channel);
    if (!status.ok()) return MakeStatus(status.code(), "%s: %s", label, status.message());
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
  const uint8_t* from = message->data;
  for (uint32_t k = 0; fits && k < num_arrays; ++k) {
    CopyArray(arrays[k].data, from, arrays[k].bytes);
    from += arrays[k].bytes;
  }
  Release(message->owned);
  HeapFree(message);
  return status;
}

}  // namespace halyard::runtime
