#include "runtime/c_api/processes/host_ports.h"

#include <string.h>
#include <time.h>

#include "runtime/host.h"

namespace halyard::runtime {
namespace {

constexpr uint64_t kArrayAlignment = 64;
constexpr long kCancelledNs = 20'000'000;  // how often whoever waits looks for a cancelled run

// Waits until something changes. Returns kAborted if the run is cancelled.
Status Wait(hy_host* host, const int32_t* cancel) {
  if (cancel == nullptr) {
    pthread_cond_wait(&host->changed, &host->mutex);
    return Status();
  }
  timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += kCancelledNs;
  if (until.tv_nsec >= 1'000'000'000) {
    ++until.tv_sec;
    until.tv_nsec -= 1'000'000'000;
  }
  (void)pthread_cond_timedwait(&host->changed, &host->mutex, &until);
  if (__atomic_load_n(cancel, __ATOMIC_RELAXED) == 0) return Status();
  return MakeStatus(Code::kAborted, "the run was cancelled");
}

}  // namespace

hy_item* NewItem(const char* shapes, const HostArray* arrays, int num_arrays) {
  const uint64_t shape_bytes = strlen(shapes) + 1;
  uint64_t bytes = sizeof(hy_item) + static_cast<uint64_t>(num_arrays) * sizeof(hy_array);
  const uint64_t shapes_at = bytes;
  bytes = (bytes + shape_bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
  const uint64_t arrays_at = bytes;
  for (int k = 0; k < num_arrays; ++k) {
    const uint64_t padded = (arrays[k].bytes + kArrayAlignment - 1) / kArrayAlignment;
    if (arrays[k].bytes > UINT64_MAX / 4 ||
        __builtin_add_overflow(bytes, padded * kArrayAlignment, &bytes))
      return nullptr;
  }
  auto* memory = static_cast<uint8_t*>(HeapAllocateAligned(kArrayAlignment, bytes));
  if (memory == nullptr) return nullptr;
  auto* item = reinterpret_cast<hy_item*>(memory);
  item->next = nullptr;
  item->shapes = static_cast<const char*>(memcpy(memory + shapes_at, shapes, shape_bytes));
  item->num_arrays = num_arrays;
  uint8_t* at = memory + arrays_at;
  for (int k = 0; k < num_arrays; ++k) {
    item->arrays[k] = {at, arrays[k].bytes};
    if (arrays[k].bytes != 0) memcpy(at, arrays[k].data, arrays[k].bytes);
    at += (arrays[k].bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
  }
  return item;
}

HostPort* FindPort(hy_host* host, int kind, int64_t channel) {
  for (HostPort* port = host->ports; port != nullptr; port = port->next) {
    if (port->kind == kind && port->channel == channel) return port;
  }
  HostPort* port = static_cast<HostPort*>(HeapAllocateZeroed(1, sizeof(HostPort)));
  if (port == nullptr) return nullptr;
  port->kind = kind;
  port->channel = channel;
  port->next = host->ports;
  host->ports = port;
  return port;
}

Status PushItem(hy_host* host, HostPort* port, hy_item* item, const int32_t* cancel) {
  while (!IsClosed(*host, *port) && host->capacity != 0 && port->count >= host->capacity) {
    HY_RETURN_IF_ERROR(Wait(host, cancel));
  }
  if (IsClosed(*host, *port)) return MakeStatus(Code::kFailedPrecondition, "the queue is closed");
  (port->first == nullptr ? port->first : port->last->next) = item;
  port->last = item;
  ++port->count;
  pthread_cond_broadcast(&host->changed);
  return Status();
}

Status PopItem(hy_host* host, HostPort* port, const int32_t* cancel, hy_item** item) {
  while (!IsClosed(*host, *port) && port->first == nullptr) {
    HY_RETURN_IF_ERROR(Wait(host, cancel));
  }
  if (port->first == nullptr) return MakeStatus(Code::kOutOfRange, "the queue is closed and empty");
  *item = port->first;
  port->first = port->first->next;
  (*item)->next = nullptr;
  --port->count;
  pthread_cond_broadcast(&host->changed);
  return Status();
}

}  // namespace halyard::runtime
