// What the ranks of a communicator of the fake NCCL do together.
#ifndef HALYARD_TESTS_FAKES_FAKE_NCCL_ROUNDS_H_
#define HALYARD_TESTS_FAKES_FAKE_NCCL_ROUNDS_H_

#include <cuda.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/cuda/libraries/nccl_abi.h"
#include "tests/fakes/fake_libcuda.h"
#include "tests/fakes/fake_nccl.h"

namespace halyard::testing::fake_nccl {

using namespace halyard::runtime::cuda::nccl_abi;  // NOLINT: the library's names

struct Op {
  enum class Kind { kSend, kReceive, kGather, kBroadcast } kind;
  const void* from;
  void* to;
  size_t bytes;
  int peer;
  CUstream stream;
  std::vector<uint8_t> sent;  // what `from` held when the stream came here
};

// What all ranks do in one group of calls.
struct Round {
  std::vector<std::vector<Op>> ops;  // by rank
  std::vector<bool> posted, reached;
  bool launched = false;
};

struct Session {
  std::vector<Communicator*> ranks;  // null if not there
  bool complete = false;             // whether all have been there
  std::deque<Round> rounds;
};

}  // namespace halyard::testing::fake_nccl

namespace halyard::runtime::cuda::nccl_abi {
struct Communicator {
  std::shared_ptr<halyard::testing::fake_nccl::Session> session;
  int rank, size;
  CUcontext context;
  size_t posted = 0;  // rounds
  int error = 0;
  bool aborted = false;
};
}  // namespace halyard::runtime::cuda::nccl_abi

namespace halyard::testing::fake_nccl {

// Functions of the fake driver, which has been loaded by its file name.
template <typename Function>
Function DriverCall(const char* name) {
  static void* driver = dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function>(driver == nullptr ? nullptr : dlsym(driver, name));
}
#define DRIVER(name) DriverCall<decltype(&name)>(#name)

// The driver's lock guards this library, too, because each calls the other.
class Lock {
 public:
  Lock() { DRIVER(HalyardFakeLock)(1); }
  ~Lock() { DRIVER(HalyardFakeLock)(0); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

struct Library {
  FakeNccl fake;
  std::map<std::string, std::shared_ptr<Session>> sessions;  // by unique id
  std::set<Communicator*> live;
  // They stay here, because streams refer to them.
  std::vector<std::unique_ptr<Communicator>> all;
  std::set<CUstream> running;  // streams in whose work a round runs now
  uint64_t ids = 0;
};
inline Library& L() {
  static Library* library = new Library;
  return *library;
}

inline int Violation(const std::string& text) {
  L().fake.violations.push_back(text);
  return kInvalidUsage;
}

struct Part {
  std::shared_ptr<Session> session;
  size_t round;
  int rank;
};

// Keeps what the rank sends, at the time when its stream comes to the round.
inline void Reach(const Part& part) {
  Round& round = part.session->rounds[part.round];
  if (round.reached[part.rank]) return;
  round.reached[part.rank] = true;
  const Communicator* comm = part.session->ranks[part.rank];
  for (Op& op : round.ops[part.rank]) {
    const auto owns = DRIVER(HalyardFakeOwnsMemory);
    const uint64_t to_bytes = op.kind == Op::Kind::kGather ? op.bytes * comm->size : op.bytes;
    if ((op.from != nullptr &&
         owns(comm->context, reinterpret_cast<uint64_t>(op.from), op.bytes) == 0) ||
        (op.to != nullptr &&
         owns(comm->context, reinterpret_cast<uint64_t>(op.to), to_bytes) == 0)) {
      Violation("memory that the device does not have");
      round.ops[part.rank].clear();
      return;
    }
    const auto* bytes = static_cast<const uint8_t*>(op.from);
    if (bytes != nullptr) op.sent.assign(bytes, bytes + op.bytes);
  }
}

// The n-th op of this kind between two ranks.
inline const Op* Find(const Round& round, int rank, Op::Kind kind, int peer, int n) {
  for (const Op& op : round.ops[rank]) {
    if (op.kind == kind && op.peer == peer && n-- == 0) return &op;
  }
  return nullptr;
}

inline void Receive(const Part& part) {
  const Round& round = part.session->rounds[part.round];
  const int size = static_cast<int>(round.ops.size());
  std::map<int, int> received;  // by peer
  size_t index = 0;
  for (const Op& op : round.ops[part.rank]) {
    auto* to = static_cast<uint8_t*>(op.to);
    if (op.kind == Op::Kind::kReceive) {
      const Op* sent = Find(round, op.peer, Op::Kind::kSend, part.rank, received[op.peer]++);
      if (sent != nullptr && !sent->sent.empty()) std::memcpy(to, sent->sent.data(), op.bytes);
    }
    for (int r = 0; op.kind == Op::Kind::kGather && r < size; ++r) {
      if (index < round.ops[r].size() && round.ops[r][index].sent.size() == op.bytes)
        std::memcpy(to + r * op.bytes, round.ops[r][index].sent.data(), op.bytes);
    }
    if (op.kind == Op::Kind::kBroadcast && index < round.ops[op.peer].size() &&
        round.ops[op.peer][index].sent.size() == op.bytes) {
      std::memcpy(to, round.ops[op.peer][index].sent.data(), op.bytes);
    }
    ++index;
  }
}

// Runs as the work of one rank's stream. Lets the streams of the others come to the same round, as
// the kernels of the devices would wait for each other.
inline void CUDA_CB RunPart(void* work) {
  const Lock lock;
  const std::unique_ptr<Part> part(static_cast<Part*>(work));
  Round& round = part->session->rounds[part->round];
  if (part->session->ranks[part->rank] == nullptr) return;  // aborted
  const CUstream own = round.ops[part->rank][0].stream;
  Reach(*part);
  L().running.insert(own);
  for (int r = 0; r < static_cast<int>(round.ops.size()); ++r) {
    if (round.reached[r] || round.ops[r].empty()) continue;
    const CUstream stream = round.ops[r][0].stream;
    if (L().running.count(stream) != 0) {
      Violation("two devices wait for each other in different exchanges");
      continue;
    }
    Part other = {part->session, part->round, r};
    DRIVER(HalyardFakeRunUntil)
    (
        stream,
        [](void* user) {
          const Part& wanted = *static_cast<Part*>(user);
          return static_cast<int>(wanted.session->rounds[wanted.round].reached[wanted.rank]);
        },
        &other);
  }
  L().running.erase(own);
  Receive(*part);
}

// Returns what does not fit in the calls of the ranks, or "".
inline std::string Mismatch(const Round& round) {
  const int size = static_cast<int>(round.ops.size());
  for (int r = 0; r < size; ++r) {
    std::map<int, int> sent, received;
    for (size_t i = 0; i < round.ops[r].size(); ++i) {
      const Op& op = round.ops[r][i];
      if (op.kind == Op::Kind::kSend || op.kind == Op::Kind::kReceive) {
        const bool sends = op.kind == Op::Kind::kSend;
        const Op* other = Find(round, op.peer, sends ? Op::Kind::kReceive : Op::Kind::kSend, r,
                               (sends ? sent : received)[op.peer]++);
        if (other == nullptr || other->bytes != op.bytes) return "a send and a receive";
        continue;
      }
      for (int other = 0; other < size; ++other) {
        if (i >= round.ops[other].size()) return "the number of calls";
        const Op& same = round.ops[other][i];
        if (same.kind != op.kind || same.bytes != op.bytes || same.peer != op.peer)
          return "a collective call";
      }
    }
  }
  return "";
}

// Puts a round on the streams of all ranks once all of them have called it.
inline void LaunchIfComplete(const std::shared_ptr<Session>& session, size_t number) {
  Round& round = session->rounds[number];
  for (const bool posted : round.posted) {
    if (!posted) return;
  }
  for (const Communicator* comm : session->ranks) {
    if (comm == nullptr) return;
  }
  round.launched = true;
  const std::string wrong = Mismatch(round);
  if (!wrong.empty()) Violation(wrong + " of two ranks do not match");
  for (int r = 0; r < static_cast<int>(round.ops.size()); ++r) {
    Communicator* comm = session->ranks[r];
    if (!wrong.empty()) {
      comm->error = kInvalidUsage;
      continue;
    }
    if (round.ops[r].empty()) continue;
    DRIVER(cuCtxPushCurrent_v2)(comm->context);
    auto* part = new Part{session, number, r};
    if (DRIVER(cuLaunchHostFunc)(round.ops[r][0].stream, RunPart, part) != CUDA_SUCCESS) {
      comm->error = kUnhandledCudaError;
      delete part;
    }
    if (L().fake.hangs) DRIVER(HalyardFakeBlockStream)(round.ops[r][0].stream, 1);
    CUcontext popped;
    DRIVER(cuCtxPopCurrent_v2)(&popped);
  }
}

}  // namespace halyard::testing::fake_nccl

#endif  // HALYARD_TESTS_FAKES_FAKE_NCCL_ROUNDS_H_
