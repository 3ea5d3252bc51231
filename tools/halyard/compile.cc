// halyard compile: makes a program into a library for C programs, or into a file for the runtime.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/api/aot.h"
#include "client/api/program_compiler.h"
#include "client/reports/compile_times.h"
#include "client/reports/manifest.h"
#include "client/tuning/tuned_schedules.h"
#include "frontend/files/sha256.h"
#include "runtime/archive/c_names.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"
#include "tools/halyard/runtime_archive.h"

namespace halyard::tools {
namespace {

using runtime::DeviceKind;

struct CompileCommandOptions {
  std::string file, folder = ".", name, weights = "embed";
  std::string emit = "split", cuda_code = "auto", check_manifest;
  bool time_passes = false;
  ProgramOptions program;
  std::vector<std::string> targets = {"x86"};
};

// Returns what is wrong with the name, or "".
std::string WrongName(const std::string& name) {
  return std::string(CheckModelName(name).message());
}

std::string Count(int64_t number) { return number < 0 ? "-" : absl::StrCat(number); }

const std::map<std::string, Emit>& EmitNames() {
  static const auto* const names = new std::map<std::string, Emit>{{"split", Emit::kSplit},
                                                                   {"programs", Emit::kPrograms},
                                                                   {"bundle", Emit::kBundle},
                                                                   {"static", Emit::kStatic},
                                                                   {"shared", Emit::kShared}};
  return *names;
}

// In files for devices of several kinds, CUDA kernels are PTX, which also the drivers of later GPUs
// compile. This process has not asked for a kernel yet.
void ChooseCudaCode(const std::string& code, Emit emit) {
  const bool one_file = emit == Emit::kBundle || emit == Emit::kStatic || emit == Emit::kShared;
  if (code == "ptx" || (code == "auto" && one_file)) setenv("HALYARD_PTXAS", "", 1);
}

absl::StatusOr<std::vector<Target>> ParseTargets(const CompileCommandOptions& options,
                                                 const GlobalOptions& global) {
  const Emit emit = EmitNames().at(options.emit);
  std::vector<Target> targets;
  int libraries = 0;
  for (const std::string& text : options.targets) {
    absl::StatusOr<Target> target = TargetFor(ClientOptionsFor(global, text));
    if (!target.ok()) return target.status();
    if (target->device.kind == DeviceKind::kReference) {
      return absl::InvalidArgumentError(
          "--target=reference: the reference evaluates programs; it cannot compile them");
    }
    libraries += target->device.kind == DeviceKind::kX86 && emit == Emit::kSplit;
    if (libraries > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("--target names x86 twice, but there is one lib", options.name,
                       ".a; use --emit=static, which puts all targets into it, or --emit=bundle"));
    }
    for (const Target& other : targets) {
      if (other.text == target->text) {
        return absl::InvalidArgumentError(absl::StrCat("--target names ", target->text, " twice"));
      }
    }
    targets.push_back(*std::move(target));
  }
  if (emit == Emit::kStatic || emit == Emit::kShared) libraries = 1;
  if (options.weights == "file" && libraries == 0) {
    return absl::InvalidArgumentError(
        "--weights=file: that is for libraries; program files and bundles are mapped as a whole");
  }
  return targets;
}

std::string YesNo(bool value) { return value ? "yes" : "no"; }

// Returns what the manifest says of the options and of the database.
absl::StatusOr<ManifestInputs> InputsOfManifest(const CompileCommandOptions& options,
                                                const GlobalOptions& global,
                                                const CompileOptions& compile) {
  const auto hash = [](const std::string& text) { return text.empty() ? "" : Sha256Of(text); };
  ManifestInputs inputs;
  inputs.program = options.file;
  inputs.options = {{"emit", options.emit},
                    {"weights", options.weights},
                    {"cuda-code", options.cuda_code},
                    {"arg-shapes", options.program.arg_shapes},
                    {"schedules", hash(compile.schedules)},
                    {"choices", hash(compile.choices)},
                    {"threads", absl::StrCat(global.client.threads)},
                    {"libraries", YesNo(global.client.use_libraries)},
                    {"attention", YesNo(compile.attention)},
                    {"without", compile.without}};
  if (!global.client.use_tuning) return inputs;
  absl::StatusOr<TunedSchedules> tuned =
      TunedSchedules::OpenForCompile(global.client.tuning_database, global.client.locked);
  if (!tuned.ok()) return tuned.status();
  inputs.tuning_state = tuned->state();
  return inputs;
}

// Writes NAME.manifest.json beside the files, unless it differs from the manifest that the options
// name, whose text is `expected`.
absl::Status WriteManifest(const CompileCommandOptions& options, const ManifestInputs& inputs,
                           const std::string& expected, absl::Span<const ProgramSpec> programs,
                           absl::Span<const AotReport> reports, std::vector<std::string>* files) {
  absl::StatusOr<std::string> made = MakeManifest(options.name, inputs, programs, reports, *files);
  if (!made.ok()) return made.status();
  if (!options.check_manifest.empty()) {
    absl::Status same = CheckManifest(options.check_manifest, expected, *made);
    if (!same.ok()) return same;
  }
  files->push_back(absl::StrCat(options.folder, "/", options.name, ".manifest.json"));
  return WriteFile(files->back(), *made);
}

int Compile(const CompileCommandOptions& options, const GlobalOptions& global) {
  absl::StatusOr<std::vector<Target>> targets = ParseTargets(options, global);
  if (!targets.ok()) return FailTarget(targets.status());
  std::string expected;
  if (!options.check_manifest.empty()) {
    if (absl::Status s = ReadTextFile(options.check_manifest, &expected); !s.ok()) return Fail(s);
  }
  absl::StatusOr<NamedProgram> program = ReadNamedProgramFile(options.file);
  if (!program.ok()) return Fail(program.status());
  AotOptions aot;
  aot.result_names = program->result_names;
  aot.folder = options.folder;
  aot.name = options.name;
  aot.emit = EmitNames().at(options.emit);
  aot.weights_file = options.weights == "file";
  aot.runtime = EmbeddedRuntime();
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program);
  if (!compile.ok()) return Fail(compile.status());
  aot.compile = *std::move(compile);
  aot.compile.file = options.file;
  std::vector<std::vector<std::string>> table = {{"target", "kernels", "kernel bytes", "constants",
                                                  "arena bytes", "registers", "spilled bytes"}};
  std::string notes;
  std::vector<ProgramSpec> programs;
  std::vector<AotReport> reports;
  ChooseCudaCode(options.cuda_code, aot.emit);
  for (const Target& target : *targets) {
    aot.client = ClientOptionsFor(global, target.text);
    if (options.time_passes) aot.client.profile = std::make_shared<Profile>();
    absl::StatusOr<CompiledTarget> compiled;
    {
      Progress progress(absl::StrCat("compiling ", options.file, " for ", target.text));
      aot.compile.progress = [&progress](int done, int total) { progress.Update(done, total); };
      compiled = CompileAheadOfTime(*program->module, target, aot);
    }
    if (!compiled.ok()) return Fail(compiled.status());
    if (options.time_passes) {
      fprintf(stderr, "%s\n%s", target.text.c_str(), CompileTimesText(*aot.client.profile).c_str());
    }
    const AotReport& report = compiled->report;
    table.push_back({target.text, Count(report.kernels), Count(report.kernel_bytes),
                     Count(report.constant_bytes), Count(report.arena_bytes),
                     Count(report.max_registers), Count(report.spilled_bytes)});
    absl::StrAppend(&notes, target.text, ": ", MemoryLine(report.memory), "\n");
    programs.push_back(std::move(compiled->program));
    reports.push_back(std::move(compiled->report));
  }
  absl::StatusOr<std::vector<std::string>> files =
      WriteAheadOfTime(*program->module, programs, aot);
  if (!files.ok()) return Fail(files.status());
  absl::StatusOr<ManifestInputs> inputs = InputsOfManifest(options, global, aot.compile);
  if (!inputs.ok()) return Fail(inputs.status());
  if (absl::Status s = WriteManifest(options, *inputs, expected, programs, reports, &*files);
      !s.ok())
    return Fail(s);
  absl::StrAppend(&notes, "wrote ", absl::StrJoin(*files, ", "), "\n");
  fputs(Columns(table).c_str(), stdout);
  fputs(notes.c_str(), stdout);
  return kFine;
}

}  // namespace

void AddCompile(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<CompileCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "compile", "Compile a program ahead of time: NAME.h and libNAME.a for C programs");
  command->add_option("FILE", options->file, "HLO text or proto, or StableHLO text")->required();
  command
      ->add_option("--target", options->targets,
                   "Targets, separated by commas: x86, x86:v2, x86:v3, x86:v4, vulkan, cuda:sm_80")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("-o", options->folder, "Folder for the files")->capture_default_str();
  command->add_option("--name", options->name, "Name of the library and its functions")
      ->required()
      ->check(WrongName);
  command
      ->add_option("--emit", options->emit,
                   "static, shared: a library with all targets, which chooses when it starts; "
                   "bundle: a file with all targets, for Halyard's runtime; split: a library for "
                   "x86, a program file for each other target; programs: a file for each target")
      ->check(CLI::IsMember({"split", "programs", "bundle", "static", "shared"}))
      ->capture_default_str();
  command
      ->add_option("--weights", options->weights,
                   "embed: constants lie in the library; file: in NAME.weights, which the "
                   "application maps")
      ->check(CLI::IsMember({"embed", "file"}))
      ->capture_default_str();
  command
      ->add_option("--cuda-code", options->cuda_code,
                   "ptx: CUDA kernels are compiled by the driver, also by those of later GPUs; "
                   "machine: by ptxas, if it knows the GPU; auto: ptx if one file has all targets")
      ->check(CLI::IsMember({"auto", "ptx", "machine"}))
      ->capture_default_str();
  command->add_flag("--time-passes", options->time_passes,
                    "Print on stderr how long each pass and each kernel took");
  command->add_option("--check-manifest", options->check_manifest,
                      "A NAME.manifest.json of an earlier compile: it is an error if this one made "
                      "anything else");
  AddProgramOptions(*command, &options->program);
  command->callback([options, &global, action] {
    *action = [options, &global] { return Compile(*options, global); };
  });
}

}  // namespace halyard::tools
