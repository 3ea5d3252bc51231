#include "client/check/rewrite.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace halyard::check {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Block;
using mlir::Operation;
using mlir::Region;
using mlir::Type;
using mlir::TypeKind;
using mlir::Value;

// Ops with operands that state sizes or places: the index of the first such operand, and their
// number. Their values must be known when compiling.
struct SizeOperands {
  absl::string_view op;
  size_t first, count;
};
constexpr SizeOperands kSizeOperands[] = {
    {"stablehlo.dynamic_broadcast_in_dim", 1, 1},
    {"stablehlo.dynamic_conv", 2, 1},
    {"stablehlo.dynamic_gather", 2, 1},
    {"stablehlo.dynamic_iota", 0, 1},
    {"stablehlo.dynamic_pad", 2, 3},
    {"stablehlo.dynamic_reshape", 1, 1},
    {"stablehlo.real_dynamic_slice", 1, 3},
    {"stablehlo.rng", 2, 1},
    {"stablehlo.set_dimension_size", 1, 1},
    {"chlo.dynamic_reshape", 1, 1},
    {"stablehlo.custom_call", 0, SIZE_MAX},
};

// The most functions that may call one another in a row, as in the converter, and the most
// constants and checks that a function may have, including those of the functions that it calls.
constexpr int kMaxCallDepth = 100;
constexpr size_t kMaxAdded = 1 << 16;
// A constant that repeats one element becomes an array only when it is needed.
constexpr int64_t kMaxSplat = 1 << 20;

const Attribute* TypeAttribute(mlir::Document& document, const Type* type, size_t offset) {
  Attribute* attribute = document.NewAttribute(AttributeKind::kType, offset);
  attribute->type = type;
  return attribute;
}

void SetAttribute(Operation& op, absl::string_view name, const Attribute* value) {
  for (mlir::NamedAttribute& attribute : op.attributes) {
    if (attribute.name == name) {
      attribute.value = value;
      return;
    }
  }
  op.attributes.push_back({std::string(name), value, op.offset});
}

Value* AddResult(Operation& op, const Type* type) {
  auto value = std::make_unique<Value>();
  value->type = type;
  value->owner = &op;
  value->index = static_cast<int64_t>(op.results.size());
  value->offset = op.offset;
  return op.results.emplace_back(std::move(value)).get();
}

// Returns whether a custom call needs no value when compiling, because it is a check or because the
// rewriting has made it.
bool IsOurCall(const Operation& op) {
  std::string name;
  if (IsCheckOp(op, &name)) return true;
  const Attribute* target = op.Attr("call_target_name");
  return op.name == "stablehlo.custom_call" && target != nullptr &&
         (target->text == kProbeTarget || target->text == kParallelTarget);
}

// Turns `op` into the constant `true`. Its result stays.
void MakeTrue(mlir::Document& document, Operation& op) {
  op.name = "stablehlo.constant";
  op.operands.clear();
  op.attributes.clear();
  Attribute* value = document.NewAttribute(AttributeKind::kDense, op.offset);
  value->type = op.results[0]->type;
  value->data = std::make_shared<mlir::DenseData>(
      mlir::DenseData{hlo::ElementType::kPred, 1, false, {std::byte{1}}});
  SetAttribute(op, "value", value);
}

}  // namespace

Program::Rewrite::Rewrite(mlir::Document& document,
                          const std::vector<std::unique_ptr<Function>>& functions,
                          Interpreter& interpreter, bool hoist_constants)
    : document_(document),
      interpreter_(interpreter),
      functions_(functions),
      hoist_constants_(hoist_constants) {
  for (const auto& function : functions_) by_name_.emplace(function->name, function.get());
  for (const auto& function : functions_) {
    if (function->body() == nullptr) function->may_change = false;
    for (const Region& region : function->op->regions) {
      for (const auto& block : region.blocks) {
        for (const auto& op : block->operations) FindUses(*op, function.get(), false);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [caller, callee] : calls_) {
      if (caller->may_change || !callee->may_change) continue;
      callee->may_change = false;
      changed = true;
    }
  }
}

absl::Status Program::Rewrite::Fail(const Operation& op, absl::string_view message) const {
  return absl::InvalidArgumentError(
      document_.source.ErrorAt(op.offset, absl::StrCat("'", op.name, "': ", message)));
}

void Program::Rewrite::FindUses(const Operation& op, const Function* function, bool in_region) {
  for (const std::string& name : OwnSymbols(op)) {
    auto found = by_name_.find(name);
    if (found == by_name_.end()) continue;
    if (in_region || op.name != "func.call") found->second->may_change = false;
    calls_.emplace_back(const_cast<Function*>(function), found->second);
  }
  for (const Region& region : op.regions) {
    for (const auto& block : region.blocks) {
      for (const auto& inner : block->operations) {
        // Regions have separate rules about the values that they may use from outside.
        for (const Value* operand : inner->operands) fixed_.insert(operand);
        FindUses(*inner, function, true);
      }
    }
  }
}

// Returns the values on which sizes depend.
void Program::Rewrite::FindFixed(const Block& block) {
  std::vector<const Value*> open;
  for (const auto& op : block.operations) {
    for (const SizeOperands& sizes : kSizeOperands) {
      if (op->name != sizes.op || IsOurCall(*op)) continue;
      const size_t given = op->operands.size();
      const size_t end = sizes.count < given ? std::min(given, sizes.first + sizes.count) : given;
      for (size_t i = sizes.first; i < end; ++i) open.push_back(op->operands[i]);
    }
  }
  std::unordered_set<const Value*> seen;
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    if (!seen.insert(value).second) continue;
    fixed_.insert(value);
    if (value->owner == nullptr) continue;
    open.insert(open.end(), value->owner->operands.begin(), value->owner->operands.end());
  }
}

void Program::Rewrite::RewriteAll() {
  for (const auto& function : functions_) Process(*function).IgnoreError();
}

absl::Status Program::Rewrite::Process(Function& function) {
  if (function.state == Function::State::kDone) return function.status;
  if (function.state == Function::State::kOpen) {
    return Fail(*function.op, absl::StrCat("@", function.name, " calls itself"));
  }
  if (depth_ >= kMaxCallDepth) return Fail(*function.op, "calls are nested too deeply");
  ++depth_;
  function.state = Function::State::kOpen;
  for (const Region& region : function.op->regions) {
    for (const auto& block : region.blocks) {
      for (const auto& op : block->operations) {
        if (function.status.ok()) function.status = CheckRegions(*op);
      }
    }
  }
  for (const Region& region : function.op->regions) {
    if (function.status.ok()) function.status = RewriteInterpreter(function, region, false);
  }
  if (function.status.ok() && function.body() != nullptr) {
    std::vector<Value*> outer = std::move(results_);
    results_.clear();
    function.status = ProcessBody(function, *function.op->regions[0].blocks[0]);
    results_ = std::move(outer);
  }
  function.state = Function::State::kDone;
  --depth_;
  return function.status;
}

absl::Status Program::Rewrite::CheckRegions(const Operation& op) const {
  std::string name;
  for (const Region& region : op.regions) {
    for (const auto& block : region.blocks) {
      for (const auto& inner : block->operations) {
        if (IsCheckOp(*inner, &name)) {
          return Fail(*inner, absl::StrCat("checks in regions (here of '", op.name,
                                           "') are not supported"));
        }
        if (absl::Status s = CheckRegions(*inner); !s.ok()) return s;
      }
    }
  }
  return absl::OkStatus();
}

bool Program::Rewrite::MayHoist(const Operation& op) const {
  if (!hoist_constants_ || op.name != "stablehlo.constant" || op.results.size() != 1) return false;
  const Attribute* value = op.Attr("value");
  const Type& type = *op.results[0]->type;
  if (value == nullptr || value->data == nullptr || value->type == nullptr || !type.IsTensor() ||
      !value->type->IsTensor() || fixed_.contains(op.results[0].get())) {
    return false;
  }
  if (value->data->splat && value->data->count > kMaxSplat) return false;
  // A wrong constant stays where it is, so that its error is reported.
  return value->type->dims == type.dims &&
         std::count(type.dims.begin(), type.dims.end(), mlir::kDynamic) == 0 &&
         mlir::ScalarType(*value->type->elements[0]) == mlir::ScalarType(*type.elements[0]) &&
         mlir::ScalarType(*type.elements[0]).has_value();
}

Value* Program::Rewrite::AddArgument(Function& function, Block& block, Constant constant) {
  auto argument = std::make_unique<Value>();
  argument->type = constant.type;
  argument->index = static_cast<int64_t>(block.arguments.size());
  argument->offset = constant.value->offset;
  function.constants.push_back(constant);
  return block.arguments.emplace_back(std::move(argument)).get();
}

absl::Status Program::Rewrite::ProcessCall(Function& function, Block& block, Operation& call) {
  const Attribute* callee = call.Attr("callee");
  auto found = callee == nullptr ? by_name_.end() : by_name_.find(callee->text);
  if (found == by_name_.end()) return absl::OkStatus();
  Function& called = *found->second;
  if (absl::Status s = Process(called); !s.ok()) return s;
  if (function.constants.size() + called.constants.size() > kMaxAdded ||
      function.expectations.size() + called.expectations.size() > kMaxAdded) {
    return Fail(call, "too many constants or checks come of calls");
  }
  for (const Constant& constant : called.constants) {
    call.operands.push_back(AddArgument(function, block, constant));
  }
  if (called.expectations.empty()) return absl::OkStatus();
  const std::vector<const Type*>& types = called.type()->results;
  for (size_t i = call.results.size(); i < types.size(); ++i) {
    results_.push_back(AddResult(call, types[i]));
  }
  function.expectations.insert(function.expectations.end(), called.expectations.begin(),
                               called.expectations.end());
  return absl::OkStatus();
}

absl::Status Program::Rewrite::ProcessBody(Function& function, Block& block) {
  const Type* before = function.type();
  if (before == nullptr || block.operations.empty()) return absl::OkStatus();
  FindFixed(block);
  Operations kept;
  absl::Status status;
  std::string name;
  for (auto& op : block.operations) {
    if (!status.ok()) {
      kept.push_back(std::move(op));
    } else if (IsCheckOp(*op, &name)) {
      absl::StatusOr<Expectation> expectation = ReadExpectation(*op, document_.source);
      status = expectation.status();
      if (status.ok() && !function.may_change) {
        status = Fail(*op, absl::StrCat("checks in @", function.name,
                                        " are not supported: not only functions call it"));
      }
      if (!status.ok()) continue;
      results_.insert(results_.end(), op->operands.begin(), op->operands.end());
      function.expectations.push_back(*std::move(expectation));
      if (!op->results.empty()) {
        MakeTrue(document_, *op);
        kept.push_back(std::move(op));
      }
    } else if (function.may_change && MayHoist(*op)) {
      // The value itself becomes the argument, so its uses stay as they are.
      std::unique_ptr<Value> value = std::move(op->results[0]);
      value->owner = nullptr;
      value->index = static_cast<int64_t>(block.arguments.size());
      function.constants.push_back({op->Attr("value"), value->type});
      block.arguments.push_back(std::move(value));
    } else {
      if (function.may_change && op->name == "func.call") {
        status = ProcessCall(function, block, *op);
      }
      kept.push_back(std::move(op));
    }
  }
  block.operations = std::move(kept);
  if (!status.ok() || block.operations.empty()) return status;
  if (function.constants.empty() && function.expectations.empty()) return status;

  Type* type = document_.NewType(TypeKind::kFunction, before->offset);
  type->elements = before->elements;
  for (const Constant& constant : function.constants) type->elements.push_back(constant.type);
  type->results = before->results;
  for (Value* result : results_) {
    type->results.push_back(result->type);
    block.operations.back()->operands.push_back(result);
  }
  SetAttribute(*function.op, "function_type", TypeAttribute(document_, type, before->offset));
  return status;
}

std::unique_ptr<Operation> Program::Rewrite::MakeEntry(
    mlir::Document& document, const std::vector<const Function*>& functions,
    absl::string_view name) {
  auto entry = std::make_unique<Operation>();
  entry->name = "func.func";
  entry->offset = functions.empty() ? 0 : functions[0]->op->offset;
  Attribute* symbol = document.NewAttribute(AttributeKind::kString, entry->offset);
  symbol->text = std::string(name);
  SetAttribute(*entry, "sym_name", symbol);
  Block& block = *entry->regions.emplace_back().blocks.emplace_back(std::make_unique<Block>());
  Type* type = document.NewType(TypeKind::kFunction, entry->offset);
  auto give = std::make_unique<Operation>();
  give->name = "func.return";
  give->offset = entry->offset;
  for (const Function* function : functions) {
    auto call = std::make_unique<Operation>();
    call->name = "func.call";
    call->offset = function->op->offset;
    Attribute* callee = document.NewAttribute(AttributeKind::kSymbol, call->offset);
    callee->text = function->name;
    SetAttribute(*call, "callee", callee);
    for (const Constant& constant : function->constants) {
      auto argument = std::make_unique<Value>();
      argument->type = constant.type;
      argument->index = static_cast<int64_t>(block.arguments.size());
      argument->offset = constant.value->offset;
      type->elements.push_back(constant.type);
      call->operands.push_back(block.arguments.emplace_back(std::move(argument)).get());
    }
    for (const Type* result : function->type()->results) {
      type->results.push_back(result);
      give->operands.push_back(AddResult(*call, result));
    }
    block.operations.push_back(std::move(call));
  }
  block.operations.push_back(std::move(give));
  SetAttribute(*entry, "function_type", TypeAttribute(document, type, entry->offset));
  return entry;
}

}  // namespace halyard::check
