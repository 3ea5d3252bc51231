#include "client/aot/aot.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "client/api/program_compiler.h"
#include "codegen/gpu/ptx/tool_process.h"
#include "frontend/files/system_error.h"
#include "frontend/stablehlo/stablehlo.h"
#include "runtime/program/bundle/bundle_format.h"
#include "runtime/x86/cpu.h"

namespace halyard {
namespace {

using lowering::gpu::FindInstalledTool;
using lowering::gpu::ReadToolFile;
using lowering::gpu::RunTool;
using lowering::gpu::WorkFolder;
using runtime::DeviceKind;

// The file is written under another name and renamed, so that nobody sees half a file.
absl::Status ReplaceFile(const std::string& path, absl::string_view bytes) {
  const std::string temporary = absl::StrCat(path, ".", getpid(), ".tmp");
  FILE* file = fopen(temporary.c_str(), "wb");
  int error = file == nullptr ? errno : 0;
  if (file != nullptr) {
    if (fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) error = errno;
    if (fclose(file) != 0 && error == 0) error = errno;
    if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) unlink(temporary.c_str());
  }
  if (error == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("cannot write ", path, ": ", SystemErrorText(error)));
}

absl::Status MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("cannot make the folder ", folder, ": ", error.message()));
}

// Reports what the kernels need of a multiprocessor. ptxas states this when it assembles. Kernels
// that stay PTX are left out, because the driver assembles them later.
void ReportPtxas(const ProgramCompiler& compiler, AotReport* report) {
  for (const lowering::KernelReply& reply : compiler.replies) {
    const lowering::KernelResources& resources = reply.resources;
    if (resources.registers == lowering::KernelResources::kUnknown) continue;
    report->max_registers = std::max(report->max_registers, static_cast<int>(resources.registers));
    report->spilled_bytes =
        std::max<int64_t>(report->spilled_bytes, 0) + std::max<int64_t>(resources.spilled_bytes, 0);
  }
}

// Removes the folders from places in the program and in its author's code. Folders say where a
// program was compiled, not what it is.
std::string WithoutFolders(const std::string& provenance) {
  std::vector<std::string> lines = absl::StrSplit(provenance, '\n');
  for (std::string& line : lines) {
    const size_t colon = line.find_last_not_of(":0123456789");
    const size_t slash = line.rfind('/');
    if (slash == std::string::npos || colon == std::string::npos || colon + 1 == line.size() ||
        line[colon + 1] != ':') {
      continue;
    }
    line.erase(0, slash + 1);
  }
  return absl::StrJoin(lines, "\n");
}

// Makes NAME.so of the archive, with the linker of the C compiler.
absl::StatusOr<std::string> LinkShared(const std::string& name, const std::string& archive) {
  const char* set = getenv("CC");
  const std::string named = set != nullptr && set[0] != 0 ? set : "cc";
  const std::string compiler =
      named.find('/') == std::string::npos ? FindInstalledTool(named) : named;
  if (compiler.empty()) {
    return absl::FailedPreconditionError(absl::StrCat("--emit=shared: there is no C compiler '",
                                                      named,
                                                      "' in $PATH to link with; $CC names one"));
  }
  WorkFolder folder({"library.a", "library.so", "log"});
  if (!folder.ok()) return absl::InternalError("cannot make a folder for the linker in $TMPDIR");
  if (absl::Status s = ReplaceFile(folder.File("library.a"), archive); !s.ok()) return s;
  int exit_status = 0;
  absl::Status spawned = RunTool(
      folder, compiler,
      {"-shared", "-o", folder.File("library.so"), absl::StrCat("-Wl,-soname,lib", name, ".so"),
       "-Wl,--build-id=none", "-Wl,--gc-sections", "-Wl,-z,noexecstack", "-s",
       // The header's functions call the C API, so all of it is in the library.
       "-Wl,--whole-archive", folder.File("library.a"), "-Wl,--no-whole-archive", "-lm",
       "-lpthread", "-ldl"},
      folder.File("log"), &exit_status);
  if (!spawned.ok()) return spawned;
  if (exit_status != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "--emit=shared: ", compiler, " cannot link lib", name,
        ".so: ", absl::StrReplaceAll(ReadToolFile(folder.File("log")), {{folder.File(""), ""}})));
  }
  return ReadToolFile(folder.File("library.so"));
}

absl::Status WriteLibrary(absl::StatusOr<StaticLibrary> library, const AotOptions& options,
                          std::vector<std::string>* files) {
  if (!library.ok()) return library.status();
  const std::string header = absl::StrCat(options.folder, "/", options.name, ".h");
  std::string archive = absl::StrCat(options.folder, "/lib", options.name, ".a");
  if (options.emit == Emit::kShared) {
    absl::StatusOr<std::string> shared = LinkShared(options.name, library->archive);
    if (!shared.ok()) return shared.status();
    library->archive = *std::move(shared);
    archive = absl::StrCat(options.folder, "/lib", options.name, ".so");
  }
  if (absl::Status s = ReplaceFile(header, library->header); !s.ok()) return s;
  if (absl::Status s = ReplaceFile(archive, library->archive); !s.ok()) return s;
  files->insert(files->end(), {header, archive});
  if (!options.weights_file) return absl::OkStatus();
  files->push_back(absl::StrCat(options.folder, "/", options.name, ".weights"));
  return ReplaceFile(files->back(), library->weights);
}

absl::Status WriteLibrary(const hlo::Module& module, absl::Span<const ProgramSpec> programs,
                          const AotOptions& options, std::vector<std::string>* files) {
  return WriteLibrary(
      MakeStaticLibrary(options.name, programs, options.runtime,
                        NamesOfValues(module, options.result_names), options.weights_file),
      options, files);
}

absl::Status WriteBundleFile(const std::string& bytes, const AotOptions& options,
                             std::vector<std::string>* files) {
  files->push_back(absl::StrCat(options.folder, "/", options.name, ".hybundle"));
  return ReplaceFile(files->back(), bytes);
}

absl::Status WriteProgramFile(const ProgramSpec& program, const AotOptions& options,
                              std::vector<std::string>* files) {
  const std::string suffix = absl::StrReplaceAll(program.target, {{":", "-"}, {"/", "-"}});
  files->push_back(absl::StrCat(options.folder, "/", options.name, ".", suffix, ".hyprog"));
  return ReplaceFile(files->back(), WriteProgram(program));
}

}  // namespace

// An argument has the name that its location or its author states, or else the name of its
// instruction.
ValueNames NamesOfValues(const hlo::Module& module, const std::vector<std::string>& result_names) {
  ValueNames names;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    const auto& told = parameter->provenance.op_names;
    const std::string& name = told.empty() ? parameter->name : told.front();
    const size_t leaves = hlo::FlattenShape(parameter->shape).size();
    for (size_t i = 0; i < leaves; ++i)
      names.arguments.push_back(parameter->shape.IsTuple() ? absl::StrCat(name, "_", i) : name);
  }
  // A result that is a tuple has several leaves and one name.
  const size_t leaves = hlo::FlattenShape(module.entry()->root()->shape).size();
  if (result_names.size() == leaves) names.results = result_names;
  return names;
}

absl::StatusOr<NamedProgram> ReadNamedProgramFile(const std::string& path,
                                                  const std::string& entry) {
  absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  const ProgramFormat format = FormatOf(*bytes, path);
  NamedProgram program;
  const bool is_stablehlo =
      format == ProgramFormat::kStableHloText || format == ProgramFormat::kBytecode;
  if (!is_stablehlo && !entry.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": --entry=", entry, ": a program in HLO has one entry"));
  }
  absl::StatusOr<std::unique_ptr<hlo::Module>> module =
      is_stablehlo ? stablehlo::ParseStableHlo(*bytes, path, entry, &program.result_names)
                   : ParseProgram(*bytes, path);
  if (!module.ok()) return module.status();
  program.module = *std::move(module);
  return program;
}

absl::StatusOr<CompiledTarget> CompileAheadOfTime(const hlo::Module& module, const Target& target,
                                                  const AotOptions& options) {
  if (target.device.kind == DeviceKind::kReference) {
    return absl::InvalidArgumentError("the reference evaluates programs; it cannot compile them");
  }
  if (absl::Status s = CheckModelName(options.name); !s.ok()) return s;
  ProgramCompiler compiler;
  compiler.client = options.client;
  compiler.compile = options.compile;
  absl::StatusOr<ProgramSpec> program = compiler.Compile(module, target);
  if (!program.ok()) return program.status();

  for (auto& kernel : program->kernels) kernel.provenance = WithoutFolders(kernel.provenance);

  AotReport report;
  report.kernels = static_cast<int>(program->kernels.size());
  for (const auto& kernel : program->kernels) {
    report.kernel_bytes += static_cast<int64_t>(kernel.object.size());
  }
  for (const auto& constant : program->constants) report.constant_bytes += constant.bytes;
  report.arena_bytes = program->device_arena_bytes;
  absl::StatusOr<MemoryPlan> memory =
      PlanMemory(*program, static_cast<int>(runtime::x86::OnlineCpus()));
  if (!memory.ok()) return memory.status();
  report.memory = *memory;
  if (target.device.kind == DeviceKind::kCuda) ReportPtxas(compiler, &report);
  for (size_t i = 0; i < program->kernels.size(); ++i) {
    report.schedules.push_back(
        {program->kernels[i].name, compiler.replies[i].schedule, compiler.from_record[i]});
  }
  return CompiledTarget{*std::move(program), report};
}

absl::StatusOr<std::vector<std::string>> WriteAheadOfTime(const hlo::Module& module,
                                                          absl::Span<const ProgramSpec> programs,
                                                          const AotOptions& options) {
  if (absl::Status s = MakeFolder(options.folder); !s.ok()) return s;
  if (programs.empty() || programs.size() > runtime::bundle_format::kMaxTargets) {
    return absl::InvalidArgumentError(
        absl::StrCat(programs.size(), " targets; at most ", runtime::bundle_format::kMaxTargets));
  }
  std::vector<std::string> files;
  absl::Status status;
  switch (options.emit) {
    case Emit::kStatic:
    case Emit::kShared:
      status = WriteLibrary(module, programs, options, &files);
      break;
    case Emit::kBundle:
      status = WriteBundleFile(WriteBundle(programs), options, &files);
      break;
    case Emit::kSplit:
    case Emit::kPrograms:
      for (const ProgramSpec& program : programs) {
        const bool is_library =
            options.emit == Emit::kSplit && program.device.kind == DeviceKind::kX86;
        if (status.ok() && is_library)
          status = WriteLibrary(module, absl::MakeConstSpan(&program, 1), options, &files);
        if (status.ok() && !is_library) status = WriteProgramFile(program, options, &files);
      }
      break;
  }
  if (!status.ok()) return status;
  return files;
}

absl::StatusOr<std::vector<std::string>> WriteAheadOfTime(absl::Span<const ProgramSpec> parts,
                                                          const CatalogueSpec& catalogue,
                                                          absl::Span<const ValueNames> names,
                                                          const AotOptions& options) {
  if (absl::Status s = MakeFolder(options.folder); !s.ok()) return s;
  if (catalogue.num_targets > runtime::bundle_format::kMaxTargets ||
      parts.size() > runtime::bundle_format::kMaxParts) {
    return absl::InvalidArgumentError(absl::StrCat(
        parts.size(), " programs for ", catalogue.num_targets, " targets; at most ",
        runtime::bundle_format::kMaxParts, " for ", runtime::bundle_format::kMaxTargets));
  }
  std::vector<std::string> files;
  const absl::Status status =
      options.emit == Emit::kBundle
          ? WriteBundleFile(WriteBundle(parts, catalogue), options, &files)
          : WriteLibrary(MakeStaticLibrary(options.name, parts, catalogue, options.runtime, names,
                                           options.weights_file),
                         options, &files);
  if (!status.ok()) return status;
  return files;
}

}  // namespace halyard
