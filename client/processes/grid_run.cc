#include "client/processes/grid_run.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo_text/cursor.h"
#include "frontend/hlo_text/read_shape.h"
#include "runtime/absl_status.h"

namespace halyard {
namespace {

using hlo::Literal;
using hlo::Shape;
using runtime::HostArray;

struct Hosts {
  absl::Span<ProcessHost* const> processes;
};

// Parses shapes as the plan writes them (communication_step.cc). Returns none if it cannot.
std::vector<Shape> ParseShapes(absl::string_view text) {
  hlo_text::Cursor cursor(text, "");
  std::vector<Shape> shapes;
  while (!cursor.AtEnd()) {
    if (!shapes.empty() && !cursor.Expect(',')) return {};
    if (!hlo_text::ReadShape(cursor, &shapes.emplace_back())) return {};
  }
  return shapes;
}

absl::Status Give(HostQueue& queue, absl::string_view text, const HostArray* arrays,
                  uint32_t num_arrays) {
  absl::StatusOr<std::vector<Literal>> item = queue.Pop();
  if (!item.ok()) return item.status();
  const std::vector<Shape> shapes = ParseShapes(text);
  bool fits = item->size() == num_arrays && shapes.size() == num_arrays;
  for (uint32_t i = 0; fits && i < num_arrays; ++i) {
    fits = Shape::SameIgnoringLayout((*item)[i].shape(), shapes[i]) &&
           (*item)[i].bytes().size() == arrays[i].bytes;
  }
  if (!fits) {
    const std::string given =
        absl::StrJoin(*item, ", ", [](std::string* out, const Literal& literal) {
          absl::StrAppend(out, literal.shape().ToString());
        });
    return absl::InvalidArgumentError(
        absl::StrCat("the host gives ", given, ", the program takes ", text));
  }
  for (uint32_t i = 0; i < num_arrays; ++i) {
    if (arrays[i].bytes != 0)
      std::memcpy(arrays[i].data, (*item)[i].bytes().data(), arrays[i].bytes);
  }
  return absl::OkStatus();
}

absl::Status Take(HostQueue& queue, absl::string_view text, const HostArray* arrays,
                  uint32_t num_arrays) {
  const std::vector<Shape> shapes = ParseShapes(text);
  if (shapes.size() != num_arrays)
    return absl::InternalError(absl::StrCat("the program gives ", text));
  std::vector<Literal> item;
  for (uint32_t i = 0; i < num_arrays; ++i) {
    Literal& literal = item.emplace_back(shapes[i]);
    if (literal.bytes().size() != arrays[i].bytes)
      return absl::InternalError(absl::StrCat("the program gives ", text));
    if (arrays[i].bytes != 0)
      std::memcpy(literal.mutable_bytes().data(), arrays[i].data, arrays[i].bytes);
  }
  return queue.Push(std::move(item));
}

runtime::GridHost HostOf(Hosts* hosts) {
  runtime::GridHost host;
  if (hosts->processes.empty()) return host;
  host.user = hosts;
  using runtime::Status;
  host.infeed = [](void* user, uint32_t process, const char* shapes, const HostArray* arrays,
                   uint32_t count) -> Status {
    return ToRuntime(
        Give(static_cast<Hosts*>(user)->processes[process]->infeed, shapes, arrays, count));
  };
  host.outfeed = [](void* user, uint32_t process, const char* shapes, const HostArray* arrays,
                    uint32_t count) -> Status {
    return ToRuntime(
        Take(static_cast<Hosts*>(user)->processes[process]->outfeed, shapes, arrays, count));
  };
  host.send = [](void* user, uint32_t process, int64_t channel, const char* shapes,
                 const HostArray* arrays, uint32_t count) -> Status {
    return ToRuntime(Take(static_cast<Hosts*>(user)->processes[process]->to_host(channel), shapes,
                          arrays, count));
  };
  host.receive = [](void* user, uint32_t process, int64_t channel, const char* shapes,
                    const HostArray* arrays, uint32_t count) -> Status {
    return ToRuntime(Give(static_cast<Hosts*>(user)->processes[process]->to_device(channel), shapes,
                          arrays, count));
  };
  return host;
}

}  // namespace

namespace {

// Runs the processes from `first` up to `end`, each in its own thread. Calls `close_all` when one
// has failed, because no process waits for a host any longer.
void RunThreads(runtime::Grid* grid, uint32_t first, uint32_t end,
                absl::Span<const runtime::GridPlace> places, const std::function<void()>& close_all,
                const RunProcess& run) {
  const auto one = [&](uint32_t process) {
    const absl::Status status = run(grid, process);
    grid->End(process, ToRuntime(status));
    if (!status.ok()) close_all();
  };
  for (uint32_t process = first; process < end; ++process) grid->SetPlace(process, places[process]);
  std::vector<std::thread> threads;
  for (uint32_t process = first + 1; process < end; ++process) {
    try {
      threads.emplace_back(one, process);
    } catch (const std::system_error& error) {
      const absl::Status none =
          absl::ResourceExhaustedError(absl::StrCat("no thread for it: ", error.what()));
      for (uint32_t left = process; left < end; ++left) grid->End(left, ToRuntime(none));
      close_all();  // otherwise, processes that wait for a host would wait for ever
      break;
    }
  }
  one(first);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

absl::Status RunProcesses(const runtime::Program& program, absl::Span<ProcessHost* const> all_hosts,
                          GridRanks* ranks, absl::Span<const runtime::GridPlace> places,
                          const RunProcess& run) {
  Hosts hosts{all_hosts};
  const auto close_all = [&] {
    for (ProcessHost* host : hosts.processes) host->CloseAll();
  };
  runtime::Grid* grid = nullptr;
  const absl::Status made =
      ranks != nullptr
          ? ranks->Begin(program, HostOf(&hosts), close_all, &grid)
          : ToAbsl(runtime::Grid::Create(program.num_replicas(), program.num_partitions(),
                                         program.num_steps(), HostOf(&hosts), {}, &grid));
  if (!made.ok()) {
    close_all();
    return made;
  }
  const auto [first, end] = ranks != nullptr ? ranks->Processes(grid->size())
                                             : std::pair<uint32_t, uint32_t>(0, grid->size());
  RunThreads(grid, first, end, places, close_all, run);
  if (ranks != nullptr) {
    const absl::Status status = ranks->End();
    close_all();
    return status;
  }
  close_all();
  absl::Status status = ToAbsl(grid->TakeError());
  grid->Destroy();
  return status;
}

absl::Status RunTogether(absl::Span<const runtime::GridPlace> places, const RunProcess& run) {
  const uint32_t size = static_cast<uint32_t>(places.size());
  runtime::Grid* grid = nullptr;
  // Programs of one process have no exchanges, whose executions are counted.
  absl::Status status = ToAbsl(runtime::Grid::Create(size, 1, 0, {}, {}, &grid));
  if (!status.ok()) return status;
  RunThreads(
      grid, 0, size, places, [] {}, run);
  status = ToAbsl(grid->TakeError());
  grid->Destroy();
  return status;
}

namespace {

// What a queued grid needs until its last process has ended.
struct QueuedGrid {
  std::vector<ProcessHost*> all_hosts;
  Hosts hosts;
  runtime::Grid* grid = nullptr;
  std::atomic<uint32_t> left{0};

  void CloseAll() {
    for (ProcessHost* host : all_hosts) host->CloseAll();
  }
  ~QueuedGrid() {
    CloseAll();
    if (grid != nullptr) grid->Destroy();
  }
  static void Ended(void* user, uint32_t, const runtime::Status& status) {
    auto* self = static_cast<QueuedGrid*>(user);
    if (!status.ok()) self->CloseAll();  // no process waits for a host any longer
    if (self->left.fetch_sub(1, std::memory_order_acq_rel) == 1) delete self;
  }
};

}  // namespace

absl::Status QueueProcesses(const runtime::Program& program, std::vector<ProcessHost*> hosts,
                            absl::Span<const runtime::GridMember> members) {
  auto queued = std::make_unique<QueuedGrid>();
  queued->all_hosts = std::move(hosts);
  queued->hosts.processes = queued->all_hosts;
  queued->left = static_cast<uint32_t>(members.size());
  absl::Status status =
      ToAbsl(runtime::Grid::Create(program.num_replicas(), program.num_partitions(),
                                   program.num_steps(), HostOf(&queued->hosts), {}, &queued->grid));
  if (!status.ok()) return status;
  for (uint32_t process = 0; process < members.size(); ++process) {
    queued->grid->SetPlace(
        process, {members[process].executable->context()->device(), members[process].stream});
  }
  status = ToAbsl(runtime::Executable::QueueGrid(queued->grid, members.data(),
                                                 {queued.get(), QueuedGrid::Ended}));
  if (status.ok()) queued.release();
  return status;
}

}  // namespace halyard
