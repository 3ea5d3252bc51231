#include "runtime/archive/static_library.h"

#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/archive/ar.h"
#include "runtime/archive/data_object.h"
#include "runtime/archive/entries_header.h"
#include "runtime/archive/model_header.h"
#include "runtime/kernel_object.h"
#include "runtime/program/bundle/bundle_format.h"
#include "runtime/program/weights_file.h"
#include "runtime/version.h"

namespace halyard {
namespace {

using KernelObjects = std::map<std::string, std::string>;  // by name; the linker places them

// Takes the code of x86 kernels out of the program. Kernels of GPUs stay as they are.
absl::Status TakeKernels(ProgramSpec* program, KernelObjects* objects) {
  for (ProgramSpec::Kernel& kernel : program->kernels) {
    runtime::KernelObjectView view;
    runtime::Status status = runtime::ParseKernelObject(
        {reinterpret_cast<const uint8_t*>(kernel.object.data()), kernel.object.size()}, &view);
    if (!status.ok())
      return absl::InvalidArgumentError(absl::StrCat(kernel.name, ": ", status.message()));
    if (view.kind != runtime::DeviceKind::kX86) continue;
    const std::string code(reinterpret_cast<const char*>(view.x86_object.data),
                           view.x86_object.size);
    auto [it, is_new] = objects->emplace(view.name.data, code);
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
    kernel.object = WriteKernelObject(spec);
  }
  return absl::OkStatus();
}

// Functions that the objects of models for GPUs refer to, so that the linker takes the backend out
// of the archive.
constexpr char kOpenCuda[] = "_ZN7halyard7runtime4cuda10OpenDeviceEjRKNS1_7OptionsEPPNS0_6DeviceE";
constexpr char kOpenVulkan[] =
    "_ZN7halyard7runtime6vulkan10OpenDeviceEjRKNS1_7OptionsEPPNS0_6DeviceE";

bool HasKind(absl::Span<const ProgramSpec> programs, runtime::DeviceKind kind) {
  for (const ProgramSpec& program : programs) {
    if (program.device.kind == kind) return true;
  }
  return false;
}

constexpr size_t kLargeProgram = 128 << 20;

// Writes a hy_linked_program and what it points to (c_api/halyard_rt.h).
std::string ModelObject(const std::string& name, std::string program, const KernelObjects& kernels,
                        bool has_weights_file, const std::vector<std::string>& needed) {
  const auto put = [](uint64_t value, std::string* out) {
    out->append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  DataSymbol bytes, table, model, abi, weights;
  bytes.name = name + ".program";
  const uint64_t size = program.size();
  bytes.large = size >= kLargeProgram;
  bytes.bytes = std::move(program);
  bytes.alignment = 4096;
  bytes.global = false;
  table.name = name + ".kernels";
  table.global = false;
  std::vector<DataSymbol> symbols;
  for (const auto& [kernel, object] : kernels) {
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
  put(size, &model.bytes);
  if (!kernels.empty()) model.pointers.push_back({16, table.name});
  put(0, &model.bytes);
  put(kernels.size(), &model.bytes);
  if (has_weights_file) {
    weights.name = name + ".weights";
    weights.bytes = std::string(weights.name.c_str(), weights.name.size() + 1);
    weights.alignment = 1;
    weights.global = false;
    model.pointers.push_back({model.bytes.size(), weights.name});
    symbols.push_back(std::move(weights));
  }
  put(0, &model.bytes);
  // Nobody reads these pointers, but the linker must find what they point to.
  abi.name = name + ".abi";
  abi.global = false;
  for (const std::string& symbol : needed) {
    abi.pointers.push_back({abi.bytes.size(), symbol});
    put(0, &abi.bytes);
  }
  symbols.push_back(std::move(bytes));
  symbols.push_back(std::move(abi));
  if (!kernels.empty()) symbols.push_back(std::move(table));
  symbols.push_back(std::move(model));
  return WriteDataObject(std::move(symbols));
}

// Takes the constants out of a Program file or a bundle, whose header is of this type.
template <typename Header>
std::string TakeWeights(std::string* program) {
  namespace format = runtime::program_format;
  Header header;
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
  program->shrink_to_fit();
  return file;
}

// Returns the objects of the runtime and of the backends that the programs need.
absl::StatusOr<std::vector<ArchiveMember>> RuntimeMembers(absl::Span<const ProgramSpec> programs,
                                                          const RuntimeArchives& archives) {
  const bool cuda = HasKind(programs, runtime::DeviceKind::kCuda);
  const bool vulkan = HasKind(programs, runtime::DeviceKind::kVulkan);
  std::vector<absl::string_view> needed = {archives.runtime};
  if (cuda || vulkan) needed.push_back(archives.gpu);
  if (cuda) needed.push_back(archives.cuda);
  if (vulkan) needed.push_back(archives.vulkan);
  std::vector<ArchiveMember> all;
  for (absl::string_view archive : needed) {
    absl::StatusOr<std::vector<ArchiveMember>> members = ReadArchive(archive);
    if (!members.ok()) return members.status();
    for (ArchiveMember& member : *members) all.push_back(std::move(member));
  }
  return all;
}

// Makes a library without a header. `write` returns the bytes of a file with the programs.
template <typename Header, typename Write>
absl::StatusOr<StaticLibrary> MakeArchive(const std::string& name,
                                          absl::Span<const ProgramSpec> programs,
                                          const RuntimeArchives& archives, bool weights_file,
                                          const Write& write) {
  if (absl::Status s = CheckModelName(name); !s.ok()) return s;
  std::vector<ProgramSpec> linked(programs.begin(), programs.end());
  KernelObjects kernels;
  for (ProgramSpec& program : linked) {
    if (absl::Status s = TakeKernels(&program, &kernels); !s.ok()) return s;
  }
  absl::StatusOr<std::vector<ArchiveMember>> members = RuntimeMembers(programs, archives);
  if (!members.ok()) return members.status();

  StaticLibrary library;
  std::string bytes = write(linked);
  if (weights_file) library.weights = TakeWeights<Header>(&bytes);
  std::vector<std::string> needed = {runtime::kAbiSymbol};
  if (HasKind(programs, runtime::DeviceKind::kCuda)) needed.push_back(kOpenCuda);
  if (HasKind(programs, runtime::DeviceKind::kVulkan)) needed.push_back(kOpenVulkan);
  members->push_back(
      {name + ".o", ModelObject(name, std::move(bytes), kernels, weights_file, needed)});
  for (const auto& [kernel, object] : kernels) members->push_back({kernel + ".o", object});
  absl::StatusOr<std::string> archive = WriteArchive(*members);
  if (!archive.ok()) return archive.status();
  library.archive = *std::move(archive);
  return library;
}

}  // namespace

absl::StatusOr<StaticLibrary> MakeStaticLibrary(const std::string& name,
                                                absl::Span<const ProgramSpec> programs,
                                                const RuntimeArchives& archives,
                                                const ValueNames& names, bool weights_file) {
  if (programs.empty()) return absl::InvalidArgumentError(absl::StrCat(name, ": no target"));
  absl::StatusOr<StaticLibrary> library =
      programs.size() == 1 ? MakeArchive<runtime::program_format::Header>(
                                 name, programs, archives, weights_file,
                                 [](const auto& linked) { return WriteProgram(linked[0]); })
                           : MakeArchive<runtime::bundle_format::Header>(
                                 name, programs, archives, weights_file,
                                 [](const auto& linked) { return WriteBundle(linked); });
  if (library.ok()) library->header = ModelHeader(name, programs, names, weights_file);
  return library;
}

absl::StatusOr<StaticLibrary> MakeStaticLibrary(
    const std::string& name, absl::Span<const ProgramSpec> parts, const CatalogueSpec& catalogue,
    const RuntimeArchives& archives, absl::Span<const ValueNames> names, bool weights_file) {
  if (parts.empty()) return absl::InvalidArgumentError(absl::StrCat(name, ": no target"));
  absl::StatusOr<StaticLibrary> library = MakeArchive<runtime::bundle_format::Header>(
      name, parts, archives, weights_file,
      [&](const auto& linked) { return WriteBundle(linked, catalogue); });
  if (library.ok()) library->header = EntriesHeader(name, parts, catalogue, names, weights_file);
  return library;
}

absl::StatusOr<StaticLibrary> MakeStaticLibrary(const std::string& name, const ProgramSpec& program,
                                                absl::string_view runtime_archive,
                                                const ValueNames& names, bool weights_file) {
  if (program.device.kind != runtime::DeviceKind::kX86) {
    return absl::UnimplementedError(
        absl::StrCat(name, ": the runtime that is given holds x86 alone"));
  }
  return MakeStaticLibrary(name, absl::MakeConstSpan(&program, 1), {.runtime = runtime_archive},
                           names, weights_file);
}

}  // namespace halyard
