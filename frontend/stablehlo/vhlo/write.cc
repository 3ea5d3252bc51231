// The walk over a program that is written as a portable artifact.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/stablehlo/vhlo/vhlo.h"
#include "frontend/stablehlo/vhlo/writer.h"

namespace halyard::stablehlo {

using mlir::Operation;
using mlir::OutBlock;
using mlir::OutOperation;
using mlir::OutRegion;
using mlir::OutValue;

namespace {

constexpr absl::string_view kCast = "builtin.unrealized_conversion_cast";
// Ops of dialects that VHLO does not have may stand beside its own since this version.
constexpr Version kMixed{1, 11, 0};

// By name, so that the same program gives the same bytes however it was read.
std::vector<mlir::NamedAttribute> Sorted(const std::vector<mlir::NamedAttribute>& attributes) {
  std::vector<mlir::NamedAttribute> sorted = attributes;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return sorted;
}

}  // namespace

VhloWriter::VhloWriter(const mlir::Document& document, Version target)
    : document_(document), encoder_(document, target) {}

// Old formats have everything in one dictionary.
void VhloWriter::SetAttributes(Named inherent, Named others, bool properties, OutOperation* out) {
  if (encoder_.out().version() < mlir::bytecode::kProperties || !properties) {
    others.insert(others.end(), inherent.begin(), inherent.end());
  } else if (!inherent.empty()) {
    mlir::ByteBuffer bytes;
    for (const auto& [name, id] : inherent) bytes.VarInt(id);
    out->properties = encoder_.out().Properties(bytes.bytes());
  }
  if (!others.empty()) out->attributes = encoder_.Dictionary(std::move(others));
}

// A value as the other dialect sees it: a cast in front of its use.
bool VhloWriter::Cast(const mlir::Value& value, bool builtin, OutBlock* block, OutValue** result) {
  auto cast = std::make_unique<OutOperation>();
  cast->name = std::string(kCast);
  cast->location = encoder_.Location(nullptr);
  cast->operands.push_back(values_.at(&value).value);
  uint64_t type = 0;
  if (!(builtin ? encoder_.BuiltinType(*value.type, &type) : encoder_.Type(*value.type, &type))) {
    return false;
  }
  cast->types.push_back(type);
  cast->results.push_back(*result = encoder_.out().NewValue());
  block->operations.push_back(std::move(cast));
  return true;
}

bool VhloWriter::WriteOperands(const Operation& op, bool builtin, OutBlock* block,
                               OutOperation* out) {
  for (const mlir::Value* operand : op.operands) {
    auto known = values_.find(operand);
    if (known == values_.end()) return encoder_.Fail("an operand is used before it is defined");
    OutValue* value = known->second.value;
    if (known->second.builtin != builtin && !Cast(*operand, builtin, block, &value)) return false;
    out->operands.push_back(value);
  }
  return true;
}

bool VhloWriter::WriteResults(const Operation& op, bool builtin, OutOperation* out) {
  for (const auto& result : op.results) {
    uint64_t type = 0;
    if (!(builtin ? encoder_.BuiltinType(*result->type, &type)
                  : encoder_.Type(*result->type, &type))) {
      return false;
    }
    out->types.push_back(type);
    out->results.push_back(encoder_.out().NewValue());
    values_[result.get()] = {out->results.back(), builtin};
  }
  return true;
}

bool VhloWriter::WriteRegions(const Operation& op, bool builtin, OutOperation* out) {
  for (const mlir::Region& region : op.regions) {
    OutRegion& out_region = out->regions.emplace_back();
    for (const auto& block : region.blocks) {
      OutBlock& out_block = out_region.blocks.emplace_back();
      for (const auto& argument : block->arguments) {
        mlir::OutArgument& out_argument = out_block.arguments.emplace_back();
        if (!(builtin ? encoder_.BuiltinType(*argument->type, &out_argument.type)
                      : encoder_.Type(*argument->type, &out_argument.type))) {
          return false;
        }
        out_argument.location = encoder_.Location(argument->location);
        out_argument.value = encoder_.out().NewValue();
        values_[argument.get()] = {out_argument.value, builtin};
      }
      for (const auto& inner : block->operations) {
        if (!WriteOperation(*inner, &out_block)) return false;
        encoder_.SetOperation(&op);
      }
    }
  }
  return true;
}

bool VhloWriter::WriteVhloOperation(const Operation& op, OutBlock* block) {
  const VhloOp* row = RowOf(op);
  if (row == nullptr || !CheckOperation(op, *row)) return false;
  auto out = std::make_unique<OutOperation>();
  out->name = absl::StrCat("vhlo.", row->name);
  out->location = encoder_.Location(op.location);
  out->isolated = op.name == "func.func";
  Named inherent;
  Named others;
  if (!ConvertAttributes(op, *row, &inherent, &others) ||
      !WriteOperands(op, false, block, out.get()) || !WriteResults(op, false, out.get())) {
    return false;
  }
  SetAttributes(std::move(inherent), std::move(others), true, out.get());
  if (!WriteRegions(op, false, out.get())) return false;
  block->operations.push_back(std::move(out));
  return true;
}

// Ops of other dialects, as they are, with the builtin dialect's types.
bool VhloWriter::WriteOtherOperation(const Operation& op, OutBlock* block) {
  if (absl::StartsWith(op.name, "stablehlo.") || absl::StartsWith(op.name, "func.")) {
    return encoder_.Fail("portable artifacts have no such op");
  }
  if (!encoder_.Need(kMixed, "an op of another dialect")) return false;
  auto out = std::make_unique<OutOperation>();
  out->name = op.name;
  out->location = encoder_.Location(op.location);
  Named attributes;
  for (const mlir::NamedAttribute& entry : Sorted(op.attributes)) {
    uint64_t id = 0;
    if (!encoder_.BuiltinAttribute(*entry.value, &id)) return false;
    attributes.emplace_back(entry.name, id);
  }
  if (!WriteOperands(op, true, block, out.get()) || !WriteResults(op, true, out.get())) {
    return false;
  }
  SetAttributes({}, std::move(attributes), false, out.get());
  if (!WriteRegions(op, true, out.get())) return false;
  block->operations.push_back(std::move(out));
  return true;
}

bool VhloWriter::WriteOperation(const Operation& op, OutBlock* block) {
  encoder_.SetOperation(&op);
  if (op.name == "builtin.module") return encoder_.Fail("a module inside a module");
  return VhloRows(op.name).empty() ? WriteOtherOperation(op, block) : WriteVhloOperation(op, block);
}

bool VhloWriter::WriteModule(const Operation* module, OutOperation* top) {
  top->name = "builtin.module";
  top->isolated = true;
  encoder_.SetOperation(module);
  const bool properties = encoder_.out().version() >= mlir::bytecode::kProperties;
  uint64_t names[] = {0, 0};  // sym_name, sym_visibility: a flag says whether it is there
  Named attributes;
  if (module != nullptr) {
    for (const mlir::NamedAttribute& entry : Sorted(module->attributes)) {
      uint64_t id = 0;
      if (!encoder_.BuiltinAttribute(*entry.value, &id)) return false;
      const int which = entry.name == "sym_name" ? 0 : entry.name == "sym_visibility" ? 1 : -1;
      if (properties && which >= 0) {
        names[which] = id << 1 | 1;
      } else {
        attributes.emplace_back(entry.name, id);
      }
    }
  }
  if (properties) {
    mlir::ByteBuffer bytes;
    for (uint64_t name : names) bytes.VarInt(name);
    top->properties = encoder_.out().Properties(bytes.bytes());
  }
  SetAttributes({}, std::move(attributes), false, top);
  top->location = encoder_.Location(module == nullptr ? nullptr : module->location);
  if (module != nullptr) return WriteRegions(*module, false, top);
  OutBlock& block = top->regions.emplace_back().blocks.emplace_back();
  for (const auto& op : document_.operations) {
    if (!WriteOperation(*op, &block)) return false;
  }
  return true;
}

// The one module, or one around all that there is.
absl::StatusOr<std::string> VhloWriter::Write() {
  const auto& operations = document_.operations;
  const bool module = operations.size() == 1 && operations[0]->name == "builtin.module";
  OutOperation top;
  if (!WriteModule(module ? operations[0].get() : nullptr, &top)) return encoder_.status();
  return encoder_.out().Finish(absl::StrCat("StableHLO_v", ToString(encoder_.target())), top);
}

absl::StatusOr<std::string> WriteBytecode(const mlir::Document& document, Version target) {
  if (!IsSupported(target)) {
    return absl::InvalidArgumentError(absl::StrCat("StableHLO version ", ToString(target),
                                                   " is not supported; supported are ",
                                                   SupportedVersions()));
  }
  return VhloWriter(document, target).Write();
}

}  // namespace halyard::stablehlo
