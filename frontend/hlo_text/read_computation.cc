#include "frontend/hlo_text/read_computation.h"

#include <numeric>

#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/attribute_text.h"
#include "frontend/hlo_text/read_literal.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard::hlo_text {
namespace {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

constexpr int kMaxCallDepth = 512;

}  // namespace

bool ComputationReader::Read() {
  bool entry = cursor_.TryWord("ENTRY");
  size_t offset = cursor_.Offset();
  std::string name;
  if (!cursor_.Name(&name, "a computation's name")) return false;
  if (computations_.contains(name)) {
    return cursor_.Fail(offset, absl::StrCat("computation '", name, "' is defined twice"));
  }
  if (entry && module_->entry() != nullptr) {
    return cursor_.Fail(offset, "a second ENTRY computation");
  }
  Signature signature;
  bool has_signature = cursor_.Peek() == '(';
  if (has_signature && !ReadSignature(&signature)) return false;
  if (!cursor_.Expect('{')) return false;
  Computation* computation = module_->AddComputation(name);
  call_depth_ = 0;
  if (!ReadBody(computation) || !FinishBody(offset, computation)) return false;
  if (has_signature && !CheckSignature(signature, *computation)) return false;
  if (call_depth_ > kMaxCallDepth) {
    return cursor_.Fail(offset,
                        absl::StrCat("calls are nested more than ", kMaxCallDepth, " deep"));
  }
  computations_[name] = {computation, call_depth_};
  if (entry) module_->set_entry(computation);
  return SkipTrailingAttributes();
}

// `(p0: f32[2], p1: s32[]) -> f32[2]`
bool ComputationReader::ReadSignature(Signature* signature) {
  signature->offset = cursor_.Offset();
  if (!cursor_.Expect('(')) return false;
  if (!cursor_.TryChar(')')) {
    do {
      std::string ignored;
      if (!cursor_.Name(&ignored, "a parameter's name") || !cursor_.Expect(':') ||
          !ReadShape(cursor_, &signature->parameters.emplace_back())) {
        return false;
      }
    } while (cursor_.TryChar(','));
    if (!cursor_.Expect(')')) return false;
  }
  return cursor_.ExpectText("->") && ReadShape(cursor_, &signature->result);
}

bool ComputationReader::CheckSignature(const Signature& signature, const Computation& computation) {
  int64_t count = static_cast<int64_t>(signature.parameters.size());
  if (count != computation.num_parameters()) {
    return cursor_.Fail(signature.offset,
                        absl::StrCat("the signature has ", count, " parameters, the computation ",
                                     computation.num_parameters()));
  }
  for (int64_t i = 0; i < count; ++i) {
    const Shape& shape = computation.parameters()[i]->shape;
    if (!Shape::SameIgnoringLayout(signature.parameters[i], shape)) {
      return cursor_.Fail(signature.offset,
                          absl::StrCat("parameter ", i, " is ", shape.ToString(),
                                       ", in the signature ", signature.parameters[i].ToString()));
    }
  }
  const Shape& result = computation.root()->shape;
  return Shape::SameIgnoringLayout(signature.result, result) ||
         cursor_.Fail(signature.offset,
                      absl::StrCat("the result is ", result.ToString(), ", in the signature ",
                                   signature.result.ToString()));
}

bool ComputationReader::ReadBody(Computation* computation) {
  instructions_.clear();
  starts_.clear();
  root_ = nullptr;
  while (!cursor_.TryChar('}')) {
    if (!ReadInstruction(computation)) return false;
  }
  return true;
}

bool ComputationReader::FinishBody(size_t offset, Computation* computation) {
  if (!CheckStarts(offset)) return false;
  if (computation->instructions().empty()) {
    return cursor_.Fail(offset, absl::StrCat("computation '", computation->name(), "' is empty"));
  }
  computation->set_root(root_ != nullptr ? root_ : computation->instructions().back().get());
  for (int64_t i = 0; i < computation->num_parameters(); ++i) {
    if (computation->parameters()[i] == nullptr) {
      return cursor_.Fail(
          offset, absl::StrCat("computation '", computation->name(), "' has no parameter ", i));
    }
  }
  return true;
}

// `}, execution_thread="main"`
bool ComputationReader::SkipTrailingAttributes() {
  while (cursor_.TryChar(',')) {
    std::string ignored;
    if (!cursor_.Name(&ignored, "an attribute") || !cursor_.Expect('=') || !cursor_.SkipValue()) {
      return false;
    }
  }
  return true;
}

bool ComputationReader::ReadInstruction(Computation* computation) {
  Pending pending;
  bool root = cursor_.TryWord("ROOT");
  pending.offset = cursor_.Offset();
  if (!cursor_.Name(&pending.name, "an instruction or '}'")) return false;
  if (instructions_.contains(pending.name) || starts_.contains(pending.name)) {
    return cursor_.Fail(pending.offset,
                        absl::StrCat("instruction '", pending.name, "' is defined twice"));
  }
  if (root && root_ != nullptr) return cursor_.Fail(pending.offset, "a second ROOT instruction");
  if (!cursor_.Expect('=') || !ReadShape(cursor_, &pending.shape)) return false;
  size_t opcode_offset = cursor_.Offset();
  std::string opcode;
  if (!cursor_.Name(&opcode, "an op")) return false;
  std::optional<Opcode> known = hlo::OpcodeFromHloName(opcode);
  if (!known) {
    const std::optional<hlo::AsyncOp> async = hlo::AsyncOpOf(opcode);
    if (async) return ReadAsync(*async, std::move(pending), root, computation);
    return cursor_.Fail(opcode_offset, UnknownOp(opcode));
  }
  pending.opcode = *known;
  if (!ReadRest(&pending)) return false;
  std::string name = pending.name;
  if (!AddInstruction(std::move(pending), computation)) return false;
  instructions_[name] = computation->instructions().back().get();
  if (root) root_ = instructions_[name];
  return true;
}

bool ComputationReader::ReadRest(Pending* pending) {
  pending->called.resize(hlo::RowOf(pending->opcode).called.size());
  pending->provenance.locations.push_back(cursor_.Locate(pending->offset));
  if (!ReadOperands(pending)) return false;
  while (cursor_.TryChar(',')) {
    if (!ReadAttribute(pending)) return false;
  }
  FillDimensions(pending);
  return true;
}

// XLA reads a scalar's broadcast without dimensions as one of none, and a map without dimensions as
// one of all.
void ComputationReader::FillDimensions(Pending* pending) {
  const bool broadcast = pending->opcode == Opcode::kBroadcast;
  if ((!broadcast && pending->opcode != Opcode::kMap) || pending->operands.empty() ||
      pending->attrs.Find(hlo::Attr::kDimensions) != nullptr) {
    return;
  }
  const Shape& operand = pending->operands[0]->shape;
  if (!operand.IsArray() || (broadcast && operand.rank() > 0)) return;
  hlo::Ints dimensions(static_cast<size_t>(operand.rank()));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  pending->attrs.Set(hlo::Attr::kDimensions, std::move(dimensions));
}

bool ComputationReader::ReadOperands(Pending* pending) {
  if (!cursor_.Expect('(')) return false;
  if (pending->opcode == Opcode::kParameter) {
    size_t offset = cursor_.Offset();
    int64_t& number = pending->parameter_number;
    if (!cursor_.Int(&number)) return false;
    // Numbers are dense, so there are fewer than the text has characters.
    if (number < 0 || number >= static_cast<int64_t>(cursor_.text_size())) {
      return cursor_.Fail(offset, absl::StrCat("parameter number ", number, " is out of range"));
    }
  } else if (pending->opcode == Opcode::kConstant) {
    if (!ReadLiteral(cursor_, pending->shape, &pending->literal)) return false;
  } else if (!ReadOperandList(pending)) {
    return false;
  }
  return cursor_.Expect(')');
}

// Reads names, each with or without its type before it.
bool ComputationReader::ReadOperandList(Pending* pending) {
  if (cursor_.Peek() == ')') return true;
  do {
    size_t offset = cursor_.Offset();
    bool typed = AtShape(cursor_);
    Shape shape;
    if (typed && !ReadShape(cursor_, &shape)) return false;
    size_t name_offset = cursor_.Offset();
    std::string name;
    if (!cursor_.Name(&name, "an operand")) return false;
    auto found = instructions_.find(name);
    if (starts_.contains(name)) {
      return cursor_.Fail(name_offset, absl::StrCat("operand '", name,
                                                    "' is an asynchronous start, whose result "
                                                    "its done gives"));
    }
    if (found == instructions_.end()) {
      return cursor_.Fail(name_offset,
                          absl::StrCat("operand '", name, "' is not defined before its use"));
    }
    if (typed && !Shape::SameIgnoringLayout(shape, found->second->shape)) {
      return cursor_.Fail(offset,
                          absl::StrCat("operand '", name, "' is ", found->second->shape.ToString(),
                                       ", not ", shape.ToString()));
    }
    pending->operands.push_back(found->second);
  } while (cursor_.TryChar(','));
  return true;
}

bool ComputationReader::AddInstruction(Pending pending, Computation* computation) {
  const hlo::OpRow& row = hlo::RowOf(pending.opcode);
  std::vector<Computation*> called;
  for (size_t i = 0; i < row.called.size(); ++i) {
    if (pending.called[i].empty() && !row.called[i].list) {
      return cursor_.Fail(pending.offset, absl::StrCat(row.hlo_name, " '", pending.name,
                                                       "' has no ", row.called[i].name));
    }
    called.insert(called.end(), pending.called[i].begin(), pending.called[i].end());
  }
  Instruction* added = nullptr;
  if (pending.opcode == Opcode::kParameter) {
    const std::vector<Instruction*>& known = computation->parameters();
    int64_t number = pending.parameter_number;
    if (number < computation->num_parameters() && known[number] != nullptr) {
      return cursor_.Fail(pending.offset, absl::StrCat("parameter ", number, " is defined twice"));
    }
    added = computation->AddParameter(number, pending.shape, pending.name);
    added->attrs = std::move(pending.attrs);
  } else {
    added = computation->Add(pending.opcode, pending.shape, std::move(pending.operands),
                             std::move(pending.attrs), std::move(called), pending.name);
    added->literal = std::move(pending.literal);
  }
  added->provenance = std::move(pending.provenance);
  return true;
}

}  // namespace halyard::hlo_text
