// halyard compile: makes a program into a library for C programs, or into a file for the runtime.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/api/aot.h"
#include "runtime/archive/c_names.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"
#include "tools/halyard/runtime_archive.h"

namespace halyard::tools {
namespace {

using runtime::DeviceKind;

struct CompileCommandOptions {
  std::string file, folder = ".", name, emit = "static", weights = "embed";
  ProgramOptions program;
  std::vector<std::string> targets = {"x86"};
};

// Returns what is wrong with the name, or "".
std::string WrongName(const std::string& name) {
  return std::string(CheckModelName(name).message());
}

std::string Count(int64_t number) { return number < 0 ? "-" : absl::StrCat(number); }

absl::StatusOr<std::vector<Target>> ParseTargets(const CompileCommandOptions& options,
                                                 const GlobalOptions& global) {
  std::vector<Target> targets;
  int libraries = 0;
  for (const std::string& text : options.targets) {
    absl::StatusOr<Target> target = TargetFor(ClientOptionsFor(global, text));
    if (!target.ok()) return target.status();
    if (target->device.kind == DeviceKind::kReference) {
      return absl::InvalidArgumentError(
          "--target=reference: the reference evaluates programs; it cannot compile them");
    }
    libraries += target->device.kind == DeviceKind::kX86 && options.emit == "static";
    if (libraries > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("--target names x86 twice, but there is one lib", options.name,
                       ".a; use --emit=bundle, or compile twice with different names"));
    }
    targets.push_back(*std::move(target));
  }
  if (options.weights == "file" && libraries == 0) {
    return absl::InvalidArgumentError(
        "--weights=file: that is for libraries, which are for x86; a program file is mapped as a "
        "whole");
  }
  return targets;
}

int Compile(const CompileCommandOptions& options, const GlobalOptions& global) {
  absl::StatusOr<std::vector<Target>> targets = ParseTargets(options, global);
  if (!targets.ok()) return FailTarget(targets.status());
  absl::StatusOr<NamedProgram> program = ReadNamedProgramFile(options.file);
  if (!program.ok()) return Fail(program.status());
  AotOptions aot;
  aot.result_names = program->result_names;
  aot.folder = options.folder;
  aot.name = options.name;
  aot.bundle = options.emit == "bundle";
  aot.weights_file = options.weights == "file";
  aot.runtime_archive = RuntimeArchive();
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program);
  if (!compile.ok()) return Fail(compile.status());
  aot.compile = *std::move(compile);
  aot.compile.file = options.file;
  std::vector<std::vector<std::string>> table = {{"target", "kernels", "kernel bytes", "constants",
                                                  "arena bytes", "registers", "spilled bytes"}};
  std::string notes;
  for (const Target& target : *targets) {
    aot.client = ClientOptionsFor(global, target.text);
    absl::StatusOr<AotReport> report;
    {
      Progress progress(absl::StrCat("compiling ", options.file, " for ", target.text));
      aot.compile.progress = [&progress](int done, int total) { progress.Update(done, total); };
      report = CompileAheadOfTime(*program->module, target, aot);
    }
    if (!report.ok()) return Fail(report.status());
    table.push_back({target.text, Count(report->kernels), Count(report->kernel_bytes),
                     Count(report->constant_bytes), Count(report->arena_bytes),
                     Count(report->max_registers), Count(report->spilled_bytes)});
    absl::StrAppend(&notes, target.text, ": wrote ", absl::StrJoin(report->files, " and "));
    if (report->files.size() == 1)
      absl::StrAppend(&notes, ", a program file for Halyard's runtime");
    absl::StrAppend(&notes, "\n", target.text, ": ", MemoryLine(report->memory), "\n");
  }
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
                   "Targets, separated by commas: x86, x86:v2, x86:v3, x86:v4 (a library); "
                   "cuda:sm_80, vulkan, ... (a program file each)")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("-o", options->folder, "Folder for the files")->capture_default_str();
  command->add_option("--name", options->name, "Name of the library and its functions")
      ->required()
      ->check(WrongName);
  command
      ->add_option("--emit", options->emit,
                   "static: x86 as a library; bundle: x86 as a program file too")
      ->check(CLI::IsMember({"static", "bundle"}))
      ->capture_default_str();
  command
      ->add_option("--weights", options->weights,
                   "embed: constants lie in the library; file: in NAME.weights, which the "
                   "application maps")
      ->check(CLI::IsMember({"embed", "file"}))
      ->capture_default_str();
  AddProgramOptions(*command, &options->program);
  command->callback([options, &global, action] {
    *action = [options, &global] { return Compile(*options, global); };
  });
}

}  // namespace halyard::tools
