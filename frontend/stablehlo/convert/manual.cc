// Shardy's manual computations, and the calls of functions that contain them.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

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

}  // namespace halyard::stablehlo
