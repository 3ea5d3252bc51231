// halyard show: prints what becomes of a program, stage by stage.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "client/tuning/tuned_schedules.h"
#include "codegen/gpu/ptx/nvdisasm.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo_text/printer.h"
#include "lowering/plan/compile_plan.h"
#include "lowering/plan/fuse/decisions.h"
#include "runtime/kernel_object.h"
#include "runtime/x86/cpu.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/print_program.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

using runtime::DeviceKind;

struct ShowOptions {
  std::string file, stage, target, format = "text";
  ProgramOptions program;
};

bool IsOneOf(const std::string& stage, std::initializer_list<const char*> stages) {
  for (const char* s : stages) {
    if (stage == s) return true;
  }
  return false;
}

// Returns the target to compile for if --target is not given.
std::string TargetOf(const ShowOptions& options) {
  if (!options.target.empty()) return options.target;
  if (IsOneOf(options.stage, {"ptx", "sass"})) return "cuda:sm_80";
  if (options.stage == "spirv") return "vulkan";
  if (options.stage == "asm" || options.stage == "llvm") return "x86";
  return "auto";
}

// A planned program, and how it was planned. `module` must outlive it.
struct Planning {
  const hlo::Module* module;
  std::unique_ptr<hlo::Module> specialized;  // what `module` points to if sizes were dynamic
  lowering::PlanOptions options;
};

absl::StatusOr<Planning> PlanningOf(const ShowOptions& options, const GlobalOptions& global,
                                    const hlo::Module& module, const Target& target) {
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program);
  if (!compile.ok()) return compile.status();
  absl::StatusOr<lowering::PlanOptions> plan = PlanOptionsFor(target, *compile);
  if (!plan.ok()) return plan.status();
  Planning planning = {&module, nullptr, *std::move(plan)};
  if (global.client.use_tuning && !compile->quick) {
    absl::StatusOr<TunedSchedules> opened =
        TunedSchedules::OpenForCompile(global.client.tuning_database, global.client.locked);
    if (!opened.ok()) return opened.status();
    planning.options.find_choices = [tuned = std::make_shared<TunedSchedules>(*std::move(opened)),
                                     device = target.device](const std::string& key) {
      return tuned->FindChoices(key, device);
    };
  }
  if (hlo::NeedsSpecialization(module)) {
    absl::StatusOr<std::unique_ptr<hlo::Module>> made =
        hlo::SpecializeForShapes(module, compile->argument_shapes);
    if (!made.ok()) return made.status();
    planning.specialized = *std::move(made);
    planning.module = planning.specialized.get();
  }
  return planning;
}

absl::StatusOr<std::string> ChoicesStage(const Planning& planning) {
  absl::StatusOr<std::vector<lowering::Decision>> decisions =
      lowering::ListDecisions(*planning.module, planning.options);
  if (!decisions.ok()) return decisions.status();
  return lowering::DecisionsText(*decisions);
}

// Returns the module after the passes; each fusion in it will become a kernel.
absl::StatusOr<std::unique_ptr<hlo::Module>> OptimizedModule(Planning planning) {
  std::unique_ptr<hlo::Module> last;
  planning.options.on_pass = [&last](const char*, const hlo::Module& m) { last = m.Clone(); };
  absl::StatusOr<ProgramSpec> program = lowering::PlanProgram(*planning.module, planning.options);
  if (!program.ok()) return program.status();
  return last;
}

// Returns a kernel's machine code, below a line about its resources and one about each launch.
absl::StatusOr<std::string> Sass(const lowering::KernelReply& reply) {
  runtime::KernelObjectView view;
  const runtime::Status parsed = runtime::ParseKernelObject(
      {reinterpret_cast<const uint8_t*>(reply.object.data()), reply.object.size()}, &view);
  if (!parsed.ok()) return absl::DataLossError(parsed.message());
  std::string text = absl::StrCat("// schedule: ", reply.schedule, "\n");
  if (reply.resources.known()) absl::StrAppend(&text, "// ", reply.resources.ToText(), "\n");
  for (uint32_t i = 0; i < view.num_launches; ++i) {
    const runtime::Launch launch = view.launch(i);
    const absl::string_view entry(launch.entry.data, launch.entry.size);
    if (launch.library != 0) {
      absl::StrAppend(&text, "// library call: ", entry, "\n");
      continue;
    }
    absl::StrAppend(&text, "// launch ", entry, " grid=", launch.grid[0], ",", launch.grid[1], ",",
                    launch.grid[2], " block=", launch.block[0], ",", launch.block[1], ",",
                    launch.block[2], " shared=", launch.shared_bytes, "\n");
  }
  for (uint32_t m = 0; m < view.num_modules; ++m) {
    const runtime::ByteSpan module = view.module(m);
    const absl::string_view bytes(reinterpret_cast<const char*>(module.data), module.size);
    if (!absl::StartsWith(bytes,
                          "\x7f"
                          "ELF")) {
      return absl::FailedPreconditionError(
          absl::StrCat("--stage=sass: a kernel is PTX for the driver, as ptxas did not assemble it",
                       reply.warning.empty() ? "" : ": ", reply.warning));
    }
    absl::StatusOr<std::string> sass = lowering::gpu::Disassemble(bytes);
    if (!sass.ok()) return sass.status();
    absl::StrAppend(&text, *sass);
  }
  return text;
}

// Prints the texts of one stage for all kernels, each below a comment with the kernel's name.
absl::StatusOr<std::string> KernelStage(const std::string& stage, const ProgramSpec& program,
                                        const std::vector<lowering::KernelReply>& replies) {
  const DeviceKind wanted = IsOneOf(stage, {"ptx", "sass"}) ? DeviceKind::kCuda
                            : stage == "spirv"              ? DeviceKind::kVulkan
                                                            : DeviceKind::kX86;
  const char* comment = stage == "asm" ? "#" : IsOneOf(stage, {"spirv", "llvm"}) ? ";" : "//";
  std::string text;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const ProgramSpec::Kernel& kernel = program.kernels[k];
    const DeviceKind kind =
        kernel.space == MemorySpace::kHost ? DeviceKind::kX86 : program.device.kind;
    const bool assembly = IsOneOf(stage, {"asm", "llvm", "ptx", "sass", "spirv"});
    if (assembly && kind != wanted) continue;
    if (stage == "sass") {
      absl::StatusOr<std::string> sass = Sass(replies[k]);
      if (!sass.ok()) return sass.status();
      absl::StrAppend(&text, comment, " ", kernel.name, "\n", *sass, "\n");
      continue;
    }
    const lowering::KernelDump& dump = replies[k].dump;
    absl::StrAppend(&text, comment, " ", kernel.name, "\n",
                    stage == "llvm" ? dump.llvm
                    : assembly      ? dump.assembly
                    : stage == "halide"
                        ? absl::StrCat(dump.algorithm, "// schedule: ", replies[k].schedule, "\n",
                                       dump.schedule)
                        : dump.stmt,
                    "\n");
  }
  if (text.empty() && !program.kernels.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--stage=", stage, ": no kernel of the program runs on ",
                     wanted == DeviceKind::kCuda ? "CUDA; name a target such as --target=cuda:sm_80"
                     : wanted == DeviceKind::kVulkan ? "Vulkan; say --target=vulkan"
                                                     : "x86; say --target=x86"));
  }
  return text;
}

int Threads(const GlobalOptions& global) {
  const int threads = global.client.threads;
  return threads > 0 ? threads : static_cast<int>(runtime::x86::OnlineCpus());
}

absl::StatusOr<std::string> CompiledStage(const ShowOptions& options, const GlobalOptions& global,
                                          const hlo::Module& module, const Target& target) {
  ProgramCompiler compiler;
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, options.program);
  if (!compile.ok()) return compile.status();
  compiler.client = ClientOptionsFor(global, target.text);
  compiler.compile = *std::move(compile);
  compiler.compile.file = options.file;
  compiler.want_dump =
      IsOneOf(options.stage, {"kernels", "halide", "stmt", "llvm", "asm", "ptx", "spirv"});
  Progress progress(absl::StrCat("compiling ", options.file));
  compiler.compile.progress = [&progress](int done, int total) { progress.Update(done, total); };
  absl::StatusOr<ProgramSpec> program = compiler.Compile(module, target);
  if (!program.ok()) return program.status();
  if (options.stage == "program") {
    return options.format == "dot" ? ProgramDot(*program) : ProgramText(*program);
  }
  if (options.stage == "memory") {
    if (options.format == "svg") return MemorySvg(*program);
    absl::StatusOr<MemoryPlan> plan = PlanMemory(*program, Threads(global));
    if (!plan.ok()) return plan.status();
    const std::string text = absl::StrCat(MemoryText(*program), MemoryLine(*plan), "\n");
    if (options.format != "html") return text;
    return absl::StrCat("<p>", EscapeHtml(MemoryLine(*plan)), "</p>\n", MemorySvg(*program),
                        "<details><summary>as a table</summary><pre>\n", EscapeHtml(text),
                        "</pre></details>\n");
  }
  if (options.stage == "schedule") {
    std::string text;
    for (size_t k = 0; k < program->kernels.size(); ++k) {
      absl::StrAppend(&text, program->kernels[k].name, ": ", compiler.replies[k].schedule, "\n");
    }
    return text;
  }
  if (options.stage == "kernels") {
    std::vector<std::string> hlo;
    for (const ProgramSpec::Kernel& kernel : program->kernels) {
      absl::StatusOr<lowering::KernelRequest> request =
          lowering::KernelRequest::Parse(kernel.request);
      if (!request.ok()) return request.status();
      hlo.push_back(request->hlo);
    }
    return KernelsText(*program, hlo);
  }
  return KernelStage(options.stage, *program, compiler.replies);
}

std::string ModuleText(const ShowOptions& options, const hlo::Module& module) {
  return options.format == "dot" ? ModuleDot(module) : hlo_text::Print(module);
}

// Prints what can be planned without compiling a kernel.
absl::StatusOr<std::string> PlanStage(const ShowOptions& options, const GlobalOptions& global,
                                      const hlo::Module& module, const Target& target) {
  absl::StatusOr<Planning> planning = PlanningOf(options, global, module, target);
  if (!planning.ok()) return planning.status();
  if (options.stage == "choices") return ChoicesStage(*planning);
  absl::StatusOr<std::unique_ptr<hlo::Module>> optimized = OptimizedModule(*std::move(planning));
  if (!optimized.ok()) return optimized.status();
  return ModuleText(options, **optimized);
}

int Show(const ShowOptions& options, const GlobalOptions& global) {
  if (options.format == "dot" && !IsOneOf(options.stage, {"hlo", "optimized", "program"})) {
    fprintf(stderr, "halyard: error: --format=dot is for --stage=hlo, optimized and program\n");
    return kUsage;
  }
  if (options.format == "svg" && options.stage != "memory") {
    fprintf(stderr, "halyard: error: --format=svg is for --stage=memory\n");
    return kUsage;
  }
  const bool planned = IsOneOf(options.stage, {"choices", "optimized"});
  absl::StatusOr<Target> target = Target();
  if (options.stage != "hlo") {
    target = TargetFor(ClientOptionsFor(global, TargetOf(options)));
    if (!target.ok()) return FailTarget(target.status());
    if (target->device.kind == DeviceKind::kReference) {
      fprintf(stderr,
              "halyard: error: --target=reference evaluates the program as it is; "
              "it has --stage=hlo only\n");
      return kUsage;
    }
  }
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(options.file);
  if (!module.ok()) return Fail(module.status());
  absl::StatusOr<std::string> text = options.stage == "hlo" ? ModuleText(options, **module)
                                     : planned ? PlanStage(options, global, **module, *target)
                                               : CompiledStage(options, global, **module, *target);
  if (!text.ok()) return Fail(text.status());
  if (options.format == "html") {
    const std::string title = EscapeHtml(absl::StrCat(options.file, ": ", options.stage));
    const std::string body =
        options.stage == "memory" ? *text : absl::StrCat("<pre>\n", EscapeHtml(*text), "</pre>");
    *text = absl::StrCat("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>", title,
                         "</title></head>\n<body><h1>", title, "</h1>\n", body, "</body></html>\n");
  }
  fwrite(text->data(), 1, text->size(), stdout);
  return kFine;
}

}  // namespace

void AddShow(CLI::App& app, const GlobalOptions& global, Action* action) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "Show what becomes of a program");
  command->add_option("FILE", options->file, "HLO text or proto, or StableHLO text")->required();
  command
      ->add_option(
          "--stage", options->stage,
          "hlo: as parsed; optimized: after the passes; kernels: each kernel's HLO; "
          "choices: to edit and give to --choices; halide: its algorithm, and its schedule "
          "as Halide calls; schedule: to edit and give to --schedules; stmt: Halide's "
          "statements; asm, ptx, sass (needs nvdisasm), spirv: machine code; memory: allocations; "
          "program: steps")
      ->required()
      ->check(CLI::IsMember({"hlo", "optimized", "kernels", "choices", "halide", "schedule", "stmt",
                             "llvm", "asm", "ptx", "sass", "spirv", "memory", "program"}));
  command->add_option("--target", options->target,
                      "As for run (default: auto; asm x86, ptx and sass cuda:sm_80, spirv vulkan)");
  command->add_option("--format", options->format, "text, html, dot, or, of memory, svg")
      ->check(CLI::IsMember({"text", "dot", "html", "svg"}))
      ->capture_default_str();
  AddProgramOptions(*command, &options->program);
  command->callback([options, &global, action] {
    *action = [options, &global] { return Show(*options, global); };
  });
}

}  // namespace halyard::tools
