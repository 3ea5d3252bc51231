// The C++ API: compile programs, run them, move arrays in and out.
//
//   ASSIGN client = Client::Create({.target = "x86"});
//   ASSIGN executable = client->CompileFile("model.mlir", {});
//   ASSIGN results = executable->RunLiterals({x, y});
//
// Applications get this header, xla_client.h and custom_call.h (cmake/HalyardClient.cmake), so
// these and what they include need C++17 only.
#ifndef HALYARD_CLIENT_API_CLIENT_H_
#define HALYARD_CLIENT_API_CLIENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/devices/target.h"
#include "client/processes/host_queue.h"
#include "client/reports/memory_report.h"
#include "frontend/hlo/ir/module.h"
#include "runtime/backend.h"

namespace halyard::runtime {
class Grid;
}

namespace halyard {

// The formats of a program file. They are recognised from the content; an HLO proto is also
// recognised by a name that ends in ".pb".
enum class ProgramFormat : uint8_t {
  kHloText,
  kHloProto,
  kStableHloText,
  kBytecode,  // MLIR's bytecode
  kEmpty,     // nothing except comments
  kUnknown,
};
ProgramFormat FormatOf(absl::string_view bytes, absl::string_view filename);

// Parses the text or bytes of a program file and returns a verified module.
absl::StatusOr<std::unique_ptr<hlo::Module>> ParseProgram(absl::string_view bytes,
                                                          absl::string_view filename);
// Reads a file. Returns NotFound or another error with the path. Also reads pipes and devices, up
// to a limit.
absl::StatusOr<std::string> ReadFile(const std::string& path);
// Reads and parses a program file.
absl::StatusOr<std::unique_ptr<hlo::Module>> ReadProgramFile(const std::string& path);

struct ClientOptions {
  std::string target = "auto";
  int device_index = 0;
  // The number of logical devices, up to Client::kMaxDevices. 0 stands for $HALYARD_NUM_DEVICES, or
  // one. They share the CPU or the GPU, but GPUs of the same name, from device_index on, are used
  // in turn.
  int num_devices = 0;
  int threads = 0;  // x86: threads of a parallel loop; 0 stands for all CPUs
  // The folder for compiled kernels and programs. "" stands for $HALYARD_CACHE_DIR, else
  // $XDG_CACHE_HOME/halyard, else ~/.cache/halyard.
  std::string cache_dir;
  bool use_cache = true;
  // The database with the best measured schedules of kernels (autotuner/records/database.h), which
  // are used where it has them. "" stands for $HALYARD_TUNING_DB, else
  // $XDG_DATA_HOME/halyard/tuning.sqlite, else ~/.local/share/halyard/tuning.sqlite.
  std::string tuning_database;
  bool use_tuning = true;
  bool locked = false;  // a kernel without such a record is an error
  // If false, no kernel calls a vendor's library (--no-libraries).
  bool use_libraries = true;
  // For tests (runtime/execute/context.h, GuardBuffers). Results are NaN where a program does not
  // write them. If the program has written behind a result, reading it is an error.
  bool guard_results = false;
  // Receives what this client does and when: compile phases, copies, runs and their steps. This
  // makes runs slower: their steps run one after the other, each of them is timed, and Run waits.
  std::shared_ptr<class Profile> profile;
};

struct CompileOptions {
  bool fuse = true;       // if false, each instruction becomes a kernel
  bool attention = true;  // if false, the scores of attention are ordinary arrays in memory
  // If true (--O0), each kernel is compiled in the least time, however slow it is then. The results
  // are as always, but for the order of sums. Nothing of the tuning database is used; together with
  // `schedules`, or with a client that is `locked`, this is kInvalidArgument.
  bool quick = false;
  std::string dump_dir;  // folder to which every pass and kernel is written; "" for none
  // The text of a file with schedule lines by kernel name (--schedules=FILE), as `halyard show
  // --stage=schedule` prints them.
  std::string schedules;
  // The text of a file with program-level choices (--choices=FILE, lowering/plan/fuse/choices.h),
  // which replace the planner's rules. "" stands for the choices that were measured to be faster,
  // if there are any.
  std::string choices;
  // Names of the rewrites to leave out (lowering/plan/rewrites.h), separated by commas. Serves
  // tests, and helps to find the rewrite that makes a result wrong.
  std::string without;
  // If true, scatters leave out windows that lie partly outside, as XLA does. If false, they leave
  // out only the elements that lie outside, as StableHLO requires. For CompileFile and
  // CompileProgram.
  bool whole_scatter_windows = false;
  // The grid of processes, if it is not the one that the program names (0).
  int64_t num_replicas = 0, num_partitions = 0;
  // The logical device of each process, replica-major; it does not change what is compiled. If
  // empty, process i runs on device i modulo their number.
  std::vector<int> device_assignment;
  std::string file;  // name of the program's file, for messages
  // Compiles a dynamic program for arguments of these shapes alone, given leaf by leaf. If empty,
  // the program is compiled for the shapes of each call (frontend/hlo/dynamic/specialize.h).
  std::vector<hlo::Shape> argument_shapes;
  // Called during Compile with how many kernels are done and how many there are; never after it.
  std::function<void(int done, int total)> progress;

  // Returns a text of all the options above that change what is compiled. Equal texts stand for
  // equal compiles of a program.
  std::string KeyText() const;
};

// What a compile did, for reports.
struct CompileStats {
  bool program_from_cache = false;
  int kernels = 0, kernels_from_cache = 0, kernels_tuned = 0;
  double parse_ms = 0, plan_ms = 0, codegen_ms = 0, load_ms = 0;
  double total_ms() const { return parse_ms + plan_ms + codegen_ms + load_ms; }
};

// An array on a logical device, or in host memory for `reference`. Copies of a Buffer share the
// array.
class Buffer {
 public:
  struct Rep;
  explicit Buffer(std::shared_ptr<Rep> rep) : rep_(std::move(rep)) {}
  const hlo::Shape& shape() const;
  int device() const;
  bool IsReady() const;
  absl::Status Wait() const;
  // Waits until the array is ready, then copies it to the host.
  absl::StatusOr<hlo::Literal> ToLiteral() const;
  const std::shared_ptr<Rep>& rep() const { return rep_; }

 private:
  std::shared_ptr<Rep> rep_;
};

struct RunOptions {
  // The logical device on which to run; -1 stands for that of the process (CompileOptions::
  // device_assignment).
  int device = -1;
  // Runs of one stream of a device are done in the order of the calls. Runs of different
  // streams may overlap, except where one needs the other's results.
  uint32_t stream = 0;
  // If true, Run returns at once, and a thread of the stream does what would keep the host busy for
  // long (on x86, the program itself). Small programs still run at once. If false, the calling
  // thread does this work, which is quicker if it waits for the results next.
  bool asynchronous = true;
  // One for each flattened parameter; empty: none is donated. Memory that a Buffer on another
  // device shares (Client::CopyToDevice), and arguments on another GPU, stay as they are.
  std::vector<bool> donate;
  // Selects the process whose results Run returns, for a program of several processes. If they
  // communicate, all of them run, with the same arguments.
  int64_t replica = 0, partition = 0;
};

struct GridRunOptions {
  // One host for each process, or none. Without hosts, what the program gives to a host is dropped,
  // and waiting for a host is an error. The run closes all queues when it ends.
  std::vector<ProcessHost*> hosts;
  // Set if the processes are spread over the ranks of an mpirun, each of which calls RunGrid. Then
  // only arguments of this rank's processes are used, and only their results are given.
  class GridRanks* ranks = nullptr;
  // If true, RunGrid returns when the runs are queued, each on its device, and errors come from the
  // results: all of them have the error of the process that failed first. Each process then needs
  // a device of its own, there are no ranks, and the hosts must live until all results are ready.
  bool asynchronous = false;
  // As in RunOptions, one list for each process; empty: nothing is donated.
  std::vector<std::vector<bool>> donate;
};

// A compiled program on the client's devices. It is immutable, and any number of threads may run it
// at once.
class Executable {
 public:
  virtual ~Executable() = default;
  // The flattened leaves in order: "arg0", "arg1", … and "out0", …. Sizes may be dynamic.
  virtual const std::vector<hlo::Shape>& parameter_shapes() const = 0;
  virtual const std::vector<hlo::Shape>& result_shapes() const = 0;
  // Returns when the work is submitted or queued. Each Buffer says when it is ready; before that,
  // it may already be passed on, donated or released. Wrong counts or shapes give kInvalidArgument,
  // which names the argument. Errors of the work itself come from Wait and ToLiteral of the
  // results, with the program's name, and pass on to runs that use these results.
  virtual absl::StatusOr<std::vector<Buffer>> Run(absl::Span<const Buffer> arguments,
                                                  const RunOptions& options = {}) = 0;
  // Runs all processes of the program's grid, replica-major, each on its device, and waits for
  // them. `arguments` holds a list for each process, or one list for all. Those of another GPU are
  // copied first. Returns a list for each process, on its device. An error of one process ends all
  // of them, and is returned with the number of that process. A deadlock returns kDeadlineExceeded,
  // with a message that says which process waits where, and for which one.
  virtual absl::StatusOr<std::vector<std::vector<Buffer>>> RunGrid(
      absl::Span<const std::vector<Buffer>> arguments, const GridRunOptions& options = {});
  struct Grid {
    int64_t replicas = 1, partitions = 1;
    int64_t size() const { return replicas * partitions; }
  };
  virtual Grid grid() const { return Grid(); }
  // The logical device of each process, replica-major.
  virtual std::vector<int> device_assignment() const { return {0}; }
  // Returns whether the processes communicate with each other or with the host.
  virtual bool communicates() const { return false; }
  // Operations on numbers and bytes moved by one run, as far as they are known before it. A loop of
  // unknown length counts once; of the branches, the most expensive counts.
  struct Cost {
    double flops = 0, bytes = 0;
  };
  virtual Cost cost() const { return Cost(); }
  // The memory that a run needs, known beforehand. All fields are zero if it depends on values
  // (`reference`, dynamic programs).
  virtual MemoryPlan memory_plan() const { return MemoryPlan(); }
  virtual std::string name() const = 0;
  // Bytes of the temporaries of one run.
  virtual int64_t arena_bytes() const = 0;
  // Returns, for each parameter, the result that takes over its memory if it is donated; -1 if the
  // program does not ask for donation; -2 if it does, but no result can take the memory.
  virtual std::vector<int64_t> donated_to_results() const;
  // The functions that the program calls by name, with their configurations.
  struct NamedCall {
    std::string target, config;
  };
  virtual std::vector<NamedCall> custom_calls() const { return {}; }
  // Returns the compiled program, in the format of a file of `halyard compile`, for
  // Client::Deserialize. Returns kUnimplemented if nothing is compiled before sizes or values are
  // known.
  virtual absl::StatusOr<std::string> Serialize() const;
  virtual const CompileStats& stats() const = 0;

  // Uploads the arguments, runs, waits, and downloads the results.
  absl::StatusOr<std::vector<hlo::Literal>> RunLiterals(absl::Span<const hlo::Literal> arguments);
  // The same for RunGrid.
  absl::StatusOr<std::vector<std::vector<hlo::Literal>>> RunGridLiterals(
      absl::Span<const std::vector<hlo::Literal>> arguments, const GridRunOptions& options = {});

 protected:
  friend class Client;
  // Runs the program, which has one process, as a process of a grid (Client::RunTogether).
  virtual absl::StatusOr<std::vector<Buffer>> RunMember(absl::Span<const Buffer> arguments,
                                                        int device, runtime::Grid* grid,
                                                        uint32_t process);
  class Client* client_ = nullptr;
};

// One or more logical devices, and the compiler for them. Thread-safe. The Client must outlive its
// Executables and Buffers; they keep everything else that they need alive.
class Client {
 public:
  static absl::StatusOr<std::unique_ptr<Client>> Create(const ClientOptions& options);
  ~Client();

  const Target& target() const { return target_; }
  const ClientOptions& options() const { return options_; }
  static constexpr int kMaxDevices = 64;
  int num_devices() const;
  // Returns the memory in use now of the CPU or GPU that has this logical device; zeros on
  // `reference`.
  runtime::MemoryUse memory_use(runtime::Space space, int device = 0) const;

  absl::StatusOr<std::unique_ptr<Executable>> Compile(const hlo::Module& module,
                                                      const CompileOptions& options = {});
  // Compiles with the cache: a program that was compiled before starts without being parsed.
  absl::StatusOr<std::unique_ptr<Executable>> CompileFile(const std::string& path,
                                                          const CompileOptions& options = {});
  // The same for a program in memory, in any format of ParseProgram; `name` is for messages.
  absl::StatusOr<std::unique_ptr<Executable>> CompileProgram(absl::string_view bytes,
                                                             const std::string& name,
                                                             const CompileOptions& options = {});
  // Loads what Executable::Serialize returned, perhaps in another process. Returns kDataLoss if it
  // is damaged or of another version, and kFailedPrecondition if it is for another device.
  absl::StatusOr<std::unique_ptr<Executable>> Deserialize(
      std::string program, const std::vector<int>& device_assignment = {});
  // Calls `callback` once, with Buffer::Wait's answer: at once if the buffer is ready, else later
  // from a thread of this client. It may start runs, but must not throw, wait for runs (later ones
  // may need its thread) or destroy the client. ~Client waits for the calls.
  void OnReady(const Buffer& buffer, std::function<void(absl::Status)> callback);
  // Waits until all runs and calls so far are done.
  void WaitUntilIdle();
  // Runs `work` on a thread of this client, after all work that it was given before.
  void RunLater(std::function<void()> work);
  absl::StatusOr<Buffer> BufferFromLiteral(const hlo::Literal& literal, int device = 0);
  // Like BufferFromLiteral, but without a copy if the device uses host memory and the literal is
  // aligned to 64 bytes. The buffer then shares the literal's bytes.
  absl::StatusOr<Buffer> BufferInPlace(const hlo::Literal& literal, int device = 0);
  // One of several programs that run at the same time.
  struct Member {
    Executable* executable;
    std::vector<Buffer> arguments;
    int device = 0;
  };
  // Runs programs of one process each at the same time, each on its device, and waits for them.
  // They may send each other messages on channels. An error of one of them ends all, and is
  // returned with its number, as that of process (i, 0). Not on `reference`, and not for programs
  // whose sizes are known only when they run.
  absl::StatusOr<std::vector<std::vector<Buffer>>> RunTogether(absl::Span<const Member> members);
  // Returns the array on another logical device. On the same CPU or GPU, both share the memory.
  // Between GPUs, it is copied: the call does not wait, and an error of the array becomes that of
  // the copy.
  absl::StatusOr<Buffer> CopyToDevice(const Buffer& buffer, int device);

 private:
  Client() = default;
  absl::StatusOr<std::unique_ptr<Executable>> Load(std::string program,
                                                   const std::vector<int>& devices,
                                                   const CompileStats& stats);
  absl::StatusOr<std::unique_ptr<Executable>> CompileDynamic(const hlo::Module& module,
                                                             const CompileOptions& options);
  absl::StatusOr<std::string> ProgramKey(absl::string_view bytes, const CompileOptions& options,
                                         ClientOptions* used) const;

  ClientOptions options_;
  Target target_;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_CLIENT_H_
