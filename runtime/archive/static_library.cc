#include "runtime/archive/static_library.h"

#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "runtime/archive/ar.h"
#include "runtime/archive/c_api_text.h"
#include "runtime/archive/data_object.h"
#include "runtime/kernel_object.h"

namespace halyard {
namespace {

bool IsIdentifier(const std::string& name) {
  if (name.empty() || absl::ascii_isdigit(name[0])) return false;
  for (const char c : name) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return true;
}

// Returns the C type of an array of an HLO element type; complex elements are pairs.
const char* CType(const std::string& element_type) {
  static const auto* const types = new std::map<std::string, const char*>{
      {"f32", "float"},    {"f64", "double"},    {"c64", "float"},    {"c128", "double"},
      {"s64", "int64_t"},  {"s32", "int32_t"},   {"s16", "int16_t"},  {"s8", "int8_t"},
      {"u64", "uint64_t"}, {"u32", "uint32_t"},  {"u16", "uint16_t"}, {"u8", "uint8_t"},
      {"pred", "uint8_t"}, {"bf16", "uint16_t"}, {"f16", "uint16_t"}, {"s4", "int8_t"},
      {"s2", "int8_t"},    {"u4", "uint8_t"},    {"u2", "uint8_t"},
  };
  auto it = types->find(element_type);
  return it != types->end() ? it->second : "uint8_t";  // the float8 family
}

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
  DataSymbol bytes, table, names, model;
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
  symbols.push_back(std::move(bytes));
  if (!kernels.objects.empty()) symbols.push_back(std::move(table));
  symbols.push_back(std::move(model));
  return WriteDataObject(symbols);
}

std::string Describe(const ProgramSpec::Value& value) {
  std::string text =
      absl::StrCat(value.name, ": ", value.element_type, "[", absl::StrJoin(value.dims, ","), "]");
  if (!value.minor_to_major.empty())
    absl::StrAppend(&text, "{", absl::StrJoin(value.minor_to_major, ","), "}");
  return absl::StrCat(text, ", ", value.bytes, " bytes");
}

// The $WORDS are replaced.
constexpr char kHeader[] =
    R"(/* Made by Halyard for $TARGET. Build: gcc app.c lib$NAME.a -lm -lpthread
 *
$VALUES
 *
 * Arrays are dense and row-major unless a layout, fastest dimension first, is shown in braces.
 * Those at multiples of 64 bytes are used in place, others are copied. */
#ifndef HALYARD_MODEL_$NAME_H_
#define HALYARD_MODEL_$NAME_H_

$API
#ifdef __cplusplus
extern "C" {
#endif

extern const hy_linked_program $NAME_linked;
typedef hy_program $NAME_model; /* what hy_program_... and hy_run_... take, too */

/* On this machine's CPU, with so many threads (0: one for each CPU). Free with $NAME_destroy. */
static inline hy_status $NAME_create(int threads, $NAME_model** model) {
  hy_device* device = NULL;
  hy_status status = hy_device_open("x86", 0, threads, &device);
  if (status != NULL) return status;
  status = hy_program_load_linked(device, &$NAME_linked, model);
  hy_device_close(device); /* the model keeps it alive */
  return status;
}

/* May be called from several threads at once. */
static inline hy_status $NAME_run($PARAMETERS) {
  const void* arguments[$NUM_ARGUMENTS];
  void* results[$NUM_RESULTS];
$ASSIGNMENTS  return hy_run(model, arguments, results);
}

static inline void $NAME_destroy($NAME_model* model) { hy_program_free(model); }

#ifdef __cplusplus
}
#endif

#endif /* HALYARD_MODEL_$NAME_H_ */
)";

std::string Header(const std::string& name, const ProgramSpec& program) {
  std::vector<std::string> values, parameters = {absl::StrCat(name, "_model* model")}, arguments,
                                   results;
  for (const ProgramSpec::Value& value : program.parameters) {
    const std::string c_name = absl::StrCat("arg", arguments.size());
    values.push_back(absl::StrCat(" *   ", Describe(value)));
    parameters.push_back(absl::StrCat("const ", CType(value.element_type), "* ", c_name));
    arguments.push_back(c_name);
  }
  for (const ProgramSpec::Value& value : program.results) {
    const std::string c_name = absl::StrCat("out", results.size());
    values.push_back(absl::StrCat(" *   ", Describe(value)));
    parameters.push_back(absl::StrCat(CType(value.element_type), "* ", c_name));
    results.push_back(c_name);
  }
  return absl::StrReplaceAll(kHeader, [&] {
    std::string assignments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      absl::StrAppend(&assignments, "  arguments[", i, "] = ", arguments[i], ";\n");
    }
    for (size_t i = 0; i < results.size(); ++i) {
      absl::StrAppend(&assignments, "  results[", i, "] = ", results[i], ";\n");
    }
    if (arguments.empty()) absl::StrAppend(&assignments, "  arguments[0] = NULL;\n");
    if (results.empty()) absl::StrAppend(&assignments, "  results[0] = NULL;\n");
    return std::vector<std::pair<std::string, std::string>>{
        {"$NAME", name},
        {"$TARGET", program.target},
        {"$VALUES", absl::StrJoin(values, "\n")},
        {"$API", kCApiText},
        {"$PARAMETERS", absl::StrJoin(parameters, ", ")},
        {"$NUM_ARGUMENTS", absl::StrCat(arguments.empty() ? 1 : arguments.size())},
        {"$NUM_RESULTS", absl::StrCat(results.empty() ? 1 : results.size())},
        {"$ASSIGNMENTS", assignments}};
  }());
}

}  // namespace

absl::StatusOr<StaticLibrary> MakeStaticLibrary(const std::string& name, const ProgramSpec& program,
                                                absl::string_view runtime_archive) {
  if (!IsIdentifier(name)) {
    return absl::InvalidArgumentError(absl::StrCat("'", name, "' is not a C identifier"));
  }
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
  return StaticLibrary{Header(name, program), *std::move(archive)};
}

}  // namespace halyard
