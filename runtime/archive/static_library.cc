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
#include "runtime/program/weights_file.h"
#include "runtime/version.h"

namespace halyard {
namespace {

struct Kernels {
  std::map<std::string, std::string> objects;  // by name; the linker places them
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
std::string ModelObject(const std::string& name, const std::string& program, const Kernels& kernels,
                        bool has_weights_file) {
  const auto put = [](uint64_t value, std::string* out) {
    out->append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  DataSymbol bytes, table, model, abi, weights;
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
  if (has_weights_file) {
    weights.name = name + ".weights";
    weights.bytes = std::string(weights.name.c_str(), weights.name.size() + 1);
    weights.alignment = 1;
    weights.global = false;
    model.pointers.push_back({model.bytes.size(), weights.name});
    symbols.push_back(std::move(weights));
  }
  put(0, &model.bytes);
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

// Takes the constants out of a Program file.
std::string TakeWeights(std::string* program) {
  namespace format = runtime::program_format;
  format::Header header;
  memcpy(&header, program->data(), sizeof(header));
  format::WeightsHeader weights{};
  weights.magic = format::kWeightsMagic;
  weights.version = format::kVersion;
  weights.maker = runtime::kVersionNumber;
  weights.bytes = program->size() - header.constants_begin;
  weights.identity = format::WeightsIdentity(
      reinterpret_cast<const format::ConstantRecord*>(program->data() + header.constants.offset),
      header.constants.count);
  std::string file(format::kWeightsBegin, '\0');
  memcpy(file.data(), &weights, sizeof(weights));
  file.append(*program, header.constants_begin, std::string::npos);
  program->resize(header.constants_begin);
  return file;
}

}  // namespace

absl::StatusOr<StaticLibrary> MakeStaticLibrary(const std::string& name, const ProgramSpec& program,
                                                absl::string_view runtime_archive,
                                                const ValueNames& names, bool weights_file) {
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
  StaticLibrary library;
  std::string bytes = WriteProgram(linked);
  if (weights_file) library.weights = TakeWeights(&bytes);
  members->push_back({name + ".o", ModelObject(name, bytes, *kernels, weights_file)});
  for (const auto& [kernel, object] : kernels->objects) members->push_back({kernel + ".o", object});
  absl::StatusOr<std::string> archive = WriteArchive(*members);
  if (!archive.ok()) return archive.status();
  library.header = ModelHeader(name, program, names, weights_file);
  library.archive = *std::move(archive);
  return library;
}

}  // namespace halyard
