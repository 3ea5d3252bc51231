#include "client/api/custom_call.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/reports/trace.h"
#include "frontend/files/read_file.h"
#include "frontend/hlo/dynamic/shape_operands.h"
#include "frontend/hlo/ir/custom_call.h"
#include "frontend/hlo/ir/sort_order.h"
#include "frontend/hlo/values/strided.h"
#include "frontend/hlo_text/call_types.h"
#include "frontend/stablehlo/stablehlo.h"
#include "runtime/absl_status.h"
#include "runtime/execute/context.h"
#include "runtime/program/program.h"

namespace halyard {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Literal;
using hlo::Shape;

struct Registry {
  std::mutex mutex;
  std::map<std::string, runtime::CustomCall, std::less<>> calls;
  std::vector<void*> libraries;
};

Registry& TheRegistry() {
  static auto* registry = new Registry();
  return *registry;
}

void Register(absl::string_view name, const runtime::CustomCall& call) {
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.calls[std::string(name)] = call;
}

int RunHandler(void* user, const void* const* in, void* const* out, const char* config,
               uint64_t config_bytes, char* error, uint64_t error_bytes) {
  const auto& handler = *static_cast<const CustomCallHandler*>(user);
  std::string attributes(config, config_bytes);
  const std::string types = hlo_text::TakeTypes(&attributes);
  absl::Status status = handler({in, out, attributes, types});
  if (status.ok()) return 0;
  std::snprintf(error, error_bytes, "%s", std::string(status.message()).c_str());
  return status.raw_code();
}

// Returns the function `name` that `library` itself defines, or null. dlsym alone does not suffice:
// it also finds variables, and looks in the libraries that `library` needs, such as libc, whose
// functions are not the user's to call.
void* OwnFunction(void* library, const std::string& name) {
  if (name.find('\0') != std::string::npos) return nullptr;
  void* const address = dlsym(library, name.c_str());
  link_map* own = nullptr;
  link_map* defining = nullptr;
  Dl_info info;
  if (address == nullptr || dlinfo(library, RTLD_DI_LINKMAP, &own) != 0 ||
      dladdr1(address, &info, reinterpret_cast<void**>(&defining), RTLD_DL_LINKMAP) == 0 ||
      defining != own) {
    return nullptr;
  }
  const ElfW(Sym)* symbol = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)),
              RTLD_DL_SYMENT) == 0 ||
      symbol == nullptr) {
    return address;
  }
  const int type = ELF64_ST_TYPE(symbol->st_info);
  return type == STT_OBJECT || type == STT_TLS ? nullptr : address;
}

std::optional<runtime::CustomCall> Find(const std::string& name) {
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  if (auto found = registry.calls.find(name); found != registry.calls.end()) return found->second;
  for (void* library : registry.libraries) {
    void* symbol = OwnFunction(library, name);
    if (symbol == nullptr) continue;
    runtime::CustomCall call;
    call.plain = reinterpret_cast<runtime::PlainCustomCall>(symbol);
    return call;
  }
  return std::nullopt;
}

bool IsPlainVersion(const Instruction& call) {
  const std::string& version = call.GetString(Attr::kApiVersion);
  return version.empty() || version == "API_VERSION_ORIGINAL" ||
         version == "API_VERSION_UNSPECIFIED";
}

// Returns why `call` cannot be made, or "".
std::string Objection(const Instruction& call, const std::optional<runtime::CustomCall>& found) {
  const std::string& target = call.GetString(Attr::kCustomCallTarget);
  if (!found.has_value()) {
    return absl::StrCat("there is no function '", target,
                        "': register it, or load a library that has it");
  }
  if (found->plain != nullptr && !IsPlainVersion(call)) {
    return absl::StrCat("'", target, "' is a plain function, but the call says ",
                        call.GetString(Attr::kApiVersion));
  }
  return "";
}

// What the function receives: the operands, in the layouts that a typed call asks for, and the
// configuration, which for such a call comes with the types.
struct PreparedCall {
  std::vector<Literal> operands;
  std::string config;
  Shape result;
};

absl::StatusOr<PreparedCall> Prepare(const Instruction& call, absl::Span<const Literal> operands) {
  PreparedCall prepared;
  prepared.operands.assign(operands.begin(), operands.end());
  prepared.config = call.GetString(Attr::kBackendConfig);
  prepared.result = call.shape.WithDefaultLayout();
  if (!hlo_text::IsTypedCall(call)) return prepared;
  absl::StatusOr<hlo_text::CallTypes> types = hlo_text::TypesOf(call);
  if (!types.ok()) return types.status();
  prepared.config = hlo_text::AddTypes(prepared.config, *types);
  size_t next = 0;
  for (Literal& operand : prepared.operands) {
    if (!operand.shape().IsArray()) {
      next += hlo::FlattenShape(operand.shape()).size();
      continue;
    }
    const Shape& wanted = types->operands[next++];
    if (!wanted.HasDefaultLayout())
      operand = hlo::TransposeLiteral(operand, hlo_text::MajorToMinor(wanted));
  }
  if (call.Has(Attr::kOperandLayoutConstraints)) prepared.result = hlo_text::InMemory(call.shape);
  return prepared;
}

// Converts what the function wrote in the layouts of `shape` to the program's order.
Literal InProgramOrder(Literal made, const Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (size_t i = 0; i < shape.elements().size(); ++i)
      elements.push_back(InProgramOrder(made.elements()[i], shape.elements()[i]));
    return Literal::Tuple(std::move(elements));
  }
  if (!shape.IsArray() || shape.HasDefaultLayout()) return made;
  return hlo::TransposeLiteral(made, hlo_text::InversePermutation(hlo_text::MajorToMinor(shape)));
}

void AppendPointers(const Literal& literal, std::vector<const void*>* pointers) {
  if (literal.shape().IsArray()) pointers->push_back(literal.bytes().data());
  for (const Literal& element : literal.elements()) AppendPointers(element, pointers);
}

// Returns memory for a result of `shape`.
Literal Allocated(const Shape& shape, std::vector<void*>* pointers) {
  if (shape.IsToken()) return Literal::Token();
  if (shape.IsArray()) {
    Literal literal(shape.WithDefaultLayout());
    pointers->push_back(literal.mutable_bytes().data());
    return literal;
  }
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) elements.push_back(Allocated(element, pointers));
  return Literal::Tuple(std::move(elements));
}

}  // namespace

std::vector<std::string> RegisteredDecompositions() {
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<std::string> names;
  for (const auto& [name, call] : registry.calls) {
    if (stablehlo::IsDecomposition(name)) names.push_back(name);
  }
  return names;
}

void RegisterCustomCall(absl::string_view name, ConstCustomCallFunction function) {
  runtime::CustomCall call;
  call.plain = function;
  Register(name, call);
}

void RegisterCustomCall(absl::string_view name, CustomCallFunction function) {
  RegisterCustomCall(name, reinterpret_cast<ConstCustomCallFunction>(function));
}

void RegisterCustomCall(absl::string_view name, CustomCallHandler handler) {
  runtime::CustomCall call;
  call.full = RunHandler;
  // programs may use it until the process ends
  call.user = new CustomCallHandler(std::move(handler));
  Register(name, call);
}

absl::Status LoadCustomCalls(const std::string& library) {
  // dlopen looks for a name without a slash in the system's folders.
  std::string path = library.find('/') == std::string::npos ? absl::StrCat("./", library) : library;
  // If the file is a pipe, dlopen would wait for the other end.
  const absl::StatusOr<int> file = OpenRegularFile(path);
  if (!file.ok()) {
    return absl::Status(file.status().code(),
                        absl::StrCat("cannot load ", library, ": ", file.status().message()));
  }
  close(*file);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return absl::NotFoundError(absl::StrCat("cannot load ", library, ": ", dlerror()));
  }
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.libraries.push_back(handle);
  return absl::OkStatus();
}

absl::StatusOr<Literal> EvaluateCustomCall(const Instruction& call,
                                           absl::Span<const Literal> operands) {
  if (IsTrace(call)) return EvaluateTrace(call, operands);
  std::optional<runtime::CustomCall> found = Find(call.GetString(Attr::kCustomCallTarget));
  if (std::string objection = Objection(call, found); !objection.empty()) {
    return absl::NotFoundError(objection);
  }
  absl::StatusOr<PreparedCall> prepared = Prepare(call, operands);
  if (!prepared.ok()) return prepared.status();
  std::vector<const void*> in;
  for (const Literal& operand : prepared->operands) AppendPointers(operand, &in);
  std::vector<void*> out;
  Literal result = Allocated(prepared->result, &out);
  if (found->plain != nullptr) {
    bool one = call.shape.IsArray();
    found->plain(one ? out[0] : static_cast<void*>(out.data()), in.data());
    return result;
  }
  const std::string& config = prepared->config;
  char error[4096] = {};
  int code = found->full(found->user, in.data(), out.data(), config.data(), config.size(), error,
                         sizeof(error));
  if (code == 0) {
    const bool ordered = hlo_text::IsTypedCall(call) && call.Has(Attr::kOperandLayoutConstraints);
    return ordered ? InProgramOrder(std::move(result), call.shape) : std::move(result);
  }
  return absl::InternalError(
      absl::StrCat(call.GetString(Attr::kCustomCallTarget), " failed with ", code, ": ", error));
}

absl::Status RegisterCallsOf(const runtime::Program& program, runtime::Context* context) {
  for (uint32_t i = 0; i < program.num_steps(); ++i) {
    const runtime::program_format::StepRecord& step = program.step(i);
    if (static_cast<runtime::StepKind>(step.kind) != runtime::StepKind::kCustomCall) continue;
    const runtime::StringSpan target = program.String(step.target);
    std::optional<runtime::CustomCall> found = Find(std::string(target.data, target.size));
    if (!found.has_value()) continue;
    runtime::CustomCall known;
    if (context->FindCustomCall(target.data, &known) && known.plain == found->plain &&
        known.full == found->full && known.user == found->user) {
      continue;
    }
    absl::Status status = ToAbsl(context->RegisterCustomCall(target.data, *found));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckCustomCalls(const hlo::Module& module, const ProgramSpec* program) {
  std::set<std::string> called;
  for (size_t i = 0; program != nullptr && i < program->sequences.size(); ++i) {
    for (const ProgramSpec::Step& step : program->sequences[i].steps) {
      if (step.kind == ProgramSpec::Step::Kind::kCustomCall) called.insert(step.target);
    }
  }
  if (program != nullptr && called.empty()) return absl::OkStatus();
  for (const hlo::Computation* computation : module.PostOrder()) {
    for (const auto& inst : computation->instructions()) {
      if (inst->opcode != hlo::Opcode::kCustomCall || IsTrace(*inst) || hlo::IsAnnotation(*inst) ||
          hlo::TopKOf(*inst).has_value() || hlo::NextShapeOperand(*inst) >= 0) {
        continue;
      }
      if (program != nullptr && !called.contains(inst->GetString(Attr::kCustomCallTarget))) {
        continue;
      }
      std::string objection = Objection(*inst, Find(inst->GetString(Attr::kCustomCallTarget)));
      if (objection.empty()) continue;
      std::string place = inst->provenance.Place();
      return absl::NotFoundError(absl::StrCat(place, place.empty() ? "" : ": ",
                                              "error: custom-call ", inst->name, ": ", objection));
    }
  }
  return absl::OkStatus();
}

}  // namespace halyard
