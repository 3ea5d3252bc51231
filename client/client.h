// The C++ API: compile programs, run them, move arrays in and out.
//
//   ASSIGN client = Client::Create({.target = "x86"});
//   ASSIGN executable = client->CompileFile("model.mlir", {});
//   ASSIGN results = executable->RunLiterals({x, y});
#ifndef HALYARD_CLIENT_CLIENT_H_
#define HALYARD_CLIENT_CLIENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/memory_report.h"
#include "client/target.h"
#include "frontend/hlo/module.h"
#include "lowering/kernel_request.h"
#include "lowering/passes/compile_plan.h"
#include "runtime/backend.h"
#include "runtime/program_spec.h"

namespace halyard {

// What a program file holds, recognised from the content, and HLO proto by the name's end, ".pb",
// too.
enum class ProgramFormat : uint8_t {
  kHloText,
  kHloProto,
  kStableHloText,
  kBytecode,  // MLIR's
  kEmpty,     // nothing but comments
  kUnknown,
};
ProgramFormat FormatOf(absl::string_view bytes, absl::string_view filename);

// Text or bytes of a program file → verified module.
absl::StatusOr<std::unique_ptr<hlo::Module>> ParseProgram(absl::string_view bytes,
                                                          absl::string_view filename);
// NotFound, or what is wrong, with the path. A pipe or a device is read too, but not for ever.
absl::StatusOr<std::string> ReadFile(const std::string& path);
// Both.
absl::StatusOr<std::unique_ptr<hlo::Module>> ReadProgramFile(const std::string& path);

struct ClientOptions {
  std::string target = "auto";
  int device_index = 0;
  int threads = 0;  // x86: threads of a parallel loop; 0: all CPUs
  // Compiled kernels and programs: "" is $HALYARD_CACHE_DIR, else $XDG_CACHE_HOME/halyard, else
  // ~/.cache/halyard.
  std::string cache_dir;
  bool use_cache = true;
  // Best schedules that were measured of kernels (autotuner/database.h) are used where there are
  // any: "" is $HALYARD_TUNING_DB, else $XDG_DATA_HOME/halyard/tuning.sqlite, else
  // ~/.local/share/halyard/tuning.sqlite.
  std::string tuning_database;
  bool use_tuning = true;
  bool locked = false;  // a kernel without such a record is an error
  // False: no kernel calls a vendor's library (--no-libraries).
  bool use_libraries = true;
  // For tests (runtime/context.h, GuardBuffers): results are NaN where a program does not write
  // them, and reading one is an error if the program has written behind it.
  bool guard_results = false;
  // Receives what this client does, and when: compile phases, copies, runs, their steps. Runs are
  // then slower: their steps are done one after the other, each timed, and Run waits.
  std::shared_ptr<class Profile> profile;
};

struct CompileOptions {
  bool fuse = true;       // false: a kernel per instruction
  bool attention = true;  // false: scores of attention are arrays in memory as any other
  std::string dump_dir;  // every pass and kernel written there; "": nothing
  // Schedule lines by kernel name, as `halyard show --stage=schedule` prints them
  // (--schedules=FILE); text of the file.
  std::string schedules;
  // Program-level choices (lowering/passes/choices.h) instead of the planner's rules
  // (--choices=FILE); text of the file. "": those that were measured to be faster, if there are any.
  std::string choices;
  // Names of rewrites that are left out (lowering/passes/rewrites.h), with commas between: for
  // tests, and to find the one that makes a result wrong.
  std::string without;
  // Scatters leave out windows that lie partly outside, as XLA does, not only the elements outside,
  // as StableHLO says. For CompileFile and CompileProgram.
  bool whole_scatter_windows = false;
  std::string file;  // the program's, for messages
  // Shapes of the arguments, leaf by leaf, of a dynamic program that is to be compiled for these alone.
  // Empty: it is compiled for those of each call (frontend/hlo/specialize.h).
  std::vector<hlo::Shape> argument_shapes;
  // Called as kernels are compiled: how many of how many are done.
  std::function<void(int done, int total)> progress;
};

// What a compile did, for reports.
struct CompileStats {
  bool program_from_cache = false;
  int kernels = 0, kernels_from_cache = 0, kernels_tuned = 0;
  double parse_ms = 0, plan_ms = 0, codegen_ms = 0, load_ms = 0;
  double total_ms() const { return parse_ms + plan_ms + codegen_ms + load_ms; }
};

// An array on a device (or, for `reference`, in host memory). Copies share it.
class Buffer {
 public:
  struct Rep;
  explicit Buffer(std::shared_ptr<Rep> rep) : rep_(std::move(rep)) {}
  const hlo::Shape& shape() const;
  bool IsReady() const;
  absl::Status Wait() const;
  // Waits, then copies to the host.
  absl::StatusOr<hlo::Literal> ToLiteral() const;
  const std::shared_ptr<Rep>& rep() const { return rep_; }

 private:
  std::shared_ptr<Rep> rep_;
};

struct RunOptions {
  // Runs of one stream are done in the order of the calls; those of different streams may overlap,
  // but for what they hand each other.
  uint32_t stream = 0;
  // Run returns at once, and what it would take the host long to do (on x86 the program itself) is
  // done by a thread of the stream; small programs are run at once all the same. False: by the
  // calling thread, which is quicker where the results are waited for next.
  bool asynchronous = true;
  std::vector<bool> donate;  // per flattened parameter; empty: none
  // On `reference`, of a program for several processes: whose results are wanted. All of them run,
  // with the same arguments. Other targets run one process: (0, 0).
  int64_t replica = 0, partition = 0;
};

// A compiled program on the client's device. Immutable: any number of threads may run it at once.
class Executable {
 public:
  virtual ~Executable() = default;
  // Flattened leaves, in order: "arg0", "arg1", … and "out0", …. Sizes may be dynamic.
  virtual const std::vector<hlo::Shape>& parameter_shapes() const = 0;
  virtual const std::vector<hlo::Shape>& result_shapes() const = 0;
  // Returns when the work is submitted or queued; each Buffer says when it is ready, and may be
  // passed on, given up or let go of before. Wrong counts or shapes: kInvalidArgument naming the
  // argument. Errors of the work itself come from the results' Wait and ToLiteral, with the
  // program's name, and pass on to runs that use these.
  virtual absl::StatusOr<std::vector<Buffer>> Run(absl::Span<const Buffer> arguments,
                                                  const RunOptions& options = {}) = 0;
  // Operations on numbers and bytes moved of one run, as far as they are known before it: loops of
  // unknown length count once, branches as the dearest.
  struct Cost {
    double flops = 0, bytes = 0;
  };
  virtual Cost cost() const { return Cost(); }
  // What a run needs, known before it; all zero where that depends on values (`reference`, dynamic
  // programs).
  virtual MemoryPlan memory_plan() const { return MemoryPlan(); }
  virtual std::string name() const = 0;
  // Temps of one run, in bytes.
  virtual int64_t arena_bytes() const = 0;
  // For each parameter, the result that takes its memory over if it is donated; -1: the program does
  // not ask for it; -2: it does, but no result can.
  virtual std::vector<int64_t> donated_to_results() const;
  // Functions that it calls by name, with their configurations.
  struct NamedCall {
    std::string target, config;
  };
  virtual std::vector<NamedCall> custom_calls() const { return {}; }
  // The compiled program as a file of `halyard compile` holds it, for Client::Deserialize.
  // kUnimplemented where nothing is compiled before sizes or values are known.
  virtual absl::StatusOr<std::string> Serialize() const;
  virtual const CompileStats& stats() const = 0;

  // Uploads, runs, waits, downloads.
  absl::StatusOr<std::vector<hlo::Literal>> RunLiterals(absl::Span<const hlo::Literal> arguments);

 protected:
  friend class Client;
  class Client* client_ = nullptr;
};

// One device and the compiler for it. Thread-safe. Executables and Buffers keep what they need of
// it alive, but for the Client itself: it must outlive them.
class Client {
 public:
  static absl::StatusOr<std::unique_ptr<Client>> Create(const ClientOptions& options);
  ~Client();

  const Target& target() const { return target_; }
  const ClientOptions& options() const { return options_; }
  // Of the client's device now; nothing on `reference`.
  runtime::MemoryUse memory_use(runtime::Space space) const;

  absl::StatusOr<std::unique_ptr<Executable>> Compile(const hlo::Module& module,
                                                      const CompileOptions& options = {});
  // With the cache: a program compiled before starts without being parsed.
  absl::StatusOr<std::unique_ptr<Executable>> CompileFile(const std::string& path,
                                                          const CompileOptions& options = {});
  // The same for a program in memory, in any format of ParseProgram; `name` is for messages.
  absl::StatusOr<std::unique_ptr<Executable>> CompileProgram(absl::string_view bytes,
                                                             const std::string& name,
                                                             const CompileOptions& options = {});
  // What Executable::Serialize gave, perhaps in another process. kDataLoss if it is damaged or of
  // another version; kFailedPrecondition if it is for another device.
  absl::StatusOr<std::unique_ptr<Executable>> Deserialize(std::string program);
  // Calls `callback` once, with Buffer::Wait's answer: at once if the buffer is ready, else later
  // from a thread of this client. It must not throw. ~Client waits for the calls.
  void OnReady(const Buffer& buffer, std::function<void(absl::Status)> callback);
  // Until all runs and calls so far are done.
  void WaitUntilIdle();
  // Does `work` on that thread, after the calls that are due before it.
  void RunLater(std::function<void()> work);
  absl::StatusOr<Buffer> BufferFromLiteral(const hlo::Literal& literal);
  // The same without a copy, if the device uses host memory and the literal's is aligned to 64
  // bytes; the buffer shares the literal's bytes then.
  absl::StatusOr<Buffer> BufferInPlace(const hlo::Literal& literal);

 private:
  Client() = default;
  absl::StatusOr<std::unique_ptr<Executable>> Load(std::string program, const CompileStats& stats);
  absl::StatusOr<std::unique_ptr<Executable>> CompileDynamic(const hlo::Module& module,
                                                             const CompileOptions& options);
  absl::StatusOr<std::string> ProgramKey(absl::string_view bytes, const CompileOptions& options,
                                         ClientOptions* used) const;

  ClientOptions options_;
  Target target_;
  struct State;
  std::unique_ptr<State> state_;
};

// How a program is planned for the target (`compile.choices` included, kept ones not).
absl::StatusOr<lowering::PlanOptions> PlanOptionsFor(const Target& target,
                                                     const CompileOptions& compile);

// Compiling without running: for `compile`, `show`, tests. Fills in every kernel's object, from the
// cache where it is there.
struct ProgramCompiler {
  ClientOptions client;  // cache settings
  CompileOptions compile;
  CompileStats stats;
  // The program is to run in this process: a custom call of a function that is not there is an
  // error before anything is sent to codegen. Else it is for whoever runs it to have them.
  bool runs_here = false;
  // Replies of the kernels (schedules used; dumps when compile.dump_dir or want_dump), by kernel.
  bool want_dump = false;
  std::vector<lowering::KernelReply> replies;
  // The tuning database could not be read, or not all of it: another compile may find more.
  bool tuning_failed = false;
  absl::StatusOr<ProgramSpec> Compile(const hlo::Module& module, const Target& target);
  // Kernels as requests, without objects: nothing is sent to codegen.
  absl::StatusOr<ProgramSpec> Plan(const hlo::Module& module, const Target& target);

 private:
  struct Planned;
  struct Wanted;
  absl::StatusOr<std::vector<Wanted>> WantedKernels(const ProgramSpec& program,
                                                    const std::string& target);
  absl::Status CompileMissing(const ProgramSpec& program, std::vector<Wanted>* wanted,
                              const std::vector<size_t>& missing);
  absl::StatusOr<Planned> PlanAndDump(const hlo::Module& module, const Target& target);
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_CLIENT_H_
