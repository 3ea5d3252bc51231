// while, if, case, calls: regions that become computations of one tuple, and functions.
#include <algorithm>
#include <iterator>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;
using mlir::AttributeKind;

namespace {

// The values that a region and the regions in it define, and those that they use, in order of first
// use.
struct Uses {
  std::set<const mlir::Value*> defined;
  std::set<const mlir::Value*> seen;
  std::vector<const mlir::Value*> used;

  void Walk(const mlir::Region& region) {
    for (const auto& block : region.blocks) {
      for (const auto& argument : block->arguments) defined.insert(argument.get());
      for (const auto& op : block->operations) {
        for (const mlir::Value* operand : op->operands) {
          if (seen.insert(operand).second) used.push_back(operand);
        }
        for (const auto& result : op->results) defined.insert(result.get());
        for (const mlir::Region& inner : op->regions) Walk(inner);
      }
    }
  }
};

// `[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+`
bool IsNamespacedName(absl::string_view name) {
  std::vector<absl::string_view> parts = absl::StrSplit(name, '.');
  if (parts.size() < 2) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty() || (i == 0 && !absl::ascii_isalpha(parts[i][0]))) return false;
    for (char c : parts[i]) {
      if (!absl::ascii_isalnum(c) && c != '_' && (c != '$' || i == 0)) return false;
    }
  }
  return true;
}

Shape TupleOf(const std::vector<Instruction*>& insts) {
  std::vector<Shape> shapes;
  for (const Instruction* inst : insts) shapes.push_back(inst->shape);
  return Shape::Tuple(std::move(shapes));
}

Instruction* MakeTuple(hlo::Computation* computation, const std::vector<Instruction*>& insts) {
  return computation->Add(Opcode::kTuple, TupleOf(insts), insts);
}

}  // namespace

std::vector<const mlir::Value*> Converter::Captures(
    const std::vector<const Region*>& regions) const {
  Uses uses;
  for (const Region* region : regions) uses.Walk(*region);
  std::vector<const Value*> captures;
  for (const Value* value : uses.used) {
    // Constants are copied where they are used (Operand).
    bool constant = value->owner != nullptr && value->owner->name == "stablehlo.constant";
    if (!constant && !uses.defined.contains(value)) captures.push_back(value);
  }
  return captures;
}

bool Converter::RefuseCaptures(const Operation& op) {
  std::vector<const Region*> regions;
  for (const Region& region : op.regions) regions.push_back(&region);
  const std::vector<const Value*> captures = Captures(regions);
  if (captures.empty()) return true;
  return Fail(op,
              absl::StrCat("'%", captures[0]->name, "' is defined outside of the region, which ",
                           "can use constants of outside only"));
}

bool Converter::Capture(const Operation& op, Frame& frame,
                        const std::vector<const Value*>& captures, Instructions* insts) {
  for (const Value* value : captures) {
    if (!Operand(op, *value, frame, &insts->emplace_back())) return false;
  }
  return true;
}

bool Converter::ConvertTupleRegion(const Operation& op, const Region& region,
                                   absl::string_view name, const Shape& parameter,
                                   const std::vector<const Value*>& captures, Frame* inner,
                                   Instructions* results) {
  const mlir::Block* block = nullptr;
  if (!OneBlock(op, region, &block)) return false;
  inner->computation = module_.AddComputation(name);
  Instruction* tuple = inner->computation->AddParameter(0, parameter);
  tuple->provenance = ProvenanceOf(op.offset, op.location);
  size_t arguments = block->arguments.size();
  if (arguments + captures.size() != parameter.elements().size()) {
    bool first = &region == &op.regions[0];
    absl::string_view label = op.name == "stablehlo.if"      ? "C1"
                              : op.name == "stablehlo.while" ? (first ? "C1" : "C2")
                                                             : "C2";
    return Fail(op, absl::StrCat(label, ": a block takes ", arguments, " arguments, is given ",
                                 parameter.elements().size() - captures.size()));
  }
  for (size_t i = 0; i < parameter.elements().size(); ++i) {
    const Value* value = i < arguments ? block->arguments[i].get() : captures[i - arguments];
    Instruction* element = Element(*inner, tuple, i);
    element->provenance = ProvenanceOf(value->offset, value->location);
    inner->values[value] = element;
  }
  return ConvertBlock(op, *block, *inner, results);
}

bool Converter::ConvertWhile(const Operation& op, Frame& frame) {
  if (op.regions.size() != 2) return Fail(op, "must have two regions");
  if (op.results.size() != op.operands.size()) return Fail(op, "C3: needs one result per operand");
  // One place may know a size of the state, and another may not.
  auto fits = [&](const mlir::Type& type, const mlir::Type& first) {
    Shape a, b;
    return mlir::SameType(type, first) ||
           (type.IsTensor() && first.IsTensor() && ShapeOf(type, &a) && ShapeOf(first, &b) &&
            hlo::ShapesAgree(a, b));
  };
  for (size_t i = 0; i < op.results.size(); ++i) {
    if (!fits(*op.results[i]->type, *op.operands[i]->type)) {
      return Fail(op, absl::StrCat("C3: result ", i, " must have the operand's type ",
                                   ToString(*op.operands[i]->type)));
    }
  }
  for (const Region& region : op.regions) {
    const mlir::Block* block = nullptr;
    if (!OneBlock(op, region, &block)) return false;
    for (size_t i = 0; i < block->arguments.size() && i < op.operands.size(); ++i) {
      if (!fits(*block->arguments[i]->type, *op.operands[i]->type)) {
        return errors_.Fail(
            block->arguments[i]->offset,
            absl::StrCat("'", op.name, "': ", &region == &op.regions[0] ? "C1" : "C2",
                         ": argument ", i, " must have type ", ToString(*op.operands[i]->type)));
      }
    }
  }
  std::vector<const Value*> captures = Captures({&op.regions[0], &op.regions[1]});
  Instructions state;
  if (!Operands(op, frame, &state) || !Capture(op, frame, captures, &state)) return false;
  Shape shape = TupleOf(state);
  Frame condition, body;
  Instructions flag, next;
  auto parameter = [&](const Region& region) {
    std::vector<Shape> shapes = shape.elements();
    const auto& arguments = region.blocks[0]->arguments;
    for (size_t i = 0; i < arguments.size() && i < shapes.size(); ++i) {
      if (arguments[i]->type->IsTensor()) ShapeOf(*arguments[i]->type, &shapes[i]);
    }
    return Shape::Tuple(std::move(shapes));
  };
  if (!ConvertTupleRegion(op, op.regions[0], "while_condition", parameter(op.regions[0]), captures,
                          &condition, &flag) ||
      !ConvertTupleRegion(op, op.regions[1], "while_body", parameter(op.regions[1]), captures,
                          &body, &next)) {
    return false;
  }
  condition.computation->set_root(Pack(op, condition, flag));
  for (const Value* value : captures) next.push_back(body.values[value]);
  Instruction* root = MakeTuple(body.computation, next);
  root->provenance = ProvenanceOf(op.offset, op.location);
  body.computation->set_root(root);
  Instruction* loop =
      frame.computation->Add(Opcode::kWhile, shape, {MakeTuple(frame.computation, state)}, {},
                             {condition.computation, body.computation});
  for (size_t i = 0; i < op.results.size(); ++i) {
    frame.values[op.results[i].get()] = Element(frame, loop, i);
  }
  return true;
}

bool Converter::ConvertIf(const Operation& op, Frame& frame) {
  if (op.regions.size() != 2) return Fail(op, "must have two regions");
  return ConvertBranches(op, frame);
}

bool Converter::ConvertCase(const Operation& op, Frame& frame) {
  if (op.regions.empty()) return Fail(op, "C1: needs at least one branch");
  return ConvertBranches(op, frame);
}

bool Converter::ConvertBranches(const Operation& op, Frame& frame) {
  if (op.operands.size() != 1) return Fail(op, "must have one operand");
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  std::vector<hlo::Computation*> branches;
  for (const Region& region : op.regions) {
    std::vector<const Value*> captures = Captures({&region});
    Instructions insts, results;
    if (!Capture(op, frame, captures, &insts)) return false;
    Frame inner;
    std::string name = absl::StrCat("branch_", branches.size());
    if (!ConvertTupleRegion(op, region, name, TupleOf(insts), captures, &inner, &results))
      return false;
    inner.computation->set_root(Pack(op, inner, results));
    branches.push_back(inner.computation);
    operands.push_back(MakeTuple(frame.computation, insts));
  }
  return Emit(op, frame, Opcode::kConditional, std::move(operands), {}, std::move(branches));
}

bool Converter::EmitCall(const Operation& op, Frame& frame, absl::string_view callee,
                         AttrMap attrs) {
  const Operation* function = FindFunction(callee);
  if (function == nullptr) return Fail(op, absl::StrCat("there is no function @", callee));
  hlo::Computation* computation = nullptr;
  Instructions operands;
  if (!ConvertFunction(op, *function, &computation) || !Operands(op, frame, &operands)) {
    return false;
  }
  auto why = cannot_run_.find(function);
  if (why != cannot_run_.end()) cannot_run_.emplace(open_functions_.back(), why->second);
  if (!Emit(op, frame, Opcode::kCall, std::move(operands), std::move(attrs), {computation},
            /*any=*/true)) {
    return false;
  }
  KeepResultShardings(op, frame, *computation);
  return true;
}

bool Converter::ConvertCall(const Operation& op, Frame& frame) {
  const Attribute* callee = op.Attr("callee");
  if (callee == nullptr || !callee->Is(AttributeKind::kSymbol)) {
    return Fail(op, "attribute 'callee' is missing");
  }
  const Operation* function = meshes_.empty() ? nullptr : FindFunction(callee->text);
  if (function != nullptr && HasManual(*function)) return InlineCall(op, *function, frame);
  return EmitCall(op, frame, callee->text, {});
}

namespace {

// What jaxlib makes of CHLO's ops when it writes a portable artifact, where the op does better than
// its decomposition (a full sort, for top_k).
enum class ChloComposite { kNone, kFunction, kTopK, kMulHigh };

ChloComposite ChloCompositeOf(absl::string_view name, int64_t version,
                              const std::vector<hlo::Instruction*>& operands) {
  if (version != 1 || operands.empty() || !operands[0]->shape.IsArray()) {
    return ChloComposite::kNone;
  }
  const hlo::ElementType type = operands[0]->shape.element_type();
  if (operands.size() == 2 && name == "chlo.mulhi" && hlo::IsInteger(type))
    return ChloComposite::kMulHigh;
  if (operands.size() != 1) return ChloComposite::kNone;
  if (name == "chlo.top_k" && !hlo::IsComplex(type)) return ChloComposite::kTopK;
  constexpr absl::string_view kFunctions[] = {"chlo.acos",  "chlo.acosh", "chlo.asin", "chlo.asinh",
                                              "chlo.atanh", "chlo.cosh",  "chlo.erf",  "chlo.sinh"};
  const bool known = std::count(std::begin(kFunctions), std::end(kFunctions), name) != 0;
  return known && hlo::IsFloat(type) ? ChloComposite::kFunction : ChloComposite::kNone;
}

}  // namespace

bool Converter::ConvertComposite(const Operation& op, Frame& frame) {
  const Attribute* callee = op.Attr("decomposition");
  if (callee == nullptr || !callee->Is(AttributeKind::kSymbol)) {
    return Fail(op, "attribute 'decomposition' is missing");
  }
  OpReader reader(op, errors_);
  std::string name;
  int64_t version = 0;
  if (!reader.String("name", &name) || !reader.IntOr("version", 0, &version)) return false;
  if (!IsNamespacedName(name)) {
    return Fail(op, absl::StrCat("C1: '", name, "' is no name with a namespace, like 'my.op'"));
  }
  if (FindFunction(callee->text) == nullptr) {
    return Fail(op, absl::StrCat("C2: there is no function @", callee->text));
  }
  const Attribute* fields = op.Attr("composite_attributes");
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  const Attribute* k = fields == nullptr ? nullptr : mlir::Find(fields->entries, "k");
  Graph graph(frame.computation);
  ChloComposite form = ChloCompositeOf(name, version, operands);
  // What is stated besides, the decomposition alone respects.
  const size_t known = form == ChloComposite::kTopK ? 1 : 0;
  if ((fields == nullptr ? 0 : fields->entries.size()) != known) form = ChloComposite::kNone;
  switch (form) {
    case ChloComposite::kFunction:
      return ConvertChloFunction(op, frame, name);
    case ChloComposite::kTopK:
      if (k == nullptr || !k->Is(AttributeKind::kInteger)) break;
      return EmitTopK(op, frame, k->integer, /*largest=*/true);
    case ChloComposite::kMulHigh:
      return ApplyChloBinary(op, frame, graph, name,
                             {graph.Of(operands[0]), graph.Of(operands[1])});
    case ChloComposite::kNone:
      break;
  }
  AttrMap attrs;
  attrs.Set(Attr::kIsComposite, true);
  attrs.Set(Attr::kFrontendAttributes,
            absl::StrCat("{composite.name=\"", name,
                         "\",composite.attributes=", fields == nullptr ? "{}" : ToString(*fields),
                         ",composite.version=\"", version, "\"}"));
  return EmitCall(op, frame, callee->text, std::move(attrs));
}

}  // namespace halyard::stablehlo
