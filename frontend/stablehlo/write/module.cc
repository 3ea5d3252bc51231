// The module, its functions and regions, and which values of the text stand for an HLO value.
#include "frontend/stablehlo/write/module.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/stablehlo/write/write.h"

namespace halyard::stablehlo {

using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;
using mlir::Operation;
using mlir::Value;

namespace {

// The reader takes programs nested up to 200 deep: a region and its op are two.
constexpr int kMaxRegionDepth = 90;
// Computations that several regions apply are written once for each.
constexpr int64_t kMaxOps = 4'000'000;

std::unique_ptr<Operation> MakeOp(absl::string_view name, std::vector<Value*> operands,
                                  const std::vector<const mlir::Type*>& results,
                                  const mlir::Location* location) {
  auto op = std::make_unique<Operation>();
  op->name = std::string(name);
  op->operands = std::move(operands);
  op->location = location;
  for (const mlir::Type* type : results) {
    auto value = std::make_unique<Value>();
    value->type = type;
    value->owner = op.get();
    value->index = static_cast<int64_t>(op->results.size());
    op->results.push_back(std::move(value));
  }
  return op;
}

mlir::Block* AddBlock(Operation* op) {
  mlir::Region& region = op->regions.emplace_back();
  region.blocks.push_back(std::make_unique<mlir::Block>());
  return region.blocks.back().get();
}

}  // namespace

bool Writer::Fail(const Instruction& inst, absl::string_view message) {
  if (status_.ok()) {
    const std::string place = inst.provenance.Place();
    status_ = absl::UnimplementedError(absl::StrCat(place.empty() ? "" : place + ": ", "'",
                                                    hlo::RowOf(inst.opcode).hlo_name, "' (",
                                                    inst.name, "): ", message));
  }
  return false;
}

Operation* Writer::Op(Frame& frame, absl::string_view name, Values operands, const Types& results) {
  frame.block->operations.push_back(MakeOp(name, std::move(operands), results, location_));
  ++count_;
  return frame.block->operations.back().get();
}

void Writer::Set(Operation* op, absl::string_view name, const Attribute* value) {
  op->attributes.push_back({std::string(name), value, 0});
}

Value* Writer::Argument(mlir::Block* block, const Shape& shape, const hlo::Provenance& provenance) {
  auto value = std::make_unique<Value>();
  value->type = nodes_.TypeOf(shape);
  value->index = static_cast<int64_t>(block->arguments.size());
  value->location = nodes_.LocationOf(provenance);
  block->arguments.push_back(std::move(value));
  return block->arguments.back().get();
}

Writer::Types Writer::LeafTypes(const Shape& shape) {
  Types types;
  for (const Shape& leaf : hlo::FlattenShape(shape)) types.push_back(nodes_.TypeOf(leaf));
  return types;
}

Writer::Types Writer::ResultTypes(const Shape& shape) {
  if (!shape.IsTuple()) return {nodes_.TypeOf(shape)};
  Types types;
  for (const Shape& element : shape.elements()) types.push_back(nodes_.TypeOf(element));
  return types;
}

Writer::Tree Writer::ResultTree(const Shape& shape, const Operation& op) {
  if (!shape.IsTuple()) return {.value = op.results[0].get()};
  Tree tree;
  for (const auto& result : op.results) tree.parts.push_back({.value = result.get()});
  return tree;
}

Writer::Tree Writer::TreeOf(const Shape& shape, const Values& leaves, size_t* next) {
  if (!shape.IsTuple()) return {.value = leaves[(*next)++]};
  Tree tree;
  for (const Shape& element : shape.elements()) {
    tree.parts.push_back(TreeOf(element, leaves, next));
  }
  return tree;
}

const Writer::Tree* Writer::Find(const Instruction& inst, Frame& frame) {
  auto found = frame.values.find(&inst);
  if (found != frame.values.end()) return &found->second;
  Fail(inst, "is used before it is defined");
  return nullptr;
}

Value* Writer::Single(const Instruction& user, const Tree& tree, const Shape& shape, Frame& frame) {
  if (tree.value != nullptr) return tree.value;
  if (!shape.IsTuple() || tree.parts.size() != shape.elements().size()) {
    Fail(user, "uses a value that StableHLO does not have");  // the context of a send or recv
    return nullptr;
  }
  Values parts;
  for (size_t i = 0; i < tree.parts.size(); ++i) {
    parts.push_back(Single(user, tree.parts[i], shape.elements()[i], frame));
    if (parts.back() == nullptr) return nullptr;
  }
  return Op(frame, "stablehlo.tuple", std::move(parts), {nodes_.TypeOf(shape)})->results[0].get();
}

bool Writer::Singles(const Instruction& inst, Frame& frame, Values* values) {
  for (const Instruction* operand : inst.operands) {
    const Tree* tree = Find(*operand, frame);
    if (tree == nullptr) return false;
    values->push_back(Single(inst, *tree, operand->shape, frame));
    if (values->back() == nullptr) return false;
  }
  return true;
}

bool Writer::Element(const Instruction& user, const Tree& tree, const Shape& shape, int64_t index,
                     Frame& frame, Tree* element) {
  if (!tree.parts.empty()) {
    *element = tree.parts[index];
    return true;
  }
  if (tree.value == nullptr) return Fail(user, "uses a value that StableHLO does not have");
  Operation* op = Op(frame, "stablehlo.get_tuple_element", {tree.value},
                     {nodes_.TypeOf(shape.elements()[index])});
  Set(op, "index", nodes_.Int(index, 32));
  *element = {.value = op->results[0].get()};
  return true;
}

bool Writer::Leaves(const Instruction& user, const Tree& tree, const Shape& shape, Frame& frame,
                    Values* leaves) {
  if (!shape.IsTuple()) {
    if (tree.value == nullptr) return Fail(user, "uses a value that StableHLO does not have");
    leaves->push_back(tree.value);
    return true;
  }
  for (int64_t i = 0; i < static_cast<int64_t>(shape.elements().size()); ++i) {
    Tree element;
    if (!Element(user, tree, shape, i, frame, &element) ||
        !Leaves(user, element, shape.elements()[i], frame, leaves)) {
      return false;
    }
  }
  return true;
}

bool Writer::OperandLeaves(const Instruction& inst, Frame& frame, Values* leaves) {
  for (const Instruction* operand : inst.operands) {
    const Tree* tree = Find(*operand, frame);
    if (tree == nullptr || !Leaves(inst, *tree, operand->shape, frame, leaves)) return false;
  }
  return true;
}

Operation* Writer::Leafwise(const Instruction& inst, Frame& frame, absl::string_view name) {
  if (name.empty()) name = hlo::RowOf(inst.opcode).stablehlo_name;
  Values operands;
  if (!OperandLeaves(inst, frame, &operands)) return nullptr;
  Operation* op =
      Op(frame, absl::StrCat("stablehlo.", name), std::move(operands), LeafTypes(inst.shape));
  Values results;
  for (const auto& result : op->results) results.push_back(result.get());
  size_t next = 0;
  frame.values[&inst] = TreeOf(inst.shape, results, &next);
  return op;
}

bool Writer::WriteInstruction(const Instruction& inst, Frame& frame) {
  if (count_ > kMaxOps) {
    if (status_.ok()) {
      status_ = absl::ResourceExhaustedError(
          absl::StrCat("computations that many regions share make the program longer than ",
                       kMaxOps, " operations"));
    }
    return false;
  }
  location_ = nodes_.LocationOf(inst.provenance);
  const size_t before = frame.block->operations.size();
  auto handler = Handlers().find(inst.opcode);
  if (!(this->*(handler == Handlers().end() ? &Writer::WritePlain : handler->second))(inst,
                                                                                      frame)) {
    return false;
  }
  if (frame.block->operations.size() == before) return true;
  Operation* last = frame.block->operations.back().get();
  if (inst.Has(hlo::Attr::kSharding)) {
    Set(last, "mhlo.sharding", nodes_.String(inst.GetString(hlo::Attr::kSharding)));
  }
  return SetFrontendAttributes(inst, last);
}

bool Writer::WriteInstructions(const hlo::Computation& computation, Frame& frame) {
  for (const auto& inst : computation.instructions()) {
    if (inst->opcode == Opcode::kParameter) continue;
    if (!WriteInstruction(*inst, frame)) return false;
  }
  location_ = nodes_.LocationOf(computation.root()->provenance);
  return true;
}

bool Writer::WriteRegion(const hlo::Computation& computation, Operation* owner) {
  mlir::Block* block = AddBlock(owner);
  std::vector<Tree> parameters;
  for (const Instruction* parameter : computation.parameters()) {
    Values leaves;
    for (const Shape& leaf : hlo::FlattenShape(parameter->shape)) {
      leaves.push_back(Argument(block, leaf, parameter->provenance));
    }
    size_t next = 0;
    parameters.push_back(TreeOf(parameter->shape, leaves, &next));
  }
  return WriteRegion(computation, owner, std::move(parameters), block);
}

bool Writer::WriteRegion(const hlo::Computation& computation, Operation* owner,
                         std::vector<Tree> parameters, mlir::Block* block) {
  if (++depth_ > kMaxRegionDepth) {
    return Fail(*computation.root(),
                absl::StrCat("regions are nested more than ", kMaxRegionDepth, " deep"));
  }
  const mlir::Location* outside = location_;
  if (block == nullptr) block = AddBlock(owner);
  Frame frame{.block = block};
  for (size_t i = 0; i < parameters.size(); ++i) {
    frame.values[computation.parameters()[i]] = std::move(parameters[i]);
  }
  if (!WriteInstructions(computation, frame)) return false;
  const Instruction& root = *computation.root();
  const Tree* tree = Find(root, frame);
  Values results;
  if (tree == nullptr || !Leaves(root, *tree, root.shape, frame, &results)) return false;
  Op(frame, "stablehlo.return", std::move(results), {});
  location_ = outside;
  --depth_;
  return true;
}

std::string Writer::FunctionName(const hlo::Computation* computation) {
  auto found = names_.find(computation);
  if (found != names_.end()) return found->second;
  std::string name = computation->name();
  for (char& c : name) {
    if (!absl::ascii_isalnum(c) && c != '.' && c != '_') c = '_';
  }
  if (name.empty() || absl::ascii_isdigit(name[0]) || name[0] == '.') name = "f_" + name;
  const std::string base = name;
  for (int64_t i = 0; !taken_.insert(name).second; ++i) name = absl::StrCat(base, "_", i);
  names_[computation] = name;
  pending_.push_back(computation);
  return name;
}

bool Writer::WriteFunction(const hlo::Computation& computation, bool entry, mlir::Block* into) {
  const Instruction& root = *computation.root();
  into->operations.push_back(MakeOp("func.func", {}, {}, nodes_.LocationOf(root.provenance)));
  Operation* function = into->operations.back().get();
  Types inputs;
  for (const Instruction* parameter : computation.parameters()) {
    inputs.push_back(nodes_.TypeOf(parameter->shape));
  }
  Set(function, "function_type",
      nodes_.TypeAttribute(nodes_.FunctionType(std::move(inputs), ResultTypes(root.shape))));
  Set(function, "sym_name", nodes_.String(names_[&computation]));
  Set(function, "sym_visibility", nodes_.String(entry ? "public" : "private"));
  Frame frame{.block = AddBlock(function)};
  for (const Instruction* parameter : computation.parameters()) {
    frame.values[parameter].value = Argument(frame.block, parameter->shape, parameter->provenance);
  }
  if (entry && !WriteEntryAttributes(function)) return false;
  if (!WriteInstructions(computation, frame)) return false;
  const Tree* tree = Find(root, frame);
  if (tree == nullptr) return false;
  Values results;
  const int64_t count =
      root.shape.IsTuple() ? static_cast<int64_t>(root.shape.elements().size()) : 1;
  for (int64_t i = 0; i < count; ++i) {
    // Of large tuples, neither the tree nor the shape is copied as a whole for each element.
    if (!root.shape.IsTuple()) {
      results.push_back(Single(root, *tree, root.shape, frame));
    } else {
      Tree element;
      if (!Element(root, *tree, root.shape, i, frame, &element)) return false;
      results.push_back(Single(root, element, root.shape.elements()[i], frame));
    }
    if (results.back() == nullptr) return false;
  }
  Op(frame, "func.return", std::move(results), {});
  return true;
}

// Which result of @main each leaf of the root is; a leaf of a tuple inside of the root's is none,
// -1.
std::vector<int64_t> Writer::ResultsOfLeaves() {
  const Shape& root = module_.entry()->root()->shape;
  if (!root.IsTuple()) return {0};
  std::vector<int64_t> results;
  int64_t number = 0;
  for (const Shape& element : root.elements()) {
    const int64_t result = number++;
    results.resize(results.size() + hlo::FlattenShape(element).size(),
                   element.IsTuple() ? -1 : result);
  }
  return results;
}

bool Writer::WriteEntryAttributes(Operation* function) {
  const auto& parameters = module_.entry()->parameters();
  std::vector<Fields> fields(parameters.size());
  const std::vector<int64_t> results = ResultsOfLeaves();
  for (const hlo::InputOutputAlias& alias : module_.aliases) {
    const Instruction& parameter = *parameters[alias.parameter_number];
    const int64_t result = results[alias.result_leaf];
    if (result < 0 || parameter.shape.IsTuple()) {
      return Fail(parameter,
                  "shares memory with a result, of which one is an element of a tuple: "
                  "tf.aliasing_output cannot say that");
    }
    fields[alias.parameter_number].emplace_back("tf.aliasing_output", nodes_.Int(result, 32));
  }
  for (int64_t donor : module_.donors) {
    fields[donor].emplace_back("jax.buffer_donor", nodes_.Bool(true));
  }
  bool any = false;
  std::vector<const Attribute*> dictionaries;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i]->Has(hlo::Attr::kSharding)) {
      fields[i].emplace_back("mhlo.sharding",
                             nodes_.String(parameters[i]->GetString(hlo::Attr::kSharding)));
    }
    any = any || !fields[i].empty();
    dictionaries.push_back(nodes_.Dictionary(fields[i]));
  }
  if (any) Set(function, "arg_attrs", nodes_.Array(std::move(dictionaries)));
  return true;
}

bool Writer::Write() {
  document_.operations.push_back(
      MakeOp("builtin.module", {}, {}, nodes_.LocationOf(hlo::Provenance())));
  Operation* module = document_.operations.back().get();
  if (!module_.name().empty()) Set(module, "sym_name", nodes_.String(module_.name()));
  Set(module, "mhlo.num_partitions", nodes_.Int(module_.num_partitions, 32));
  Set(module, "mhlo.num_replicas", nodes_.Int(module_.num_replicas, 32));
  mlir::Block* block = AddBlock(module);
  names_[module_.entry()] = "main";
  taken_.insert("main");
  if (!WriteFunction(*module_.entry(), true, block)) return false;
  while (!pending_.empty()) {
    const hlo::Computation* next = pending_.front();
    pending_.pop_front();
    if (!WriteFunction(*next, false, block)) return false;
  }
  return true;
}

absl::StatusOr<std::unique_ptr<mlir::Document>> WriteStableHlo(const hlo::Module& module) {
  auto document = std::make_unique<mlir::Document>("", module.name());
  Writer writer(module, *document);
  if (!writer.Write()) return writer.status();
  return document;
}

}  // namespace halyard::stablehlo
