// Shardy's ops: manual computations, the calls of functions that contain them, constraints, and the
// results that these spread.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;

// sdy.manual_computation: its body computes with what each process has of the operands.
bool Converter::ConvertManualComputation(const Operation& op, Frame& frame) {
  std::vector<Sharding> in, out;
  const mlir::Block* block = nullptr;
  if (!ReadManual(op, "in_shardings", op.operands.size(), &in) ||
      !ReadManual(op, "out_shardings", op.results.size(), &out)) {
    return false;
  }
  if (in.size() != op.operands.size() || out.size() != op.results.size())
    return EmitStandIn(op, frame, "these shardings");
  if (op.regions.size() != 1) return Fail(op, "must have one region");
  if (!OneBlock(op, op.regions[0], &block)) return false;
  if (block->arguments.size() != op.operands.size())
    return Fail(op, "the body needs an argument for each operand");
  Instructions operands, results;
  if (!Operands(op, frame, &operands)) return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    Shape local = operands[i]->shape, wanted;
    if (!LocalShape(op, in[i], &local) || !ShapeOf(*block->arguments[i]->type, &wanted))
      return false;
    if (!Shape::SameIgnoringLayout(local, wanted)) {
      return Fail(op, absl::StrCat("argument ", i, " of the body is ", wanted.ToString(),
                                   "; a process has ", local.ToString()));
    }
    frame.values[block->arguments[i].get()] = Part(frame, operands[i], in[i]);
  }
  if (!ConvertBlock(op, *block, frame, &results)) return false;
  if (results.size() != op.results.size())
    return Fail(op, "the body must return a value for each result");
  for (size_t i = 0; i < results.size(); ++i) {
    Shape local;
    if (!ShapeOf(*op.results[i]->type, &local) || !LocalShape(op, out[i], &local)) return false;
    if (!Shape::SameIgnoringLayout(local, results[i]->shape)) {
      return Fail(op, absl::StrCat("result ", i, " of the body is ", results[i]->shape.ToString(),
                                   "; a process gives ", local.ToString()));
    }
    frame.values[op.results[i].get()] = Whole(frame, results[i], out[i]);
  }
  return true;
}

// Returns whether the operations contain a manual computation, also in functions that they call.
bool Converter::HasManual(const Operation& function) {
  auto [known, fresh] = has_manual_.emplace(&function, false);
  if (!fresh) return known->second;
  bool found = false;
  std::vector<const Operation*> work = {&function};
  while (!work.empty() && !found) {
    const Operation* op = work.back();
    work.pop_back();
    found = op->name == "sdy.manual_computation";
    const Attribute* callee = op->name == "func.call" ? op->Attr("callee") : nullptr;
    const Operation* called = callee == nullptr ? nullptr : FindFunction(callee->text);
    if (called != nullptr) found = found || HasManual(*called);
    for (const Region& region : op->regions) {
      for (const auto& block : region.blocks) {
        for (const auto& inner : block->operations) work.push_back(inner.get());
      }
    }
  }
  return has_manual_[&function] = found;
}

// A call of a function with manual computations. They are part of the caller, so that what is
// spread need not be gathered for the call.
bool Converter::InlineCall(const Operation& op, const Operation& callee, Frame& frame) {
  // More than any program has that can be compiled.
  constexpr size_t kMostInstructions = size_t{1} << 21;
  if (std::count(open_functions_.begin(), open_functions_.end(), &callee) > 0)
    return Fail(op, "a function calls itself");
  const mlir::Block* block = nullptr;
  if (callee.regions.size() != 1) return Fail(op, "the function has no body");
  if (!OneBlock(callee, callee.regions[0], &block)) return false;
  Instructions operands, results;
  if (!Operands(op, frame, &operands)) return false;
  bool fits = block->arguments.size() == operands.size();
  for (size_t i = 0; fits && i < operands.size(); ++i)
    fits = mlir::SameType(*block->arguments[i]->type, *op.operands[i]->type);
  if (!fits) return Fail(op, "the operands are not those of the function");
  for (size_t i = 0; i < operands.size(); ++i)
    frame.values[block->arguments[i].get()] = operands[i];
  open_functions_.push_back(&callee);
  if (!ConvertBlock(callee, *block, frame, &results)) return false;
  open_functions_.pop_back();
  auto why = cannot_run_.find(&callee);
  if (why != cannot_run_.end()) cannot_run_.emplace(open_functions_.back(), why->second);
  if (frame.computation->instructions().size() > kMostInstructions)
    return Fail(op, "the program has too many instructions");
  const Operation& terminator = *block->operations.back();
  fits = results.size() == op.results.size();
  for (size_t i = 0; fits && i < results.size(); ++i)
    fits = mlir::SameType(*terminator.operands[i]->type, *op.results[i]->type);
  if (!fits) return Fail(op, "the results are not those of the function");
  for (size_t i = 0; i < results.size(); ++i) frame.values[op.results[i].get()] = results[i];
  return true;
}

// Every process has the whole value, before and after. It is remembered how the value is to be
// spread, for results. What no process can have is no error: the computation needs nothing of it.
bool Converter::ConvertShardingConstraint(const Operation& op, Frame& frame) {
  if (op.results.size() != 1) return Fail(op, "must have one result");
  if (!ConvertIdentity(op, frame)) return false;
  const Attribute* text = op.Attr("sharding");
  Sharding sharding;
  std::string why;
  const hlo::Instruction* value = frame.values[op.results[0].get()];
  if (module_.num_partitions > 1 && text != nullptr && ReadSharding(text->text, &sharding) &&
      MeshFits(sharding, &why)) {
    spread_[value] = std::move(sharding);
  }
  return true;
}

void Converter::KeepResultShardings(const Operation& call, Frame& frame,
                                    const hlo::Computation& callee) {
  const hlo::Instruction& root = *callee.root();
  const size_t count = call.results.size();
  // Whether a call fits its callee, and that has a body, is checked later.
  if (count != 1 && (root.opcode != Opcode::kTuple || root.operands.size() != count)) return;
  for (size_t i = 0; i < count; ++i) {
    const hlo::Instruction* value = frame.values[call.results[i].get()];
    auto found = spread_.find(count == 1 ? &root : root.operand(i));
    if (found == spread_.end()) continue;
    Sharding sharding = found->second;  // the map grows
    spread_[value] = std::move(sharding);
  }
}

bool Converter::CanBeCut(const Shape& shape, const Sharding& sharding) {
  if (!shape.IsArray() || shape.IsDynamic() || shape.quantization() != nullptr ||
      shape.dims().size() != sharding.dims.size()) {
    return false;
  }
  for (size_t d = 0; d < shape.dims().size(); ++d) {
    if (shape.dims()[d] % sharding.Blocks(d) != 0) return false;
  }
  return true;
}

// Returns whether an argument's memory is to hold the result, which then has the argument's shape.
static bool IsAliased(const mlir::Operation& function, size_t number) {
  const Attribute* all = function.Attr("arg_attrs");
  return all != nullptr &&
         std::any_of(all->elements.begin(), all->elements.end(), [number](const Attribute* own) {
           const Attribute* alias = mlir::Find(own->entries, "tf.aliasing_output");
           return alias != nullptr && alias->Is(mlir::AttributeKind::kInteger) &&
                  alias->integer == static_cast<int64_t>(number);
         });
}

bool Converter::ConvertResult(const Operation& function, Frame& frame, size_t number,
                              hlo::Instruction** result) {
  Sharding sharding;
  bool stated = false;
  if (!EntrySharding(function, "res_attrs", number, &sharding, &stated)) return false;
  auto known = spread_.find(*result);
  Shape local = (*result)->shape;
  if (!stated && known != spread_.end() && !IsAliased(function, number) &&
      CanBeCut(local, known->second)) {
    sharding = known->second;
  }
  if (!LocalShape(function, sharding, &local)) return false;
  *result = Part(frame, *result, sharding);
  if (module_.num_partitions > 1) shardings_.results.push_back(HloText(sharding));
  return true;
}

}  // namespace halyard::stablehlo
