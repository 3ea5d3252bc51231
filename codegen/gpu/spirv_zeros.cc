#include "codegen/gpu/spirv_zeros.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/status/status.h"

namespace halyard::lowering::gpu {
namespace {

using spv::Op;

// The module's types and constants.
class Declarations {
 public:
  explicit Declarations(const std::vector<SpirvInstruction>& instructions) {
    for (const SpirvInstruction& instruction : instructions) Visit(instruction);
  }

  bool IsZero(uint32_t id) const { return zeros_.count(id) != 0; }
  uint32_t zero_type(uint32_t id) const { return Lookup(zeros_, id); }
  uint32_t float_width(uint32_t type) const { return Lookup(float_widths_, type); }
  // Of an integer type; 0 for others.
  uint32_t integer_width(uint32_t type) const { return Lookup(integer_widths_, type); }
  // Numbers or vectors of them.
  bool IsFloat(uint32_t type) const {
    return float_width(type) != 0 || float_width(vector(type).first) != 0;
  }
  // {element type, count}; {0, 0} for others.
  std::pair<uint32_t, uint32_t> vector(uint32_t type) const {
    const auto it = vectors_.find(type);
    return it == vectors_.end() ? std::pair<uint32_t, uint32_t>() : it->second;
  }
  uint32_t uint_type() const { return uint_type_; }
  uint32_t float_type() const { return float_type_; }
  // The three-dimensional index of the group or the thread; 0 if the kernel has neither.
  uint32_t index_variable() const { return index_variable_; }
  uint32_t index_type() const {
    return Lookup(pointees_, Lookup(variable_types_, index_variable_));
  }

 private:
  static uint32_t Lookup(const std::map<uint32_t, uint32_t>& map, uint32_t key) {
    const auto it = map.find(key);
    return it == map.end() ? 0 : it->second;
  }

  void Visit(const SpirvInstruction& instruction) {
    const auto& words = instruction.words;
    switch (instruction.op) {
      case Op::OpDecorate:
        if (words.size() == 4 && words[2] == static_cast<uint32_t>(spv::Decoration::BuiltIn)) {
          const bool group = words[3] == static_cast<uint32_t>(spv::BuiltIn::WorkgroupId);
          const bool thread = words[3] == static_cast<uint32_t>(spv::BuiltIn::LocalInvocationId);
          if (group || (thread && index_variable_ == 0)) index_variable_ = words[1];
        }
        break;
      case Op::OpTypeInt:
        integer_widths_[words[1]] = words[2];
        if (words[2] == 32 && words[3] == 0) uint_type_ = words[1];
        break;
      case Op::OpTypeFloat:
        float_widths_[words[1]] = words[2];
        if (words[2] == 32) float_type_ = words[1];
        break;
      case Op::OpTypeVector:
        vectors_[words[1]] = {words[2], words[3]};
        break;
      case Op::OpTypePointer:
        pointees_[words[1]] = words[3];
        break;
      case Op::OpVariable:
        variable_types_[words[2]] = words[1];
        break;
      case Op::OpConstantNull:
        if (IsFloat(words[1]) || IsInteger(words[1])) zeros_[words[2]] = words[1];
        break;
      case Op::OpConstant:
        if ((IsFloat(words[1]) || IsInteger(words[1])) &&
            std::all_of(words.begin() + 3, words.end(), [](uint32_t w) { return w == 0; })) {
          zeros_[words[2]] = words[1];
        }
        break;
      case Op::OpConstantComposite:
        if (std::all_of(words.begin() + 3, words.end(),
                        [this](uint32_t id) { return IsZero(id); })) {
          zeros_[words[2]] = words[1];
        }
        break;
      default:
        break;
    }
  }

  bool IsInteger(uint32_t type) const {
    return integer_width(type) != 0 || integer_width(vector(type).first) != 0;
  }

  std::map<uint32_t, uint32_t> float_widths_, integer_widths_, pointees_, variable_types_;
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> vectors_;
  std::map<uint32_t, uint32_t> zeros_;  // to their types
  uint32_t uint_type_ = 0, float_type_ = 0, index_variable_ = 0;
};

// The values that become floats: bits that are reinterpreted or integers that are converted, and
// what these are made of.
class BitsOfFloats {
 public:
  BitsOfFloats(const std::vector<SpirvInstruction>& instructions,
               const Declarations& declarations) {
    // Uses come after definitions.
    for (size_t i = instructions.size(); i-- > 0;) Visit(instructions[i], declarations);
  }
  bool Has(uint32_t id) const { return ids_.count(id) != 0; }

 private:
  void Visit(const SpirvInstruction& instruction, const Declarations& declarations) {
    const auto& words = instruction.words;
    switch (instruction.op) {
      case Op::OpBitcast:
      case Op::OpConvertUToF:
      case Op::OpConvertSToF:
        if (declarations.IsFloat(words[1]) || Has(words[2])) ids_.insert(words[3]);
        break;
      case Op::OpSelect:
      case Op::OpBitwiseAnd:
      case Op::OpBitwiseOr:
      case Op::OpBitwiseXor:
      case Op::OpNot:
      case Op::OpShiftLeftLogical:
      case Op::OpShiftRightLogical:
      case Op::OpShiftRightArithmetic:
      case Op::OpIAdd:
      case Op::OpISub:
      case Op::OpIMul:
      case Op::OpUConvert:
      case Op::OpSConvert:
      case Op::OpCompositeConstruct:
        if (Has(words[2])) ids_.insert(words.begin() + 3, words.end());
        break;
      case Op::OpCompositeExtract:
        if (Has(words[2])) ids_.insert(words[3]);
        break;
      default:
        break;
    }
  }

  std::set<uint32_t> ids_;
};

// Returns which operand words of an instruction must not be a literal zero.
std::pair<size_t, size_t> Sensitive(const SpirvInstruction& instruction,
                                    const Declarations& declarations, const BitsOfFloats& bits) {
  const auto& words = instruction.words;
  switch (instruction.op) {
    // A driver that knows the condition is left with the zero.
    case Op::OpSelect:
      if (declarations.IsFloat(words[1]) || bits.Has(words[2])) return {4, 6};
      return {0, 0};
    case Op::OpBitcast:
      if (declarations.IsFloat(words[1]) || bits.Has(words[2])) return {3, 4};
      return {0, 0};
    case Op::OpFAdd:
    case Op::OpFMul:
    case Op::OpFDiv:
      return {3, 5};
    case Op::OpFSub:
      return {3, 4};
    default:
      return {0, 0};
  }
}

// Makes zeros of the requested types.
class ComputedZeros {
 public:
  ComputedZeros(const Declarations& declarations, uint32_t first_id)
      : declarations_(declarations), next_id_(first_id) {}

  uint32_t OfType(uint32_t type) {
    uint32_t& zero = zeros_[type];
    if (zero != 0) return zero;
    const auto [element, count] = declarations_.vector(type);
    if (count != 0) {
      const uint32_t scalar = OfType(element);
      zeros_[type] = next_id_++;
      code_.push_back((count + 3) << 16 | static_cast<uint32_t>(Op::OpCompositeConstruct));
      code_.push_back(type);
      code_.push_back(zeros_[type]);
      code_.insert(code_.end(), count, scalar);
      return zeros_[type];
    }
    if (type == declarations_.uint_type()) return zero = Bits();
    const uint32_t width = declarations_.integer_width(type);
    const bool is_integer = width != 0;
    const uint32_t base =
        OfType(is_integer || type == Float() ? declarations_.uint_type() : Float());
    zeros_[type] = next_id_++;
    AppendSpirv(width == 32 || type == Float() ? Op::OpBitcast
                : is_integer                   ? Op::OpSConvert
                                               : Op::OpFConvert,
                {type, zeros_[type], base}, &code_);
    return zeros_[type];
  }

  const SpirvWords& types() const { return types_; }  // new declarations
  const SpirvWords& code() const { return code_; }    // to go at a function's start
  uint32_t next_id() const { return next_id_; }

 private:
  uint32_t Float() {
    if (declarations_.float_type() != 0) return declarations_.float_type();
    if (own_float_ == 0) {
      own_float_ = next_id_++;
      AppendSpirv(Op::OpTypeFloat, {own_float_, 32}, &types_);
    }
    return own_float_;
  }
  uint32_t Bits() {
    const uint32_t shift = next_id_++, groups = next_id_++, group = next_id_++, bits = next_id_++;
    const uint32_t uint_type = declarations_.uint_type();
    AppendSpirv(Op::OpConstant, {uint_type, shift, 31}, &types_);
    AppendSpirv(Op::OpLoad, {declarations_.index_type(), groups, declarations_.index_variable()},
                &code_);
    AppendSpirv(Op::OpCompositeExtract, {uint_type, group, groups, 0}, &code_);
    AppendSpirv(Op::OpShiftRightLogical, {uint_type, bits, group, shift}, &code_);
    return bits;
  }

  const Declarations& declarations_;
  uint32_t next_id_;
  uint32_t own_float_ = 0;
  std::map<uint32_t, uint32_t> zeros_;
  SpirvWords types_, code_;
};

}  // namespace

absl::StatusOr<SpirvWords> HideZeros(const SpirvWords& module) {
  absl::StatusOr<std::vector<SpirvInstruction>> instructions = SplitSpirv(module);
  if (!instructions.ok()) return instructions.status();
  const Declarations declarations(*instructions);
  // A zero is computed from an index. Halide's kernels have one.
  if (declarations.index_variable() == 0 || declarations.uint_type() == 0) return module;
  const BitsOfFloats bits(*instructions, declarations);
  ComputedZeros zeros(declarations, module[kSpirvBoundWord]);
  SpirvWords changed = module;
  size_t first_function = 0, body = 0;  // where declarations end, and the entry block's variables
  int functions = 0;
  for (const SpirvInstruction& instruction : *instructions) {
    if (instruction.op == Op::OpFunction && ++functions == 1) {
      first_function = instruction.position;
    }
    if (first_function != 0 && body == 0 && instruction.op != Op::OpFunction &&
        instruction.op != Op::OpLabel && instruction.op != Op::OpVariable) {
      body = instruction.position;
    }
    auto [begin, end] = Sensitive(instruction, declarations, bits);
    // The start of a sum: drivers look through the variable.
    if (instruction.op == Op::OpStore &&
        declarations.IsFloat(declarations.zero_type(instruction.words[2]))) {
      begin = 2, end = 3;
    }
    for (size_t i = begin; i < end; ++i) {
      const uint32_t operand = instruction.words[i];
      if (!declarations.IsZero(operand)) continue;
      changed[instruction.position + i] = zeros.OfType(declarations.zero_type(operand));
    }
  }
  if (zeros.code().empty()) return module;
  if (functions != 1) return absl::InternalError("SPIR-V: a kernel of several functions");
  changed[kSpirvBoundWord] = zeros.next_id();
  const auto at = [&changed](size_t i) { return changed.begin() + static_cast<ptrdiff_t>(i); };
  SpirvWords result(at(0), at(first_function));
  result.insert(result.end(), zeros.types().begin(), zeros.types().end());
  result.insert(result.end(), at(first_function), at(body));
  result.insert(result.end(), zeros.code().begin(), zeros.code().end());
  result.insert(result.end(), at(body), changed.end());
  return result;
}

}  // namespace halyard::lowering::gpu
