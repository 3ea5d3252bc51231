// custom_call: its attributes, layouts and aliases.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Type;
using mlir::TypeKind;

namespace {

// Returns the types to which a list of layouts applies: those of the values, or the parts of the
// one tuple that they are.
std::vector<const Type*> TypesWithLayouts(const std::vector<const Type*>& values) {
  const bool parts = values.size() == 1 && values[0]->kind == TypeKind::kTuple;
  return parts ? values[0]->elements : values;
}

// Returns the type at `path` of a type of tuples, or null.
const Type* PartOf(const Type* type, absl::Span<const int64_t> path) {
  for (int64_t i : path) {
    if (type->kind != TypeKind::kTuple || i < 0 ||
        i >= static_cast<int64_t>(type->elements.size())) {
      return nullptr;
    }
    type = type->elements[i];
  }
  return type;
}

// Arrays of one element type whose sizes agree.
bool SameArrays(const Type& a, const Type& b) {
  if (a.kind == TypeKind::kTuple || a.elements.size() != 1) return mlir::SameType(a, b);
  if (b.elements.size() != 1 || !mlir::SameType(*a.elements[0], *b.elements[0])) return false;
  if (a.kind == TypeKind::kUnranked || b.kind == TypeKind::kUnranked) return true;
  if (a.dims.size() != b.dims.size()) return false;
  for (size_t i = 0; i < a.dims.size(); ++i) {
    if (a.dims[i] != b.dims[i] && a.dims[i] != mlir::kDynamic && b.dims[i] != mlir::kDynamic) {
      return false;
    }
  }
  return true;
}

// An alias: where in the results, of which operand, where in it.
struct Alias {
  hlo::Ints result, part;
  int64_t operand = 0;

  std::string Operand() const { return absl::StrCat(operand, "[", absl::StrJoin(part, ", "), "]"); }
  std::string Result() const { return absl::StrCat("[", absl::StrJoin(result, ", "), "]"); }
};

// Paths of the buffers in `type`, as Alias writes them.
void BuffersOf(const Type& type, hlo::Ints path, std::vector<std::string>* paths) {
  if (type.kind == TypeKind::kMemRef) {
    paths->push_back(absl::StrCat("[", absl::StrJoin(path, ", "), "]"));
  }
  if (type.kind != TypeKind::kTuple) return;
  for (size_t i = 0; i < type.elements.size(); ++i) {
    path.push_back(static_cast<int64_t>(i));
    BuffersOf(*type.elements[i], path, paths);
    path.pop_back();
  }
}

constexpr absl::string_view kBufferCalls[] = {"CreateBuffer", "Pin", "Unpin"};

bool IsBufferCall(absl::string_view target) {
  return std::count(std::begin(kBufferCalls), std::end(kBufferCalls), target) > 0;
}

std::vector<const Type*> TypesOf(const std::vector<std::unique_ptr<mlir::Value>>& values) {
  std::vector<const Type*> types;
  for (const auto& value : values) types.push_back(value->type);
  return types;
}

// The result at `path`: in it, if there is one; else the first index says which.
const Type* ResultPart(const std::vector<const Type*>& results, const hlo::Ints& path) {
  if (results.size() == 1) return PartOf(results[0], path);
  if (path.empty() || path[0] < 0 || path[0] >= static_cast<int64_t>(results.size())) {
    return nullptr;
  }
  return PartOf(results[path[0]], absl::MakeConstSpan(path).subspan(1));
}

}  // namespace

bool Converter::ReadLayout(const Operation& op, const Attribute& given, const Type& type,
                           Shape* shape) {
  if (type.kind == TypeKind::kTuple) return Fail(op, "there is no layout of a tuple in a tuple");
  if (!ShapeOf(type, shape)) return false;
  const int64_t rank = shape->IsArray() ? shape->rank() : 0;
  hlo::Ints layout;
  bool valid = given.data != nullptr && DenseInts(*given.data, &layout) &&
               static_cast<int64_t>(layout.size()) == rank;
  std::vector<bool> seen(rank, false);
  for (int64_t d : layout) {
    valid = valid && d >= 0 && d < rank && !seen[d];
    if (valid) seen[d] = true;
  }
  if (!valid) {
    return errors_.Fail(given.offset,
                        absl::StrCat("'", op.name, "': no layout of ", ToString(type)));
  }
  if (shape->IsArray() && !shape->IsDynamic() && !shape->IsQuantized()) {
    *shape = Shape::ArrayWithLayout(shape->element_type(), shape->dims(), layout);
  }
  return true;
}

// operand_layouts become operand_layout_constraints, result_layouts those of `results`.
bool Converter::ConvertCallLayouts(const Operation& op, AttrMap* attrs,
                                   std::vector<Shape>* results) {
  if ((op.Attr("operand_layouts") == nullptr) != (op.Attr("result_layouts") == nullptr)) {
    return Fail(op, "layouts are for both operands and results, or for neither");
  }
  if (op.Attr("operand_layouts") == nullptr) return true;
  std::vector<const Type*> operands;
  for (const Value* operand : op.operands) operands.push_back(operand->type);
  std::vector<std::string> shapes;
  for (absl::string_view name : {"operand_layouts", "result_layouts"}) {
    const Attribute* layouts = op.Attr(name);
    const bool of_operands = name == "operand_layouts";
    const std::vector<const Type*> types =
        of_operands ? operands : TypesWithLayouts(TypesOf(op.results));
    if (!layouts->Is(AttributeKind::kArray) || layouts->elements.size() != types.size()) {
      return errors_.Fail(layouts->offset, absl::StrCat("'", op.name, "': ", name, " must have ",
                                                        types.size(), " layouts"));
    }
    for (size_t i = 0; i < types.size(); ++i) {
      Shape shape;
      if (!ReadLayout(op, *layouts->elements[i], *types[i], &shape)) return false;
      if (of_operands) {
        shapes.push_back(shape.ToString(shape.IsArray() && shape.rank() > 0));
      } else {
        results->push_back(std::move(shape));
      }
    }
  }
  attrs->Set(Attr::kOperandLayoutConstraints, absl::StrCat("{", absl::StrJoin(shapes, ", "), "}"));
  return true;
}

// `{{0}: (1, {})}`
bool Converter::ConvertCallAliases(const Operation& op, absl::string_view target, AttrMap* attrs) {
  const std::vector<const Type*> results = TypesOf(op.results);
  std::vector<std::string> texts, used_operands, used_results;
  const Attribute* aliases = op.Attr("output_operand_aliases");
  if (aliases != nullptr && !aliases->Is(AttributeKind::kArray)) {
    return errors_.Fail(aliases->offset, "output_operand_aliases must be a list");
  }
  OpReader reader(op, errors_);
  for (size_t i = 0; aliases != nullptr && i < aliases->elements.size(); ++i) {
    const Attribute& written = *aliases->elements[i];
    Alias alias;
    if (!reader.FieldInts(written, "output_tuple_indices", &alias.result) ||
        !reader.FieldInt(written, "operand_index", &alias.operand) ||
        !reader.FieldInts(written, "operand_tuple_indices", &alias.part)) {
      return false;
    }
    if (alias.operand < 0 || alias.operand >= static_cast<int64_t>(op.operands.size())) {
      return errors_.Fail(written.offset, absl::StrCat("there is no operand ", alias.operand));
    }
    const Type* operand = PartOf(op.operands[alias.operand]->type, alias.part);
    const Type* result = ResultPart(results, alias.result);
    if (operand == nullptr || result == nullptr) {
      return errors_.Fail(written.offset,
                          absl::StrCat("there is no ", operand == nullptr ? "operand " : "result ",
                                       operand == nullptr ? alias.Operand() : alias.Result()));
    }
    if (operand->kind != result->kind || !SameArrays(*operand, *result)) {
      return errors_.Fail(written.offset, absl::StrCat("operand ", alias.Operand(), ", ",
                                                       ToString(*operand), ", cannot be result ",
                                                       alias.Result(), ", ", ToString(*result)));
    }
    if (operand->kind == TypeKind::kMemRef) {
      for (auto [list, name] :
           {std::pair(&used_operands, alias.Operand()), {&used_results, alias.Result()}}) {
        if (std::count(list->begin(), list->end(), name) > 0) {
          return Fail(op, absl::StrCat("the buffer ", name, " is aliased twice"));
        }
        list->push_back(name);
      }
    }
    texts.push_back(absl::StrCat("{", absl::StrJoin(alias.result, ","), "}: (", alias.operand,
                                 ", {", absl::StrJoin(alias.part, ","), "})"));
  }
  std::vector<std::string> buffers;
  for (size_t i = 0; i < results.size() && !IsBufferCall(target); ++i) {
    BuffersOf(*results[i], results.size() == 1 ? hlo::Ints() : hlo::Ints{static_cast<int64_t>(i)},
              &buffers);
  }
  for (const std::string& buffer : buffers) {
    if (std::count(used_results.begin(), used_results.end(), buffer) == 0) {
      return Fail(op, absl::StrCat("the buffer ", buffer, " of the results is no operand's"));
    }
  }
  if (!texts.empty()) {
    attrs->Set(Attr::kOutputToOperandAliasing, absl::StrCat("{", absl::StrJoin(texts, ", "), "}"));
  }
  return true;
}

// Buffers: CreateBuffer makes one (of zeros; any contents would do), Pin turns a tensor into one,
// and Unpin turns one into a tensor. Since an array is its values here, the last two change
// nothing.
bool Converter::ConvertBufferCall(const Operation& op, Frame& frame, absl::string_view target) {
  AttrMap unused;
  if (!ConvertCallAliases(op, target, &unused)) return false;
  const bool create = target == "CreateBuffer";
  if (op.operands.size() != (create ? 0 : 1) || op.results.size() != 1) {
    return Fail(op, absl::StrCat(target, " takes ", create ? "nothing" : "one operand",
                                 " and gives one result"));
  }
  const Type& result = *op.results[0]->type;
  const bool gives_buffer = result.kind == TypeKind::kMemRef;
  if (gives_buffer != (target != "Unpin") || (!gives_buffer && !result.IsTensor())) {
    return Fail(op, absl::StrCat(target, " cannot give ", ToString(result)));
  }
  Shape shape;
  if (!ShapeOf(result, &shape)) return false;
  if (create) {
    if (shape.IsDynamic() || shape.IsQuantized()) {
      return EmitStandIn(op, frame, absl::StrCat("a buffer ", ToString(result)));
    }
    Graph graph(frame.computation);
    frame.values[op.results[0].get()] = graph.Splat(shape.element_type(), shape.dims(), 0).inst;
    return true;
  }
  const Type& operand = *op.operands[0]->type;
  if (operand.kind != (target == "Pin" ? TypeKind::kTensor : TypeKind::kMemRef) ||
      !SameArrays(operand, result)) {
    return Fail(op,
                absl::StrCat(target, " cannot make ", ToString(operand), " ", ToString(result)));
  }
  return Operand(op, *op.operands[0], frame, &frame.values[op.results[0].get()]);
}

// From version 4 on, the configuration is a dictionary; before, a string.
bool Converter::CheckBackendConfig(const Operation& op, int64_t api_version) {
  const Attribute* config = op.Attr("backend_config");
  if (config == nullptr) return true;
  const bool typed = api_version == 4;
  if (config->Is(typed ? AttributeKind::kDictionary : AttributeKind::kString)) return true;
  return errors_.Fail(config->offset, absl::StrCat("'", op.name, "': backend_config must be a ",
                                                   typed ? "dictionary" : "string",
                                                   " with api_version ", api_version));
}

// What the call is, and how it is made: everything except its operands and layouts.
bool Converter::ConvertCallAttributes(const Operation& op, const std::string& target,
                                      AttrMap* attrs) {
  OpReader reader(op, errors_);
  int64_t api_version = 1;
  bool side_effect = false;
  if (!reader.IntOr("api_version", 1, &api_version) ||
      !reader.Flag("has_side_effect", &side_effect)) {
    return false;
  }
  attrs->Set(Attr::kCustomCallTarget, target);
  if (side_effect) attrs->Set(Attr::kHasSideEffect, true);
  // This is how JAX states version 4 in programs that older readers accept.
  const Attribute* dictionary = op.Attr("mhlo.backend_config");
  const bool typed = dictionary != nullptr && dictionary->Is(AttributeKind::kDictionary);
  switch (typed && api_version <= 1 ? 4 : api_version) {
    case 0:
    case 1:
      break;
    case 2:
      attrs->Set(Attr::kApiVersion, std::string("API_VERSION_STATUS_RETURNING"));
      break;
    case 3:
      attrs->Set(Attr::kApiVersion, std::string("API_VERSION_STATUS_RETURNING_UNIFIED"));
      break;
    case 4:
      attrs->Set(Attr::kApiVersion, std::string("API_VERSION_TYPED_FFI"));
      break;
    default:
      return Fail(op, absl::StrCat("there is no api_version ", api_version));
  }
  if (!CheckBackendConfig(op, api_version)) return false;
  for (absl::string_view name : {"backend_config", "mhlo.backend_config"}) {
    const Attribute* config = op.Attr(name);
    if (config == nullptr) continue;
    std::string text = config->Is(AttributeKind::kString) ? config->text : ToString(*config);
    if (!text.empty()) attrs->Set(Attr::kBackendConfig, std::move(text));
  }
  // Converts the message of a check of sizes (hlo::IsShapeAssertion).
  const Attribute* message = target == "shape_assertion" ? op.Attr("error_message") : nullptr;
  if (message != nullptr && message->Is(AttributeKind::kString)) {
    attrs->Set(Attr::kBackendConfig, message->text);
  }
  // A generator of bits whose sizes are an operand (hlo::FirstShapeOperandOfCall).
  std::string algorithm;
  if (target == "stablehlo.dynamic_rng_bit_generator" && op.Attr("rng_algorithm") != nullptr) {
    if (!reader.Word("rng_algorithm", "rng_algorithm", &algorithm)) return false;
    attrs->Set(Attr::kBackendConfig, absl::StrCat("rng_", absl::AsciiStrToLower(algorithm)));
  }
  const Attribute* sharding = op.Attr("mhlo.sharding");
  if (sharding != nullptr && sharding->Is(AttributeKind::kString)) {
    attrs->Set(Attr::kSharding, sharding->text);
  }
  return ConvertCallAliases(op, target, attrs);
}

bool Converter::ConvertCustomCall(const Operation& op, Frame& frame) {
  std::string target;
  if (!OpReader(op, errors_).String("call_target_name", &target)) return false;
  // The call states how a value is spread over devices. On one device, it returns the value itself.
  if (target == "Sharding") return ConvertIdentity(op, frame);
  if (IsBufferCall(target)) return ConvertBufferCall(op, frame, target);
  bool known = false;
  if (!ConvertKnownCall(op, frame, target, &known)) return false;
  if (known) return true;
  AttrMap attrs;
  if (!ConvertCallAttributes(op, target, &attrs)) return false;
  std::vector<hlo::Computation*> called;
  if (const Attribute* list = op.Attr("called_computations")) {
    for (const Attribute* symbol : list->elements) {
      if (!symbol->Is(AttributeKind::kSymbol)) {
        return errors_.Fail(symbol->offset, "called_computations must name functions");
      }
      const Operation* function = FindFunction(symbol->text);
      if (function == nullptr) {
        CannotRun(symbol->offset, absl::StrCat("'", op.name, "': there is no function @",
                                               symbol->text, " among the called_computations"));
        continue;
      }
      if (!ConvertFunction(op, *function, &called.emplace_back())) return false;
    }
  }
  Instructions operands;
  std::vector<Shape> results;
  const size_t before = frame.computation->instructions().size();
  if (!ConvertCallLayouts(op, &attrs, &results) || !Operands(op, frame, &operands) ||
      !Emit(op, frame, Opcode::kCustomCall, std::move(operands), std::move(attrs),
            std::move(called))) {
    return false;
  }
  if (results.empty()) return true;
  if (op.results.size() == 1 && op.results[0]->type->kind == TypeKind::kTuple) {
    frame.computation->instructions()[before]->shape = Shape::Tuple(std::move(results));
  } else {  // the call comes before its elements
    Shape& shape = frame.computation->instructions()[before]->shape;
    shape = results.size() == 1 ? std::move(results[0]) : Shape::Tuple(std::move(results));
  }
  return true;
}

}  // namespace halyard::stablehlo
