#include "runtime/archive/static_library.h"

#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/archive/ar.h"
#include "runtime/archive/data_object.h"
#include "runtime/archive/model_header.h"
#include "runtime/kernel_object.h"
#include "runtime/version.h"

namespace halyard {
namespace {

struct Kernels {
  std::map<std::string, std::string> objects;  // by name: what the linker places
  std::vector<std::string> stripped;           // KernelObject bytes without code, of each kernel
};

absl::StatusOr<Kernels> SplitKernels(const ProgramSpec& program) {
  Kernels kernels;
  for (const ProgramSpec::Kernel& kernel : program.kernels) {
    runtime::KernelObjectView view;
    runtime::Status status = runtime::ParseKernelObject(
        {reinterpret_cast<const uint8_t*>(kernel.object.data()), kernel.object.size()}, &view);
    if (!status.ok())
      return absl::InvalidArgumentError(absl::StrCat(kernel.name, ": ", status.message()));
    if (view.kind != runtime::DeviceKind::kX86) {
      return absl::UnimplementedError(
          absl::StrCat(kernel.name, ": static libraries hold x86 programs only"));
    }
    const std::string code(reinterpret_cast<const char*>(view.x86_object.data),
                           view.x86_object.size);
    auto [it, is_new] = kernels.objects.emplace(view.name.data, code);
    if (!is_new && it->second != code) {
      return absl::InvalidArgumentError(
          absl::StrCat(kernel.name, ": a second kernel named ", view.name.data));
    }
    KernelObjectSpec spec;
    spec.kind = view.kind;
    spec.name = view.name.data;
    spec.num_inputs = view.num_inputs;
    spec.num_outputs = view.num_outputs;
    for (uint32_t i = 0; i < view.num_inputs + view.num_outputs; ++i)
      spec.arguments.push_back(view.argument(i));
    spec.scratch_bytes = view.scratch_bytes;
    spec.scratch_bytes_per_task = view.scratch_bytes_per_task;
    kernels.stripped.push_back(WriteKernelObject(spec));
  }
  return kernels;
}

// Writes a hy_linked_program and what it points to (c_api/halyard_rt.h).
std::string ModelObject(const std::string& name, const std::string& program,
                        const Kernels& kernels) {
  const auto put = [](uint64_t value, std::string* out) {
    out->append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  DataSymbol bytes, table, model, abi;
  bytes.name = name + ".program";
  bytes.bytes = program;
  bytes.alignment = 4096;
  bytes.global = false;
  table.name = name + ".kernels";
  table.global = false;
  std::vector<DataSymbol> symbols;
  for (const auto& [kernel, object] : kernels.objects) {
    DataSymbol text;
    text.name = absl::StrCat(name, ".name.", kernel);
    text.bytes = std::string(kernel.c_str(), kernel.size() + 1);
    text.alignment = 1;
    text.global = false;
    table.pointers.push_back({table.bytes.size(), text.name});
    put(0, &table.bytes);
    table.pointers.push_back({table.bytes.size(), kernel});
    put(0, &table.bytes);
    symbols.push_back(std::move(text));
  }
  model.name = name + "_linked";
  model.pointers.push_back({0, bytes.name});
  put(0, &model.bytes);
  put(program.size(), &model.bytes);
  if (!kernels.objects.empty()) model.pointers.push_back({16, table.name});
  put(0, &model.bytes);
  put(kernels.objects.size(), &model.bytes);
  // Nobody reads this pointer, but the linker must find what it points to.
  abi.name = name + ".abi";
  abi.global = false;
  abi.pointers.push_back({0, runtime::kAbiSymbol});
  put(0, &abi.bytes);
  symbols.push_back(std::move(bytes));
  symbols.push_back(std::move(abi));
  if (!kernels.objects.empty()) symbols.push_back(std::move(table));
  symbols.push_back(std::move(model));
  return WriteDataObject(symbols);
}

}  // namespace

absl::StatusOr<StaticLibrary> MakeStaticLibrary(const std::string& name, const ProgramSpec& program,
                                                absl::string_view runtime_archive,
                                                const ValueNames& names) {
  if (absl::Status s = CheckModelName(name); !s.ok()) return s;
  if (program.device.kind != runtime::DeviceKind::kX86) {
    return absl::UnimplementedError(
        absl::StrCat(name, ": static libraries hold x86 programs only"));
  }
  absl::StatusOr<Kernels> kernels = SplitKernels(program);
  if (!kernels.ok()) return kernels.status();
  absl::StatusOr<std::vector<ArchiveMember>> members = ReadArchive(runtime_archive);
  if (!members.ok()) return members.status();

  ProgramSpec linked = program;
  for (size_t i = 0; i < linked.kernels.size(); ++i)
    linked.kernels[i].object = kernels->stripped[i];
  members->push_back({name + ".o", ModelObject(name, WriteProgram(linked), *kernels)});
  for (const auto& [kernel, object] : kernels->objects) members->push_back({kernel + ".o", object});
  absl::StatusOr<std::string> archive = WriteArchive(*members);
  if (!archive.ok()) return archive.status();
  return StaticLibrary{ModelHeader(name, program, names), *std::move(archive)};
}

}  // namespace halyard
