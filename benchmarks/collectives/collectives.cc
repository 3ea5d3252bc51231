// Measures collectives of four processes on x86: threads, or ranks if mpirun has started it four
// times. Prints a JSON line for each collective and size; compare.py reads them.
//
//   halyard_collectives [--repeat=N]
//
// Large collectives are programs of their own. Small ones are in a loop of a program, as in a
// training step, where the start of the program does not matter.
#include <pthread.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "client/processes/grid_ranks.h"
#include "ranks/mpi_job.h"

namespace halyard {
namespace {

constexpr int kProcesses = 4, kTrips = 1000;
constexpr int64_t kSmall = 4 << 10, kLarge = 64 << 20;

struct Collective {
  const char* name;
  const char* once;     // computes $Y, f32[$N], from x, f32[$P]
  const char* in_loop;  // the same, but gives ones of ones, so that any number of trips does
  bool gives_own_part;  // whether a process gives a part of the array only
  double of_ones;       // the elements that `once` gives of ones
};

constexpr char kGather[] = "$Y = f32[$N] all-gather(x), replica_groups={}, dimensions={0}";
constexpr char kToAll[] = "$Y = f32[$N] all-to-all(x), replica_groups={{0,1,2,3}}, dimensions={0}";
constexpr Collective kCollectives[] = {
    {"all_reduce", "$Y = f32[$N] all-reduce(x), replica_groups={}, to_apply=add",
     "q = f32[] constant(0.25)\n qs = f32[$N] broadcast(q), dimensions={}\n"
     "sum = f32[$N] all-reduce(x), replica_groups={}, to_apply=add\n"
     "$Y = f32[$N] multiply(sum, qs)",
     false, kProcesses},
    {"all_gather", kGather, kGather, true, 1},
    {"all_to_all", kToAll, kToAll, false, 1},
};

std::string ProgramOf(const Collective& collective, int64_t bytes, bool in_loop) {
  constexpr char kOnce[] = R"(
ENTRY e {
  x = f32[$P] parameter(0)
  $BODY
})";
  constexpr char kLoop[] = R"(
body {
  s = (s32[], f32[$P]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[$P] get-tuple-element(s), index=1
  $BODY
  z = f32[$P] slice(y), slice={[0:$P]}
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], f32[$P]) tuple(j, z)
}
cond {
  s = (s32[], f32[$P]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant($TRIPS)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY e {
  x = f32[$P] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[$P]) tuple(zero, x)
  loop = (s32[], f32[$P]) while(init), condition=cond, body=body
  ROOT y = f32[$P] get-tuple-element(loop), index=1
})";
  const int64_t elements = bytes / 4;
  const int64_t given = collective.gives_own_part ? elements / kProcesses : elements;
  const char* text = in_loop ? collective.in_loop : collective.once;
  return absl::StrCat(
      "HloModule ", collective.name, ", replica_count=", kProcesses,
      "\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n",
      absl::StrReplaceAll(absl::StrReplaceAll(in_loop ? kLoop : kOnce,
                                              {{"$BODY", text}, {"$TRIPS", absl::StrCat(kTrips)}}),
                          {{"$Y", in_loop ? "y" : "ROOT y"},
                           {"$N", absl::StrCat(elements)},
                           {"$P", absl::StrCat(given)}}));
}

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

absl::Status CheckElements(const std::vector<std::vector<Buffer>>& results, double want) {
  for (const std::vector<Buffer>& own : results) {
    if (own.empty()) continue;  // of another rank
    absl::StatusOr<hlo::Literal> literal = own[0].ToLiteral();
    if (!literal.ok()) return literal.status();
    for (int64_t i = 0; i < literal->shape().NumElements(); ++i) {
      if (literal->GetFloat(i) != want)
        return absl::InternalError(absl::StrCat("element ", i, " is ", literal->GetFloat(i)));
    }
  }
  return absl::OkStatus();
}

absl::Status Measure(Client& client, GridRanks* ranks, const Collective& collective, int64_t bytes,
                     int repeat) {
  const bool in_loop = bytes == kSmall;
  absl::StatusOr<std::unique_ptr<Executable>> program =
      client.CompileProgram(ProgramOf(collective, bytes, in_loop), collective.name);
  if (!program.ok()) return program.status();
  hlo::Literal ones((*program)->parameter_shapes()[0]);
  for (int64_t i = 0; i < ones.shape().NumElements(); ++i) ones.SetFloat(i, 1);
  std::vector<std::vector<Buffer>> arguments(kProcesses);
  for (int p = 0; p < kProcesses; ++p) {
    if (ranks != nullptr && p != ranks->rank()) continue;
    absl::StatusOr<Buffer> buffer = client.BufferFromLiteral(ones);
    if (!buffer.ok()) return buffer.status();
    arguments[static_cast<size_t>(p)].push_back(*buffer);
  }
  std::string times;
  for (int i = 0; i < repeat + 2; ++i) {
    const double start = Now();
    absl::StatusOr<std::vector<std::vector<Buffer>>> results =
        (*program)->RunGrid(arguments, {{}, ranks});
    if (!results.ok()) return results.status();
    const double seconds = (Now() - start) / (in_loop ? kTrips : 1);
    if (i >= 2) absl::StrAppend(&times, times.empty() ? "" : ", ", seconds * 1e6);
    if (i != 0) continue;
    const double want = in_loop ? 1 : collective.of_ones;
    if (absl::Status right = CheckElements(*results, want); !right.ok()) return right;
  }
  if (ranks != nullptr && ranks->rank() != 0) return absl::OkStatus();
  printf("{\"engine\": \"halyard %s\", \"collective\": \"%s\", \"bytes\": %lld, \"us\": [%s]}\n",
         ranks == nullptr ? "threads" : "ranks", collective.name, static_cast<long long>(bytes),
         times.c_str());
  return absl::OkStatus();
}

// Four threads copy an array of their own twice, all at the same time.
void MeasureCopies(int64_t bytes, int repeat) {
  const int copies = bytes == kSmall ? 2 * kTrips : 2;
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, kProcesses);
  std::string times;
  const auto copy = [&](int thread) {
    std::vector<char> from(static_cast<size_t>(bytes), 'a'), to(static_cast<size_t>(bytes), 'b');
    for (int i = 0; i < repeat + 2; ++i) {
      pthread_barrier_wait(&barrier);
      const double start = Now();
      for (int c = 0; c < copies; ++c) {
        memcpy(to.data(), from.data(), from.size());
        asm volatile("" : : "r"(to.data()) : "memory");
      }
      pthread_barrier_wait(&barrier);
      const double seconds = (Now() - start) / (copies / 2);
      if (thread == 0 && i >= 2) absl::StrAppend(&times, times.empty() ? "" : ", ", seconds * 1e6);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kProcesses; ++t) threads.emplace_back(copy, t);
  for (std::thread& thread : threads) thread.join();
  pthread_barrier_destroy(&barrier);
  printf("{\"engine\": \"two copies\", \"collective\": \"all\", \"bytes\": %lld, \"us\": [%s]}\n",
         static_cast<long long>(bytes), times.c_str());
}

absl::Status MeasureAll(int repeat) {
  std::unique_ptr<GridRanks> ranks;
  if (ranks::LaunchedProcesses() > 1) {
    absl::StatusOr<std::unique_ptr<GridRanks>> joined = GridRanks::Join(GridRanks::kTimeoutSeconds);
    if (!joined.ok()) return joined.status();
    ranks = *std::move(joined);
  }
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create({.target = "x86"});
  if (!client.ok()) return client.status();
  for (const int64_t bytes : {kSmall, kLarge}) {
    for (const Collective& collective : kCollectives) {
      absl::Status measured = Measure(**client, ranks.get(), collective, bytes, repeat);
      if (!measured.ok()) return measured;
    }
    if (ranks == nullptr) MeasureCopies(bytes, repeat);
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace halyard

int main(int argc, char** argv) {
  int repeat = 5;
  for (int i = 1; i < argc; ++i) {
    if (sscanf(argv[i], "--repeat=%d", &repeat) != 1 || repeat < 1) {
      fprintf(stderr, "usage: %s [--repeat=N]\n", argv[0]);
      return 2;
    }
  }
  const absl::Status status = halyard::MeasureAll(repeat);
  if (status.ok()) return 0;
  fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}
