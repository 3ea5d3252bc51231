#include "tests/fakes/fake_nccl.h"

#include <cuda.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "tests/fakes/fake_nccl_rounds.h"

using namespace halyard::testing::fake_nccl;       // NOLINT: one library in two files
using namespace halyard::runtime::cuda::nccl_abi;  // NOLINT: the library's names
using halyard::testing::FakeNccl;

namespace {

// Calls of the group that this thread has begun.
struct Group {
  int depth = 0;
  int error = 0;  // of one of the calls
  std::map<Communicator*, std::vector<Op>> ops;
};
thread_local Group group;

int Enter(const char* name) {
  FakeNccl& fake = L().fake;
  ++fake.calls[name];
  const int error = fake.fail_function == name && fake.fail_skip-- == 0 ? fake.fail_code : 0;
  if (group.depth > 0 && group.error == 0) group.error = error;
  return error;
}
#define ENTER(name) \
  const Lock lock;  \
  if (const int entered = Enter(#name)) return entered

CUcontext Current() {
  CUcontext context = nullptr;
  if (DRIVER(cuCtxPopCurrent_v2)(&context) != CUDA_SUCCESS) return nullptr;
  DRIVER(cuCtxPushCurrent_v2)(context);
  return context;
}

// A communicator that may be used now.
int Check(Communicator* comm, const char* call) {
  if (L().live.count(comm) == 0) return Violation(std::string(call) + " of a freed communicator");
  if (Current() != comm->context) return Violation(std::string(call) + " on another device");
  return 0;
}

int StateOf(const Communicator& comm) {
  if (L().fake.async_error != 0) return L().fake.async_error;
  if (comm.error != 0) return comm.error;
  if (!comm.session->complete) return kInProgress;
  return comm.posted > 0 && !comm.session->rounds[comm.posted - 1].launched ? kInProgress
                                                                            : kSuccess;
}

int Add(const char* call, Communicator* comm, Op op) {
  if (const int wrong = Check(comm, call)) return wrong;
  if (group.depth == 0) return Violation(std::string(call) + " outside of a group");
  if (StateOf(*comm) == kInProgress)
    return Violation(std::string(call) + " while another call is in progress");
  if (op.peer < 0 || op.peer >= comm->size) return Violation(std::string(call) + " of no rank");
  if (op.to == nullptr || op.kind == Op::Kind::kGather || op.kind == Op::Kind::kBroadcast)
    L().fake.sent_bytes += op.bytes;
  std::vector<Op>& ops = group.ops[comm];
  if (!ops.empty() && ops[0].stream != op.stream) return Violation("a group on two streams");
  ops.push_back(std::move(op));
  return 0;
}

}  // namespace

extern "C" {

FakeNccl* HalyardFakeNccl() { return &L().fake; }

const char* ncclGetErrorString(int result) {
  return result == kRemoteError ? "another device has failed" : "what NCCL says";
}

int ncclGetVersion(int* version) {
  ENTER(ncclGetVersion);
  *version = L().fake.version;
  return 0;
}

int ncclGetUniqueId(UniqueId* id) {
  ENTER(ncclGetUniqueId);
  std::memset(id->bytes, 0, sizeof(id->bytes));
  const std::string name = "group " + std::to_string(++L().ids);
  std::memcpy(id->bytes, name.data(), name.size());
  return 0;
}

int ncclCommInitRankConfig(Communicator** made, int size, UniqueId id, int rank, Config* config) {
  ENTER(ncclCommInitRankConfig);
  if (config->size != sizeof(Config) || config->magic != 0xcafebeef ||
      config->version != kOldestVersion || config->blocking != 0) {
    return Violation("a config of another version, or of calls that wait");
  }
  if (rank < 0 || rank >= size || std::strncmp(id.bytes, "group ", 6) != 0)
    return Violation("no such rank or group");
  std::shared_ptr<Session>& session = L().sessions[id.bytes];
  if (session == nullptr) {
    session = std::make_shared<Session>();
    session->ranks.resize(size);
  }
  if (static_cast<int>(session->ranks.size()) != size || session->ranks[rank] != nullptr)
    return Violation("a rank joins twice, or ranks join groups of different sizes");
  const CUcontext context = Current();
  for (const Communicator* other : session->ranks) {
    if (other != nullptr && other->context == context)
      return Violation("two ranks of a communicator on one device");
  }
  L().all.push_back(std::make_unique<Communicator>());
  Communicator* comm = L().all.back().get();
  comm->session = session;
  comm->rank = rank;
  comm->size = size;
  comm->context = context;
  session->ranks[rank] = comm;
  L().live.insert(comm);
  ++L().fake.live;
  bool complete = true;
  for (const Communicator* other : session->ranks) complete = complete && other != nullptr;
  if (complete) L().fake.made += size;
  session->complete = session->complete || complete;
  *made = comm;
  return kInProgress;
}

int ncclCommAbort(Communicator* comm) {
  ENTER(ncclCommAbort);
  if (L().live.erase(comm) == 0) return Violation("a communicator is freed twice");
  --L().fake.live;
  comm->aborted = true;
  comm->session->ranks[comm->rank] = nullptr;
  for (const Round& round : comm->session->rounds) {
    if (round.launched && !round.ops[comm->rank].empty())
      DRIVER(HalyardFakeBlockStream)(round.ops[comm->rank][0].stream, 0);
  }
  return 0;
}

int ncclCommGetAsyncError(Communicator* comm, int* result) {
  ENTER(ncclCommGetAsyncError);
  if (L().live.count(comm) == 0) return Violation("the state of a freed communicator");
  *result = StateOf(*comm);
  return 0;
}

int ncclGroupStart() {
  ENTER(ncclGroupStart);
  ++group.depth;
  return 0;
}

int ncclGroupEnd() {
  const Lock lock;
  if (group.depth == 0) return Violation("a group ends that has not begun");
  if (--group.depth > 0) return 0;
  std::map<Communicator*, std::vector<Op>> ops = std::move(group.ops);
  group.ops.clear();
  const int error = std::exchange(group.error, 0);  // nothing of the group is done then
  if (const int failed = Enter("ncclGroupEnd")) return failed;
  if (error != 0) return error;
  for (auto& [comm, list] : ops) {
    Session& session = *comm->session;
    const size_t number = comm->posted++;
    if (session.rounds.size() <= number) {
      Round& round = session.rounds.emplace_back();
      round.ops.resize(comm->size);
      round.posted.resize(comm->size);
      round.reached.resize(comm->size);
    }
    session.rounds[number].ops[comm->rank] = std::move(list);
    session.rounds[number].posted[comm->rank] = true;
    LaunchIfComplete(comm->session, number);
  }
  return ops.empty() ? 0 : kInProgress;
}

int ncclSend(const void* from, size_t count, int type, int peer, Communicator* comm,
             CUstream stream) {
  ENTER(ncclSend);
  if (type != kUint8) return Violation("another type");
  return Add("ncclSend", comm, {Op::Kind::kSend, from, nullptr, count, peer, stream, {}});
}
int ncclRecv(void* to, size_t count, int type, int peer, Communicator* comm, CUstream stream) {
  ENTER(ncclRecv);
  if (type != kUint8) return Violation("another type");
  return Add("ncclRecv", comm, {Op::Kind::kReceive, nullptr, to, count, peer, stream, {}});
}
int ncclAllGather(const void* from, void* to, size_t count, int type, Communicator* comm,
                  CUstream stream) {
  ENTER(ncclAllGather);
  if (type != kUint8) return Violation("another type");
  return Add("ncclAllGather", comm, {Op::Kind::kGather, from, to, count, 0, stream, {}});
}
int ncclBroadcast(const void* from, void* to, size_t count, int type, int root, Communicator* comm,
                  CUstream stream) {
  ENTER(ncclBroadcast);
  if (type != kUint8) return Violation("another type");
  return Add("ncclBroadcast", comm, {Op::Kind::kBroadcast, from, to, count, root, stream, {}});
}

}  // extern "C"
