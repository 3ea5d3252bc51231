// halyard compile: makes a program into a library for C programs, or into a file for the runtime.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/aot/aot.h"
#include "client/aot/sized_entry.h"
#include "client/api/program_compiler.h"
#include "client/reports/compile_times.h"
#include "runtime/archive/c_names.h"
#include "tools/halyard/command.h"
#include "tools/halyard/compile_manifest.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"
#include "tools/halyard/runtime_archive.h"

namespace halyard::tools {
namespace {

using runtime::DeviceKind;

struct CompileCommandOptions {
  std::string file, folder = ".", name, weights = "embed";
  std::string emit, cuda_code = "auto", check_manifest, expected_manifest;
  bool time_passes = false;
  ProgramOptions program;
  std::vector<std::string> targets = {"x86"}, entries, sizes;

  // Whether there is more than one program for a target.
  bool HasCatalogue() const { return entries.size() > 1 || !sizes.empty(); }
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

// The form that was asked for, or the one that suits the program.
std::string EmitName(const CompileCommandOptions& options) {
  if (options.emit.empty()) return options.HasCatalogue() ? "static" : "split";
  return options.emit;
}

Emit EmitOf(const CompileCommandOptions& options) { return EmitNames().at(EmitName(options)); }

// In files for devices of several kinds, CUDA kernels are PTX, which also the drivers of later GPUs
// compile. This process has not asked for a kernel yet.
void ChooseCudaCode(const std::string& code, Emit emit) {
  const bool one_file = emit == Emit::kBundle || emit == Emit::kStatic || emit == Emit::kShared;
  if (code == "ptx" || (code == "auto" && one_file)) setenv("HALYARD_PTXAS", "", 1);
}

absl::StatusOr<std::vector<Target>> ParseTargets(const CompileCommandOptions& options,
                                                 const GlobalOptions& global) {
  const Emit emit = EmitOf(options);
  if (options.HasCatalogue() && (emit == Emit::kSplit || emit == Emit::kPrograms)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--emit=", options.emit,
                     ": several entries and variable sizes are for --emit=static, shared or "
                     "bundle, which hold several programs"));
  }
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
  const bool has_cuda = std::any_of(targets.begin(), targets.end(), [](const Target& target) {
    return target.device.kind == DeviceKind::kCuda;
  });
  if (options.cuda_code != "auto" && !has_cuda) {
    return absl::InvalidArgumentError(
        absl::StrCat("--cuda-code=", options.cuda_code, ": no --target is for CUDA"));
  }
  if (emit == Emit::kStatic || emit == Emit::kShared) libraries = 1;
  if (options.weights == "file" && libraries == 0) {
    return absl::InvalidArgumentError(
        "--weights=file: that is for libraries; program files and bundles are mapped as a whole");
  }
  return targets;
}

// The table and the lines that the command prints.
class Report {
 public:
  void Add(const std::string& target, const AotReport& report) {
    table_.push_back({target, Count(report.kernels), Count(report.kernel_bytes),
                      Count(report.constant_bytes), Count(report.arena_bytes),
                      Count(report.max_registers), Count(report.spilled_bytes)});
    absl::StrAppend(&notes_, target, ": ", MemoryLine(report.memory), "\n");
  }
  void Print(const std::vector<std::string>& files) const {
    fputs(Columns(table_).c_str(), stdout);
    fputs(absl::StrCat(notes_, "wrote ", absl::StrJoin(files, ", "), "\n").c_str(), stdout);
  }

 private:
  std::vector<std::vector<std::string>> table_ = {{"target", "kernels", "kernel bytes", "constants",
                                                   "arena bytes", "registers", "spilled bytes"}};
  std::string notes_;
};

// A program that is to be compiled for a target.
struct Job {
  const hlo::Module& module;
  const Target& target;
  const std::string label;
};

absl::StatusOr<CompiledTarget> CompileFor(const Job& job, bool time_passes,
                                          const GlobalOptions& global, AotOptions* aot) {
  aot->client = ClientOptionsFor(global, job.target.text);
  if (time_passes) aot->client.profile = std::make_shared<Profile>();
  absl::StatusOr<CompiledTarget> compiled;
  {
    Progress progress(absl::StrCat("compiling ", job.label, " for ", job.target.text));
    aot->compile.progress = [&progress](int done, int total) { progress.Update(done, total); };
    compiled = CompileAheadOfTime(job.module, job.target, *aot);
  }
  if (time_passes && compiled.ok()) {
    fprintf(stderr, "%s for %s\n%s", job.label.c_str(), job.target.text.c_str(),
            CompileTimesText(*aot->client.profile).c_str());
  }
  return compiled;
}

// What the manifest says of the command's options.
ManifestOptions ManifestOptionsOf(const CompileCommandOptions& options) {
  return {.folder = options.folder,
          .name = options.name,
          .file = options.file,
          .emit = EmitName(options),
          .weights = options.weights,
          .cuda_code = options.cuda_code,
          .arg_shapes = options.program.arg_shapes,
          .entries = absl::StrJoin(options.entries, ","),
          .sizes = absl::StrJoin(options.sizes, " "),
          .check = options.check_manifest,
          .expected = options.expected_manifest};
}

int CompileOne(const CompileCommandOptions& options, const std::vector<Target>& targets,
               const GlobalOptions& global, AotOptions aot) {
  const std::string entry = options.entries.empty() ? "" : options.entries[0];
  absl::StatusOr<NamedProgram> program = ReadNamedProgramFile(options.file, entry);
  if (!program.ok()) return Fail(program.status());
  aot.result_names = program->result_names;
  Report report;
  std::vector<ProgramSpec> programs;
  std::vector<AotReport> reports;
  for (const Target& target : targets) {
    absl::StatusOr<CompiledTarget> compiled =
        CompileFor({*program->module, target, options.file}, options.time_passes, global, &aot);
    if (!compiled.ok()) return Fail(compiled.status());
    report.Add(target.text, compiled->report);
    programs.push_back(std::move(compiled->program));
    reports.push_back(std::move(compiled->report));
  }
  absl::StatusOr<std::vector<std::string>> files =
      WriteAheadOfTime(*program->module, programs, aot);
  if (!files.ok()) return Fail(files.status());
  absl::Status manifest = WriteManifest(ManifestOptionsOf(options), global, aot.compile,
                                        {{options.name, 0}}, programs, reports, &*files);
  if (!manifest.ok()) return Fail(manifest);
  report.Print(*files);
  return kFine;
}

// The entries of a program, as static modules for each of the sizes.
struct Entries {
  CatalogueSpec catalogue;
  std::vector<std::vector<std::unique_ptr<hlo::Module>>> modules;  // of each entry
  std::vector<ValueNames> names;
};

// Checks that an entry has each of the declared sizes (`used`), and each place of theirs.
absl::Status CheckUsed(const std::vector<DeclaredSize>& sizes, const std::set<std::string>& used,
                       const std::set<std::string>& places) {
  for (const DeclaredSize& size : sizes) {
    if (used.count(size.name) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("--dim=", size.name, ": the program has no such size",
                       used.empty() ? "" : "; its sizes are ", absl::StrJoin(used, ", ")));
    }
    for (const std::string& place : size.places) {
      if (places.count(place) != 0) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("--dim=", size.name, "=", place,
                       ": no argument has that dimension, or it is not one that runs choose"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<DeclaredSize>> ParseSizes(const CompileCommandOptions& options) {
  std::vector<DeclaredSize> sizes;
  for (const std::string& text : options.sizes) {
    absl::StatusOr<DeclaredSize> size = ParseDeclaredSize(text);
    if (!size.ok()) return size.status();
    for (const DeclaredSize& other : sizes) {
      if (other.name == size->name)
        return absl::InvalidArgumentError(absl::StrCat("--dim names ", size->name, " twice"));
    }
    sizes.push_back(*std::move(size));
  }
  return sizes;
}

absl::StatusOr<Entries> ReadEntries(const CompileCommandOptions& options) {
  absl::StatusOr<std::vector<DeclaredSize>> sizes = ParseSizes(options);
  if (!sizes.ok()) return sizes.status();
  Entries entries;
  std::set<std::string> used, places;
  std::vector<std::string> names = options.entries;
  if (names.empty()) names = {""};
  for (const std::string& name : names) {
    absl::StatusOr<NamedProgram> program = ReadNamedProgramFile(options.file, name);
    if (!program.ok()) return program.status();
    const std::string shown = name.empty() ? program->module->entry()->name() : name;
    absl::StatusOr<SizedEntry> entry = MakeSizedEntry(shown, *program->module, *sizes);
    if (!entry.ok()) return entry.status();
    for (const CatalogueSpec::Entry& other : entries.catalogue.entries) {
      if (other.name == shown)
        return absl::InvalidArgumentError(absl::StrCat("--entry names ", shown, " twice"));
    }
    for (const auto& variable : entry->catalogue.variables) used.insert(variable.name);
    places.merge(entry->places);
    entries.names.push_back(NamesOfValues(*program->module, program->result_names));
    entries.modules.push_back(std::move(entry->modules));
    entries.catalogue.entries.push_back(std::move(entry->catalogue));
  }
  if (absl::Status s = CheckUsed(*sizes, used, places); !s.ok()) return s;
  return entries;
}

// Adds what a program of a target needs. Programs share their constants, and one runs at a time.
void AddTo(AotReport* all, const AotReport& one) {
  all->kernels += one.kernels;
  all->kernel_bytes += one.kernel_bytes;
  all->constant_bytes = std::max(all->constant_bytes, one.constant_bytes);
  if (one.arena_bytes >= all->arena_bytes) {
    all->arena_bytes = one.arena_bytes;
    all->memory = one.memory;
  }
  all->max_registers = std::max(all->max_registers, one.max_registers);
  if (one.spilled_bytes >= 0)
    all->spilled_bytes = std::max<int64_t>(all->spilled_bytes, 0) + one.spilled_bytes;
}

int CompileEntries(const CompileCommandOptions& options, const std::vector<Target>& targets,
                   const GlobalOptions& global, AotOptions aot) {
  if (!aot.compile.argument_shapes.empty())
    return Fail(absl::InvalidArgumentError("--arg-shapes and --dim or several entries: give one"));
  absl::StatusOr<Entries> entries = ReadEntries(options);
  if (!entries.ok()) return Fail(entries.status());
  entries->catalogue.num_targets = static_cast<uint32_t>(targets.size());
  Report report;
  std::vector<ProgramSpec> parts;
  std::vector<AotReport> reports;
  std::vector<ManifestEntry> listed;
  for (const Target& target : targets) {
    AotReport all;
    for (size_t e = 0; e < entries->modules.size(); ++e) {
      for (size_t i = 0; i < entries->modules[e].size(); ++i) {
        const std::string label =
            absl::StrCat(options.file, " @", entries->catalogue.entries[e].name, " (", i + 1, "/",
                         entries->modules[e].size(), ")");
        absl::StatusOr<CompiledTarget> compiled =
            CompileFor({*entries->modules[e][i], target, label}, options.time_passes, global, &aot);
        if (!compiled.ok()) return Fail(compiled.status());
        AddTo(&all, compiled->report);
        parts.push_back(std::move(compiled->program));
        reports.push_back(std::move(compiled->report));
      }
      // The last part is for the largest sizes.
      if (listed.size() <= e)
        listed.push_back({entries->catalogue.entries[e].name, parts.size() - 1});
    }
    report.Add(target.text, all);
  }
  absl::StatusOr<std::vector<std::string>> files =
      WriteAheadOfTime(parts, entries->catalogue, entries->names, aot);
  if (!files.ok()) return Fail(files.status());
  absl::Status manifest = WriteManifest(ManifestOptionsOf(options), global, aot.compile, listed,
                                        parts, reports, &*files);
  if (!manifest.ok()) return Fail(manifest);
  report.Print(*files);
  return kFine;
}

int Compile(CompileCommandOptions options, const GlobalOptions& global) {
  if (!options.check_manifest.empty()) {
    absl::StatusOr<std::string> manifest = ReadManifest(options.check_manifest);
    if (!manifest.ok()) return Fail(manifest.status());
    options.expected_manifest = *std::move(manifest);
  }
  absl::StatusOr<std::vector<Target>> targets = ParseTargets(options, global);
  if (!targets.ok()) return FailTarget(targets.status());
  AotOptions aot;
  aot.folder = options.folder;
  aot.name = options.name;
  aot.emit = EmitOf(options);
  aot.weights_file = options.weights == "file";
  aot.runtime = EmbeddedRuntime();
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program);
  if (!compile.ok()) return Fail(compile.status());
  aot.compile = *std::move(compile);
  aot.compile.file = options.file;
  ChooseCudaCode(options.cuda_code, aot.emit);
  return options.HasCatalogue() ? CompileEntries(options, *targets, global, std::move(aot))
                                : CompileOne(options, *targets, global, std::move(aot));
}

}  // namespace

void AddCompile(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<CompileCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "compile", "Compile a program ahead of time: NAME.h and libNAME.a for C programs");
  command->add_option("FILE", options->file, "HLO text or proto, or StableHLO text")->required();
  command
      ->add_option("--target", options->targets,
                   "Targets, separated by commas: x86, x86:v2, x86:v3, x86:v4, x86:sapphirerapids, "
                   "vulkan, cuda:sm_80")
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
                   "x86, a program file for each other target; programs: a file for each target. "
                   "Without it, split, or static with several entries or variable sizes")
      ->check(CLI::IsMember({"split", "programs", "bundle", "static", "shared"}));
  command
      ->add_option(
          "--entry", options->entries,
          "Functions of a StableHLO module, separated by commas: each is NAME_FUNCTION_run "
          "of the library. Without it, @main or the only public function")
      ->delimiter(',');
  command->add_option("--dim", options->sizes,
                      "A size that each run chooses: NAME:1..256, or NAME:1,8,64 for only these "
                      "sizes. NAME is that of the program, or ARGUMENT.DIMENSION, or "
                      "NAME=ARGUMENT.DIMENSION. May be repeated");
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
