#include "runtime/c_api/processes/host_queues.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <new>

#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/processes/host_ports.h"
#include "runtime/host.h"

using halyard::runtime::Code;
using halyard::runtime::FindPort;
using halyard::runtime::GivesToProgram;
using halyard::runtime::HeapAllocate;
using halyard::runtime::HeapFree;
using halyard::runtime::HostArray;
using halyard::runtime::HostLock;
using halyard::runtime::HostPort;
using halyard::runtime::MakeStatus;
using halyard::runtime::NewItem;
using halyard::runtime::NoQueueMemory;
using halyard::runtime::PopItem;
using halyard::runtime::PushItem;
using halyard::runtime::Return;
using halyard::runtime::Status;

namespace {

const char* NameOf(int kind) {
  switch (kind) {
    case HY_INFEED:
      return "infeed";
    case HY_OUTFEED:
      return "outfeed";
    case HY_TO_PROGRAM:
      return "to the program";
    default:
      return "from the program";
  }
}

Status CheckPort(int kind, int64_t channel) {
  if (kind < HY_INFEED || kind > HY_FROM_PROGRAM)
    return MakeStatus(Code::kInvalidArgument, "there is no port %d", kind);
  if (channel != 0 && (kind == HY_INFEED || kind == HY_OUTFEED))
    return MakeStatus(Code::kInvalidArgument, "%s has channel 0 only", NameOf(kind));
  return Status();
}

// Elements must be values of their types (CheckElements of argument_checks.h). `shapes` are those
// of the program, "pred[2], s4[]".
Status CheckItemElements(const char* shapes, const HostArray* arrays, uint32_t num_arrays) {
  for (uint32_t k = 0; k < num_arrays; ++k) {
    char type[24] = {};
    const size_t length = strcspn(shapes, "[");
    if (length < sizeof(type)) memcpy(type, shapes, length);
    int value = 0;
    const int64_t wrong = halyard::runtime::FindWrongElement(
        type, arrays[k].data, static_cast<int64_t>(arrays[k].bytes), &value);
    if (wrong >= 0) {
      return MakeStatus(Code::kInvalidArgument,
                        "the host gives array %u with element %lld = %d, no value of %s", k,
                        static_cast<long long>(wrong), value, type);
    }
    const char* end = strstr(shapes, "], ");
    shapes = end == nullptr ? "" : end + 3;
  }
  return Status();
}

}  // namespace

namespace halyard::runtime {
namespace {

Status CallTransfer(const HostPort& port, const char* shapes, const HostArray* arrays,
                    uint32_t num_arrays) {
  static_assert(sizeof(HostArray) == sizeof(hy_array));
  char error[1024] = {};
  const int code = port.transfer(port.user, shapes, reinterpret_cast<const hy_array*>(arrays),
                                 static_cast<int>(num_arrays), error, sizeof(error));
  error[sizeof(error) - 1] = '\0';
  if (code != 0)
    return MakeStatus(Code::kInternal, "the host's function failed with %d: %s", code, error);
  return GivesToProgram(port.kind) ? CheckItemElements(shapes, arrays, num_arrays) : Status();
}

// Copies an item to where the program wants it.
Status Unpack(const hy_item& item, const char* shapes, const HostArray* arrays,
              uint32_t num_arrays) {
  bool fits = static_cast<uint32_t>(item.num_arrays) == num_arrays &&
              (item.shapes[0] == '\0' || strcmp(item.shapes, shapes) == 0);
  for (uint32_t k = 0; fits && k < num_arrays; ++k) fits = item.arrays[k].bytes == arrays[k].bytes;
  if (!fits) {
    char given[200];
    size_t used = static_cast<size_t>(snprintf(given, sizeof(given), "%s", item.shapes));
    for (int k = 0; item.shapes[0] == '\0' && k < item.num_arrays && used < 150; ++k) {
      used += static_cast<size_t>(snprintf(given + used, sizeof(given) - used, "%s%llu bytes",
                                           k == 0 ? "" : ", ",
                                           static_cast<unsigned long long>(item.arrays[k].bytes)));
    }
    return MakeStatus(Code::kInvalidArgument, "the host gives %s, the program takes %s",
                      item.num_arrays == 0 ? "nothing" : given, shapes);
  }
  for (uint32_t k = 0; k < num_arrays; ++k) {
    if (arrays[k].bytes != 0) memcpy(arrays[k].data, item.arrays[k].data, arrays[k].bytes);
  }
  return CheckItemElements(shapes, arrays, num_arrays);
}

Status Transfer(const HostsOfRun& run, uint32_t process, int kind, int64_t channel,
                const char* shapes, const HostArray* arrays, uint32_t num_arrays) {
  hy_host* host = run.hosts == nullptr ? nullptr : run.hosts[process];
  const bool gives = GivesToProgram(kind);
  if (host == nullptr) {
    return gives ? MakeStatus(Code::kFailedPrecondition, "the run has no host that gives it")
                 : Status();
  }
  hy_item* item = nullptr;
  HostPort callback = {};
  {
    const HostLock lock(&host->mutex);
    HostPort* port = FindPort(host, kind, channel);
    if (port == nullptr) return NoQueueMemory();
    callback = *port;
    if (callback.transfer == nullptr && gives)
      HY_RETURN_IF_ERROR(PopItem(host, port, run.cancel, &item));
  }
  if (callback.transfer != nullptr) return CallTransfer(callback, shapes, arrays, num_arrays);
  if (gives) {
    Status status = Unpack(*item, shapes, arrays, num_arrays);
    HeapFree(item);
    return status;
  }
  item = NewItem(shapes, arrays, static_cast<int>(num_arrays));
  if (item == nullptr) return NoQueueMemory();
  const HostLock lock(&host->mutex);
  Status status = PushItem(host, FindPort(host, kind, channel), item, run.cancel);
  if (!status.ok()) HeapFree(item);
  return status;
}

const HostsOfRun& RunOf(void* user) { return *static_cast<const HostsOfRun*>(user); }

}  // namespace

Status HostsOfRun::Begin() {
  for (uint32_t i = 0; hosts != nullptr && i < num_hosts; ++i) {
    if (hosts[i] == nullptr) continue;
    bool was_used = false;
    {
      const HostLock lock(&hosts[i]->mutex);
      was_used = hosts[i]->used;
      hosts[i]->used = true;
    }
    if (!was_used) continue;
    for (uint32_t k = 0; k < i; ++k) {
      if (hosts[k] == nullptr) continue;
      const HostLock lock(&hosts[k]->mutex);
      hosts[k]->used = false;
    }
    return MakeStatus(Code::kFailedPrecondition,
                      "host %u has served another run or another process: make one for each", i);
  }
  return Status();
}

void HostsOfRun::CloseAll() {
  for (uint32_t i = 0; hosts != nullptr && i < num_hosts; ++i) {
    if (hosts[i] == nullptr) continue;
    const HostLock lock(&hosts[i]->mutex);
    hosts[i]->closed = true;
    pthread_cond_broadcast(&hosts[i]->changed);
  }
}

GridHost HostsOfRun::ForGrid() {
  GridHost grid;
  grid.user = this;
  grid.infeed = [](void* user, uint32_t process, const char* shapes, const HostArray* arrays,
                   uint32_t count) {
    return Transfer(RunOf(user), process, HY_INFEED, 0, shapes, arrays, count);
  };
  grid.outfeed = [](void* user, uint32_t process, const char* shapes, const HostArray* arrays,
                    uint32_t count) {
    return Transfer(RunOf(user), process, HY_OUTFEED, 0, shapes, arrays, count);
  };
  grid.send = [](void* user, uint32_t process, int64_t channel, const char* shapes,
                 const HostArray* arrays, uint32_t count) {
    return Transfer(RunOf(user), process, HY_FROM_PROGRAM, channel, shapes, arrays, count);
  };
  grid.receive = [](void* user, uint32_t process, int64_t channel, const char* shapes,
                    const HostArray* arrays, uint32_t count) {
    return Transfer(RunOf(user), process, HY_TO_PROGRAM, channel, shapes, arrays, count);
  };
  return grid;
}

}  // namespace halyard::runtime

extern "C" {

hy_status hy_host_new(int capacity, hy_host** host) {
  HY_NEEDS(host);
  if (capacity < 0) return Return(MakeStatus(Code::kInvalidArgument, "a negative capacity"));
  void* memory = HeapAllocate(sizeof(hy_host));
  if (memory == nullptr) return Return(NoQueueMemory());
  hy_host* made = new (memory) hy_host;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&made->changed, &clock);
  pthread_condattr_destroy(&clock);
  made->capacity = capacity;
  *host = made;
  return nullptr;
}

void hy_host_free(hy_host* host) {
  if (host == nullptr) return;
  while (host->ports != nullptr) {
    HostPort* port = host->ports;
    host->ports = port->next;
    while (port->first != nullptr) {
      hy_item* item = port->first;
      port->first = item->next;
      HeapFree(item);
    }
    HeapFree(port);
  }
  pthread_cond_destroy(&host->changed);
  pthread_mutex_destroy(&host->mutex);
  host->~hy_host();
  HeapFree(host);
}

hy_status hy_host_push(hy_host* host, int port, int64_t channel, const char* shapes,
                       const hy_array* arrays, int num_arrays) {
  HY_NEEDS(host);
  if (num_arrays != 0) HY_NEEDS(arrays);
  Status status = CheckPort(port, channel);
  if (status.ok() && (num_arrays < 0 || !GivesToProgram(port)))
    status = MakeStatus(Code::kInvalidArgument, num_arrays < 0 ? "a negative number of arrays"
                                                               : "the host only takes there");
  for (int k = 0; status.ok() && k < num_arrays; ++k) {
    if (arrays[k].bytes != 0 && arrays[k].data == nullptr)
      status = MakeStatus(Code::kInvalidArgument, "array %d is NULL", k);
  }
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  hy_item* item = NewItem(shapes == nullptr ? "" : shapes,
                          reinterpret_cast<const HostArray*>(arrays), num_arrays);
  if (item == nullptr) return Return(NoQueueMemory());
  {
    const HostLock lock(&host->mutex);
    HostPort* to = FindPort(host, port, channel);
    status = to == nullptr ? NoQueueMemory() : PushItem(host, to, item, nullptr);
  }
  if (!status.ok()) HeapFree(item);
  return Return(static_cast<Status&&>(status));
}

hy_status hy_host_pop(hy_host* host, int port, int64_t channel, hy_item** item) {
  HY_NEEDS(host);
  HY_NEEDS(item);
  Status status = CheckPort(port, channel);
  if (status.ok() && GivesToProgram(port))
    status = MakeStatus(Code::kInvalidArgument, "the host only gives there");
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  const HostLock lock(&host->mutex);
  HostPort* from = FindPort(host, port, channel);
  if (from == nullptr) return Return(NoQueueMemory());
  return Return(PopItem(host, from, nullptr, item));
}

hy_status hy_host_close_port(hy_host* host, int port, int64_t channel) {
  HY_NEEDS(host);
  Status status = CheckPort(port, channel);
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  const HostLock lock(&host->mutex);
  HostPort* closed = FindPort(host, port, channel);
  if (closed == nullptr) return Return(NoQueueMemory());
  closed->closed = true;
  pthread_cond_broadcast(&host->changed);
  return nullptr;
}

hy_status hy_host_set_transfer(hy_host* host, int port, int64_t channel, hy_transfer transfer,
                               void* user) {
  HY_NEEDS(host);
  HY_NEEDS(transfer);
  Status status = CheckPort(port, channel);
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  const HostLock lock(&host->mutex);
  if (host->used)
    return Return(MakeStatus(Code::kFailedPrecondition, "a run has this host already"));
  HostPort* called = FindPort(host, port, channel);
  if (called == nullptr) return Return(NoQueueMemory());
  if (called->first != nullptr)
    return Return(MakeStatus(Code::kFailedPrecondition, "the port's queue has items already"));
  called->transfer = transfer;
  called->user = user;
  return nullptr;
}

const char* hy_item_shapes(const hy_item* item) { return item == nullptr ? "" : item->shapes; }

int hy_item_num_arrays(const hy_item* item) { return item == nullptr ? 0 : item->num_arrays; }

hy_array hy_item_array(const hy_item* item, int index) {
  if (item == nullptr || index < 0 || index >= item->num_arrays) return {nullptr, 0};
  return item->arrays[index];
}

void hy_item_free(hy_item* item) { HeapFree(item); }

}  // extern "C"
