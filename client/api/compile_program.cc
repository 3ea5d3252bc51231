// Compiles program files and programs in memory, with the cache of whole programs.

#include <chrono>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/api/client.h"
#include "client/api/client_state.h"
#include "client/api/custom_call.h"
#include "client/api/program_compiler.h"
#include "client/cache/store.h"
#include "client/reports/profile.h"
#include "client/tuning/tuned_schedules.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/stablehlo/whole_scatter_windows.h"
#include "plan_source_hash.h"

namespace halyard {

using Clock = std::chrono::steady_clock;

namespace {

// Records a phase of a compile, which ends with the scope.
class PhaseTimer {
 public:
  PhaseTimer(Profile* profile, std::string name) : profile_(profile), name_(std::move(name)) {}
  ~PhaseTimer() {
    if (profile_ != nullptr) profile_->AddSince(ProfileEvent::Kind::kCompile, name_, begin_);
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  Profile* profile_;
  std::string name_;
  int64_t begin_ = Profile::Now();
};

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

// Returns the key of a cached program, which states everything on which the program depends, but
// for the file's name. Clears `use_tuning` in `used` if the tuning database cannot be read.
absl::StatusOr<std::string> Client::ProgramKey(absl::string_view bytes,
                                               const CompileOptions& options,
                                               ClientOptions* used) const {
  std::string tuning = "none";
  if (used->use_tuning && !options.quick) {
    absl::StatusOr<TunedSchedules> tuned =
        TunedSchedules::OpenForCompile(options_.tuning_database, options_.locked);
    if (!tuned.ok()) return tuned.status();
    used->use_tuning = !tuned->failed();
    if (used->use_tuning) {
      tuning =
          absl::StrCat(tuned->state(), " ", target_.device.name, options_.locked ? " locked" : "");
    }
  }
  // The key of an empty request names the device, the codegen sources and versions.
  lowering::KernelRequest device;
  device.device = target_.device;
  const std::string device_key = device.ObjectKey(lowering::gpu::AssemblerOf(target_.device.kind));
  return absl::StrCat("program\nsources ", HALYARD_PLAN_SOURCE_HASH, "\n", target_.text, "\n",
                      options.KeyText(), "tuning ", tuning, "\n", device_key, "\nmemory ",
                      target_.device.memory_bytes, " ", target_.device.max_allocation_bytes,
                      "\nlibraries ", target_.device.libraries, "\ndecompositions ",
                      absl::StrJoin(RegisteredDecompositions(), " "), "\n", bytes);
}

absl::Status SetGrid(const CompileOptions& options, hlo::Module* module) {
  if (options.num_replicas <= 0 && options.num_partitions <= 0) return absl::OkStatus();
  if (options.num_replicas > 0) module->num_replicas = options.num_replicas;
  if (options.num_partitions > 0) {
    // Arguments and results have been cut for the partitions that the program names.
    if (module->num_partitions > 1 && module->num_partitions != options.num_partitions) {
      return absl::InvalidArgumentError(absl::StrCat("the program is for ", module->num_partitions,
                                                     " partitions, the options are for ",
                                                     options.num_partitions));
    }
    module->num_partitions = options.num_partitions;
  }
  return hlo::VerifyModule(*module);
}

absl::StatusOr<std::unique_ptr<Executable>> Client::CompileFile(const std::string& path,
                                                                const CompileOptions& options) {
  absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  return CompileProgram(*bytes, path, options);
}

absl::StatusOr<std::unique_ptr<Executable>> Client::CompileProgram(absl::string_view bytes,
                                                                   const std::string& name,
                                                                   const CompileOptions& options) {
  auto start = Clock::now();
  const PhaseTimer whole(options_.profile.get(), absl::StrCat("compile ", name));
  if (absl::Status s = CheckQuick(options_, options); !s.ok()) return s;
  absl::StatusOr<Store> store = absl::NotFoundError("no cache");
  ClientOptions used = options_;
  std::string key;
  // If shapes are given, the program is read to check that they fit it.
  const bool cached = options_.use_cache && options.dump_dir.empty() &&
                      options.argument_shapes.empty() && !state_->is_reference();
  if (cached) {
    store = Store::OpenForCompile(options_.cache_dir);
    if (!store.ok()) return store.status();
    absl::StatusOr<std::string> made_from = ProgramKey(bytes, options, &used);
    if (!made_from.ok()) return made_from.status();
    // Kernels say from where in which file they come, and the name may decide the format.
    key = absl::StrCat("file ", name.size(), " ", name, "\n", *made_from);
    if (std::optional<std::string> program = store->Read("program", key)) {
      CompileStats stats;
      stats.program_from_cache = true;
      stats.parse_ms = MillisecondsSince(start);
      absl::StatusOr<std::unique_ptr<Executable>> executable =
          Load(*std::move(program), options.device_assignment, stats);
      // A damaged program is compiled again. If a function is missing, the source is read again to
      // say where the program calls it.
      const absl::StatusCode code = executable.status().code();
      if (code != absl::StatusCode::kDataLoss && code != absl::StatusCode::kNotFound)
        return executable;
    }
  }
  const int64_t parse_begin = Profile::Now();
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(bytes, name);
  if (!module.ok()) return module.status();
  if (options_.profile != nullptr)
    options_.profile->AddSince(ProfileEvent::Kind::kCompile, "parse", parse_begin);
  if (options.whole_scatter_windows) {
    if (absl::Status s = stablehlo::DropPartialScatterWindows(module->get()); !s.ok()) return s;
  }
  if (absl::Status s = SetGrid(options, module->get()); !s.ok()) return s;
  const double parse_ms = MillisecondsSince(start);
  ProgramCompiler compiler;
  compiler.client = used;
  compiler.compile = options;
  if (compiler.compile.file.empty()) compiler.compile.file = name;
  if (state_->is_reference() || hlo::NeedsSpecialization(**module))
    return Compile(**module, compiler.compile);
  compiler.stats.parse_ms = parse_ms;
  compiler.runs_here = true;
  absl::StatusOr<ProgramSpec> spec = compiler.Compile(**module, target_);
  if (!spec.ok()) return spec.status();
  std::string program = WriteProgram(*spec);
  if (cached && !compiler.tuning_failed) store->Write("program", key, program);
  return Load(std::move(program), options.device_assignment, compiler.stats);
}

absl::StatusOr<std::unique_ptr<Executable>> Client::Deserialize(
    std::string program, const std::vector<int>& device_assignment) {
  if (state_->is_reference()) {
    return absl::UnimplementedError(
        "the reference evaluator runs programs as they are written: it loads no compiled ones");
  }
  return Load(std::move(program), device_assignment, CompileStats());
}

}  // namespace halyard
