#include "codegen/gpu/spirv_passes.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "codegen/gpu/spirv_module.h"
#include "runtime/device_info.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv-tools/optimizer.hpp"
#include "spirv/unified1/spirv.hpp11"

namespace halyard::lowering::gpu {
namespace {

using spv::Op;

constexpr spv_target_env kEnvironment = SPV_ENV_VULKAN_1_2;
bool IsFloatArithmetic(Op op) {
  switch (op) {
    case Op::OpFNegate:
    case Op::OpFAdd:
    case Op::OpFSub:
    case Op::OpFMul:
    case Op::OpFDiv:
    case Op::OpFRem:
    case Op::OpFMod:
    case Op::OpVectorTimesScalar:
    case Op::OpDot:
      return true;
    default:
      return false;
  }
}

// Returns whether the operation gives equal results for equal operands.
bool IsPure(Op op) {
  switch (op) {
    case Op::OpIAdd:
    case Op::OpISub:
    case Op::OpIMul:
    case Op::OpSDiv:
    case Op::OpUDiv:
    case Op::OpSRem:
    case Op::OpSMod:
    case Op::OpUMod:
    case Op::OpBitcast:
    case Op::OpBitwiseAnd:
    case Op::OpBitwiseOr:
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
    case Op::OpCompositeExtract:
    case Op::OpSConvert:
    case Op::OpUConvert:
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
      return true;
    default:
      return false;
  }
}

// Finds multiply-accumulates: additions from a stored value back to a load of the same place, each
// adding a product.
class Accumulations {
 public:
  explicit Accumulations(const std::vector<SpirvInstruction>& instructions) {
    for (const SpirvInstruction& instruction : instructions) Visit(instruction);
    for (const auto& [pointer, value] : stores_) Follow(pointer, value);
    DropSharedProducts(instructions);
  }

  // The ids of additions and products that may be contracted.
  const std::unordered_set<uint32_t>& free() const { return free_; }

 private:
  void Visit(const SpirvInstruction& instruction) {
    const auto& words = instruction.words;
    if (instruction.op == Op::OpStore && words.size() >= 3) {
      stores_.push_back({NumberOf(words[1]), words[2]});
      return;
    }
    if (words.size() < 3) return;
    const bool load = instruction.op == Op::OpLoad;
    if (!load && !IsPure(instruction.op) && !IsFloatArithmetic(instruction.op)) return;
    definitions_[words[2]] = instruction;
    // Two loads of one place count as equal: in an accumulation nothing else writes it in between,
    // and a place that is a loop's counter has one value in one round.
    if (load) {
      Number(words[2], {static_cast<uint32_t>(Op::OpLoad), NumberOf(words[3])});
    } else if (IsPure(instruction.op)) {
      std::vector<uint32_t> key = {static_cast<uint32_t>(instruction.op), words[1]};
      for (size_t i = 3; i < words.size(); ++i) {
        const bool literal = instruction.op == Op::OpCompositeExtract && i > 3;
        key.push_back(literal ? words[i] : NumberOf(words[i]));
      }
      Number(words[2], std::move(key));
    }
  }

  void Number(uint32_t id, std::vector<uint32_t> key) {
    numbers_[id] = keys_.emplace(std::move(key), id).first->second;
  }
  uint32_t NumberOf(uint32_t id) const {
    auto it = numbers_.find(id);
    return it == numbers_.end() ? id : it->second;
  }
  const SpirvInstruction* DefinitionOf(uint32_t id, Op op) const {
    auto it = definitions_.find(id);
    return it == definitions_.end() || it->second.op != op ? nullptr : &it->second;
  }

  void Follow(uint32_t place, uint32_t value) {
    std::vector<uint32_t> chain;
    while (const SpirvInstruction* add = DefinitionOf(value, Op::OpFAdd)) {
      uint32_t addend = add->words[3], product = add->words[4];
      if (DefinitionOf(product, Op::OpFMul) == nullptr) std::swap(addend, product);
      if (DefinitionOf(product, Op::OpFMul) == nullptr) return;
      chain.push_back(value);
      chain.push_back(product);
      value = addend;
    }
    const SpirvInstruction* load = DefinitionOf(value, Op::OpLoad);
    if (load == nullptr || NumberOf(load->words[3]) != place) return;
    free_.insert(chain.begin(), chain.end());
  }

  // A product that something else uses, too, keeps its rounding.
  void DropSharedProducts(const std::vector<SpirvInstruction>& instructions) {
    std::unordered_map<uint32_t, int> uses;
    bool in_function = false;  // before that, words may be literals
    for (const SpirvInstruction& instruction : instructions) {
      in_function |= instruction.op == Op::OpFunction;
      if (!in_function) continue;
      if (instruction.op == Op::OpFAdd && free_.count(instruction.words[2]) != 0) continue;
      for (size_t i = 1; i < instruction.words.size(); ++i) {
        if (i != 2 || instruction.op == Op::OpStore) ++uses[instruction.words[i]];
      }
    }
    for (auto it = free_.begin(); it != free_.end();) {
      const bool shared = DefinitionOf(*it, Op::OpFMul) != nullptr && uses[*it] != 0;
      it = shared ? free_.erase(it) : std::next(it);
    }
  }

  std::unordered_map<uint32_t, SpirvInstruction> definitions_;
  std::map<std::vector<uint32_t>, uint32_t> keys_;
  std::unordered_map<uint32_t, uint32_t> numbers_;     // id → the first id of equal value
  std::vector<std::pair<uint32_t, uint32_t>> stores_;  // place, value
  std::unordered_set<uint32_t> free_;
};

spvtools::MessageConsumer CollectInto(std::string* messages) {
  return [messages](spv_message_level_t, const char*, const spv_position_t& position,
                    const char* message) {
    absl::StrAppend(messages, messages->empty() ? "" : "; ", "word ", position.index, ": ",
                    message);
  };
}

}  // namespace

absl::StatusOr<SpirvWords> AddNoContraction(const SpirvWords& module,
                                            bool fuse_multiply_accumulate) {
  absl::StatusOr<std::vector<SpirvInstruction>> instructions = SplitSpirv(module);
  if (!instructions.ok()) return instructions.status();
  std::unordered_set<uint32_t> skip;
  if (fuse_multiply_accumulate) skip = Accumulations(*instructions).free();
  size_t insertion = module.size();
  SpirvWords decorations;
  for (const SpirvInstruction& instruction : *instructions) {
    if (insertion == module.size() && EndsSpirvAnnotations(instruction.op)) {
      insertion = instruction.position;
    }
    if (instruction.op == Op::OpDecorate && instruction.words.size() == 3 &&
        instruction.words[2] == static_cast<uint32_t>(spv::Decoration::NoContraction)) {
      skip.insert(instruction.words[1]);
    }
    if (!IsFloatArithmetic(instruction.op) || skip.count(instruction.words[2]) != 0) continue;
    decorations.push_back((3u << 16) | static_cast<uint32_t>(Op::OpDecorate));
    decorations.push_back(instruction.words[2]);
    decorations.push_back(static_cast<uint32_t>(spv::Decoration::NoContraction));
  }
  SpirvWords result(module.begin(), module.begin() + static_cast<ptrdiff_t>(insertion));
  result.insert(result.end(), decorations.begin(), decorations.end());
  result.insert(result.end(), module.begin() + static_cast<ptrdiff_t>(insertion), module.end());
  return result;
}

namespace {

// Beside the bits of runtime::FloatControl, which leave this to DeviceInfo::keeps_denormals.
constexpr uint32_t kKeepsDenormalsF32 = 1u << 31;

struct FloatControlRow {
  spv::Capability capability;
  spv::ExecutionMode mode;
  uint32_t bits[3];  // what the device must have: f16, f32, f64
};
constexpr FloatControlRow kFloatControls[] = {
    {spv::Capability::SignedZeroInfNanPreserve,
     spv::ExecutionMode::SignedZeroInfNanPreserve,
     {runtime::kKeepsSpecialsF16, runtime::kKeepsSpecialsF32, runtime::kKeepsSpecialsF64}},
    {spv::Capability::DenormPreserve,
     spv::ExecutionMode::DenormPreserve,
     {runtime::kKeepsDenormalsF16, kKeepsDenormalsF32, runtime::kKeepsDenormalsF64}},
    {spv::Capability::RoundingModeRTE,
     spv::ExecutionMode::RoundingModeRTE,
     {runtime::kRoundsToEvenF16, runtime::kRoundsToEvenF32, runtime::kRoundsToEvenF64}},
};

// SPIR-V itself has these modes only since 1.4.
void AppendFloatControlsExtension(SpirvWords* words) {
  constexpr char kExtension[24] = "SPV_KHR_float_controls";
  uint32_t extension[sizeof(kExtension) / 4];
  std::memcpy(extension, kExtension, sizeof(kExtension));
  words->push_back(static_cast<uint32_t>(1 + std::size(extension)) << 16 |
                   static_cast<uint32_t>(Op::OpExtension));
  words->insert(words->end(), std::begin(extension), std::end(extension));
}

}  // namespace

absl::StatusOr<SpirvWords> AddFloatControls(const SpirvWords& module, uint32_t float_controls,
                                            bool keeps_denormals) {
  constexpr uint32_t kWidths[] = {16, 32, 64};
  const uint32_t denormals_f32 = keeps_denormals ? kKeepsDenormalsF32 : 0;
  const uint32_t have = (float_controls & ~kKeepsDenormalsF32) | denormals_f32;
  absl::StatusOr<std::vector<SpirvInstruction>> instructions = SplitSpirv(module);
  if (!instructions.ok()) return instructions.status();
  std::set<uint32_t> used;
  std::vector<uint32_t> entries;
  size_t capabilities_end = 5, modes_end = 0;  // the header is five words
  for (const SpirvInstruction& instruction : *instructions) {
    const size_t end = instruction.position + instruction.words.size();
    if (instruction.op == Op::OpCapability) capabilities_end = end;
    if (instruction.op == Op::OpTypeFloat) used.insert(instruction.words[2]);
    if (instruction.op == Op::OpEntryPoint) entries.push_back(instruction.words[2]);
    if (instruction.op == Op::OpEntryPoint || instruction.op == Op::OpExecutionMode)
      modes_end = end;
  }
  SpirvWords capabilities, modes;
  for (const FloatControlRow& control : kFloatControls) {
    bool all = !used.empty();
    for (size_t w = 0; w < 3; ++w) {
      all &= used.count(kWidths[w]) == 0 || (have & control.bits[w]) != 0;
    }
    if (!all) continue;
    AppendSpirv(Op::OpCapability, {static_cast<uint32_t>(control.capability)}, &capabilities);
    for (uint32_t entry : entries) {
      for (size_t w = 0; w < 3; ++w) {
        if ((have & control.bits[w]) == 0) continue;
        AppendSpirv(Op::OpExecutionMode, {entry, static_cast<uint32_t>(control.mode), kWidths[w]},
                    &modes);
      }
    }
  }
  if (capabilities.empty() || modes_end == 0) return module;
  AppendFloatControlsExtension(&capabilities);
  const auto at = [&module](size_t word) { return module.begin() + static_cast<ptrdiff_t>(word); };
  SpirvWords result(module.begin(), at(capabilities_end));
  result.insert(result.end(), capabilities.begin(), capabilities.end());
  result.insert(result.end(), at(capabilities_end), at(modes_end));
  result.insert(result.end(), modes.begin(), modes.end());
  result.insert(result.end(), at(modes_end), module.end());
  return result;
}

absl::StatusOr<SpirvWords> StripNames(const SpirvWords& module) {
  std::string messages;
  spvtools::Optimizer optimizer(kEnvironment);
  optimizer.SetMessageConsumer(CollectInto(&messages));
  optimizer.RegisterPass(spvtools::CreateStripDebugInfoPass());
  SpirvWords result;
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);  // once, at the end
  if (!optimizer.Run(module.data(), module.size(), &result, options)) {
    return absl::InternalError(absl::StrCat("SPIRV-Tools cannot strip names: ", messages));
  }
  return result;
}

absl::StatusOr<std::vector<uint32_t>> UniformOffsets(const SpirvWords& module) {
  absl::StatusOr<std::vector<SpirvInstruction>> instructions = SplitSpirv(module);
  if (!instructions.ok()) return instructions.status();
  std::set<uint32_t> at_binding_0, blocks;
  std::map<uint32_t, std::map<uint32_t, uint32_t>> offsets;  // struct → member → offset
  std::map<uint32_t, uint32_t> pointee;
  uint32_t uniform_struct = 0;
  for (const SpirvInstruction& instruction : *instructions) {
    const auto& words = instruction.words;
    const auto is = [&](size_t i, spv::Decoration decoration) {
      return words.size() > i && words[i] == static_cast<uint32_t>(decoration);
    };
    if (instruction.op == Op::OpDecorate) {
      if (is(2, spv::Decoration::Binding) && words[3] == 0) at_binding_0.insert(words[1]);
      if (is(2, spv::Decoration::Block)) blocks.insert(words[1]);
    } else if (instruction.op == Op::OpMemberDecorate && is(3, spv::Decoration::Offset)) {
      offsets[words[1]][words[2]] = words[4];
    } else if (instruction.op == Op::OpTypePointer) {
      pointee[words[1]] = words[3];
    } else if (instruction.op == Op::OpVariable && at_binding_0.count(words[2]) != 0 &&
               blocks.count(pointee[words[1]]) != 0 &&
               words[3] == static_cast<uint32_t>(spv::StorageClass::Uniform)) {
      uniform_struct = pointee[words[1]];
    }
  }
  std::vector<uint32_t> result;
  if (uniform_struct == 0) return result;
  for (const auto& [member, offset] : offsets[uniform_struct]) result.push_back(offset);
  return result;
}

absl::Status ValidateSpirv(const SpirvWords& module) {
  std::string messages;
  spvtools::SpirvTools tools(kEnvironment);
  tools.SetMessageConsumer(CollectInto(&messages));
  if (tools.Validate(module)) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("SPIR-V is not valid: ", messages));
}

absl::StatusOr<std::string> DisassembleSpirv(absl::Span<const uint32_t> module) {
  std::string text;
  spvtools::SpirvTools tools(kEnvironment);
  if (!tools.Disassemble(
          module.data(), module.size(), &text,
          SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES)) {
    return absl::DataLossError("these bytes are not SPIR-V");
  }
  return text;
}

}  // namespace halyard::lowering::gpu
