#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_proto/attribute_fields.h"
#include "frontend/hlo_proto/attribute_words.h"
#include "frontend/hlo_proto/hlo.pb.h"
#include "frontend/hlo_proto/instruction_proto.h"
#include "frontend/hlo_proto/sharding_proto.h"
#include "frontend/hlo_text/attribute_text.h"

namespace halyard::hlo_proto {
namespace {

using hlo::Attr;
using hlo::AttrMap;
using hlo::AttrValue;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using wire::HloInstructionProto;

// XLA writes the type even if it is the one that the operands imply.
bool IsImpliedType(const Instruction& inst, absl::string_view type) {
  if (inst.operands.empty() || !inst.operand(0)->shape.IsArray()) return false;
  const hlo::ElementType element = inst.operand(0)->shape.element_type();
  if (hlo::IsFloat(element) || hlo::IsComplex(element)) return type == "FLOAT";
  return type == (hlo::IsSigned(element) ? "SIGNED" : "UNSIGNED");
}

// Reads attributes of one instruction, one by one, as its row asks for them.
class AttributeReader {
 public:
  AttributeReader(const HloInstructionProto& proto, Instruction* inst)
      : proto_(proto), inst_(inst) {}

  absl::Status Read(Attr attr, bool required) {
    required_ = required;
    if (!ReadInts(attr) && !ReadNumber(attr) && !ReadFlag(attr) && !ReadText(attr)) {
      ReadStructured(attr);
    }
    return status_;
  }

 private:
  // Each of these returns true if the attribute is of that kind.
  bool Set(Attr attr, AttrValue value, bool says_something) {
    if (required_ || says_something) inst_->attrs.Set(attr, std::move(value));
    return true;
  }

  bool ReadInts(Attr attr) {
    auto set = [&](const auto& field) { return Set(attr, ToInts(field), !field.empty()); };
    const auto& dot = proto_.dot_dimension_numbers();
    const auto& gather = proto_.gather_dimension_numbers();
    const auto& scatter = proto_.scatter_dimension_numbers();
    switch (attr) {
      case Attr::kDimensions:
        return set(proto_.dimensions());
      case Attr::kDynamicSliceSizes:
        return set(proto_.dynamic_slice_sizes());
      case Attr::kSliceSizes:
        return set(proto_.gather_slice_sizes());
      case Attr::kFftLength:
        return set(proto_.fft_length());
      case Attr::kLhsBatchDims:
        return set(dot.lhs_batch_dimensions());
      case Attr::kRhsBatchDims:
        return set(dot.rhs_batch_dimensions());
      case Attr::kLhsContractingDims:
        return Set(attr, ToInts(dot.lhs_contracting_dimensions()), true);  // as in XLA's text
      case Attr::kRhsContractingDims:
        return Set(attr, ToInts(dot.rhs_contracting_dimensions()), true);
      case Attr::kOffsetDims:
        return set(gather.offset_dims());
      case Attr::kCollapsedSliceDims:
        return set(gather.collapsed_slice_dims());
      case Attr::kStartIndexMap:
        return set(gather.start_index_map());
      case Attr::kOperandBatchingDims:
        return set(gather.operand_batching_dims());
      case Attr::kStartIndicesBatchingDims:
        return set(gather.start_indices_batching_dims());
      case Attr::kUpdateWindowDims:
        return set(scatter.update_window_dims());
      case Attr::kInsertedWindowDims:
        return set(scatter.inserted_window_dims());
      case Attr::kScatterDimsToOperandDims:
        return set(scatter.scatter_dims_to_operand_dims());
      case Attr::kInputBatchingDims:
        return set(scatter.input_batching_dims());
      case Attr::kScatterIndicesBatchingDims:
        return set(scatter.scatter_indices_batching_dims());
      default:
        return false;
    }
  }

  bool ReadNumber(Attr attr) {
    auto set = [&](int64_t value) { return Set(attr, value, value != 0); };
    switch (attr) {
      case Attr::kIotaDimension:
        // If an iota lacks it, the check of required attributes reports that.
        return proto_.dimensions_size() != 1 || set(proto_.dimensions(0));
      case Attr::kIndex:
        return set(proto_.tuple_index());
      case Attr::kFeatureGroupCount:
        return Set(attr, proto_.feature_group_count(),
                   proto_.feature_group_count() != 0 && proto_.feature_group_count() != 1);
      case Attr::kBatchGroupCount:
        return Set(attr, proto_.batch_group_count(),
                   proto_.batch_group_count() != 0 && proto_.batch_group_count() != 1);
      case Attr::kExponentBits:
        return set(proto_.exponent_bits());
      case Attr::kMantissaBits:
        return set(proto_.mantissa_bits());
      case Attr::kIndexVectorDim:
        return set(inst_->opcode == Opcode::kGather
                       ? proto_.gather_dimension_numbers().index_vector_dim()
                       : proto_.scatter_dimension_numbers().index_vector_dim());
      case Attr::kK:
        return set(proto_.k());
      case Attr::kFeatureIndex:
        return set(proto_.feature_index());
      case Attr::kChannelId:
        return Set(attr, proto_.channel_id(), proto_.channel_id() > 0);
      case Attr::kKnownTripCount: {
        int64_t count = 0;
        const bool found = hlo_text::FindTripCount(proto_.backend_config(), &count);
        return Set(attr, count, found);
      }
      default:
        return false;
    }
  }

  bool ReadFlag(Attr attr) {
    auto set = [&](bool value) { return Set(attr, value, value); };
    const wire::TriangularSolveOptions& solve = proto_.triangular_solve_options();
    switch (attr) {
      case Attr::kIsStable:
        return set(proto_.is_stable());
      case Attr::kIndicesAreSorted:
        return set(proto_.indices_are_sorted());
      case Attr::kUniqueIndices:
        return set(proto_.unique_indices());
      case Attr::kLargest:
        return Set(attr, proto_.largest(), true);  // absent: true
      case Attr::kLower:
        return set(inst_->opcode == Opcode::kCholesky ? proto_.cholesky_options().lower()
                                                      : solve.lower());
      case Attr::kLeftSide:
        return set(solve.left_side());
      case Attr::kUnitDiagonal:
        return set(solve.unit_diagonal());
      case Attr::kUseGlobalDeviceIds:
        return set(proto_.use_global_device_ids());
      case Attr::kIsHostTransfer:
        return set(proto_.is_host_transfer());
      case Attr::kHasSideEffect:
        return set(proto_.custom_call_has_side_effect());
      case Attr::kIsComposite:
        return set(proto_.is_composite());
      default:
        return false;
    }
  }

  bool ReadText(Attr attr) {
    auto set = [&](const std::string& text) { return Set(attr, text, !text.empty()); };
    switch (attr) {
      case Attr::kDirection:
        return SetWord(attr, proto_.comparison_direction());
      case Attr::kType:
        return IsImpliedType(*inst_, proto_.comparison_type()) ||
               SetWord(attr, proto_.comparison_type());
      case Attr::kKind:
        return SetWord(attr, proto_.fusion_kind());
      case Attr::kInfeedConfig:
        return set(proto_.infeed_config());
      case Attr::kOutfeedConfig:
        return set(proto_.outfeed_config());
      case Attr::kCustomCallTarget:
        return set(proto_.custom_call_target());
      case Attr::kBackendConfig:
        return set(proto_.backend_config());
      case Attr::kOperandLayoutConstraints:
        return Set(attr, OperandLayoutsText(proto_, &status_), proto_.constrain_layout());
      case Attr::kOutputToOperandAliasing:
        return Set(attr, AliasingText(proto_), !proto_.output_operand_aliasing().empty());
      default:
        return ReadNumberedWord(attr);
    }
  }

  bool SetWord(Attr attr, const std::string& word) {
    const bool valid = std::all_of(word.begin(), word.end(),
                                   [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
    if (!valid) status_ = WrongAttribute(attr, "not a word");
    return Set(attr, word, !word.empty());
  }

  bool ReadNumberedWord(Attr attr) {
    auto set = [&](WordTable table, int64_t number) {
      std::optional<absl::string_view> word = WordOf(table, number);
      if (!word) status_ = WrongAttribute(attr, absl::StrCat("unknown number ", number));
      // If a required word is missing, the check of required attributes reports that.
      if (word && !word->empty()) inst_->attrs.Set(attr, std::string(*word));
      return true;
    };
    switch (attr) {
      case Attr::kAlgorithm:
        return inst_->opcode == Opcode::kRngBitGenerator
                   ? set(kRngAlgorithms, proto_.rng_algorithm())
                   : set(kDotAlgorithms, proto_.precision_config().algorithm());
      case Attr::kFftType:
        return set(kFftTypes, proto_.fft_type());
      case Attr::kTransposeA:
        return set(kTransposes, proto_.triangular_solve_options().transpose_a());
      case Attr::kDistribution:
        return set(kDistributions, proto_.distribution());
      case Attr::kApiVersion:  // the original is what no version means
        return proto_.custom_call_api_version() == kOriginalApi ||
               set(kApiVersions, proto_.custom_call_api_version());
      case Attr::kSchedule:
        return set(kSchedules, proto_.custom_call_schedule());
      default:
        return false;
    }
  }

  void ReadStructured(Attr attr) {
    switch (attr) {
      case Attr::kEpsilon:
        Set(attr, ToDouble(proto_.epsilon()), true);
        break;
      case Attr::kWindow:
        Set(attr, ToWindow(proto_.window()), !proto_.window().dimensions().empty());
        break;
      case Attr::kDimLabels: {
        hlo::ConvDims dims;
        status_ = ToConvDims(proto_.convolution_dimension_numbers(), &dims);
        Set(attr, dims, true);
        break;
      }
      case Attr::kPadding:
        Set(attr, ToPadding(proto_.padding_config()), true);
        break;
      case Attr::kSlice: {
        hlo::SliceDims slice;
        for (const auto& dim : proto_.slice_dimensions()) {
          slice.push_back({dim.start(), dim.limit(), dim.stride()});
        }
        Set(attr, slice, true);
        break;
      }
      case Attr::kReplicaGroups: {
        hlo::IntLists groups;
        status_ = ToReplicaGroups(proto_, &groups);
        Set(attr, groups, true);  // as in XLA's text
        break;
      }
      case Attr::kSourceTargetPairs: {
        hlo::IntLists pairs;
        for (const wire::SourceTarget& pair : proto_.source_target_pairs()) {
          pairs.push_back({pair.source(), pair.target()});
        }
        Set(attr, pairs, !pairs.empty());
        break;
      }
      case Attr::kOperandPrecision:
        ReadPrecisions();
        break;
      default:  // no field: see kOwnPrefix
        break;
    }
  }

  void ReadPrecisions() {
    hlo::Words words;
    bool any = false;
    for (int64_t number : proto_.precision_config().operand_precision()) {
      std::optional<absl::string_view> word = WordOf(kPrecisions, number);
      if (!word)
        status_ = WrongAttribute(Attr::kOperandPrecision, absl::StrCat("unknown number ", number));
      words.emplace_back(word.value_or(""));
      any = any || number != 0;
    }
    Set(Attr::kOperandPrecision, words, any);
  }

  const HloInstructionProto& proto_;
  Instruction* inst_;
  bool required_ = false;
  absl::Status status_;
};

bool Contains(absl::Span<const Attr> list, Attr attr) {
  return std::find(list.begin(), list.end(), attr) != list.end();
}

// `halyard.name` → attribute `name`, if the op has such.
absl::Status ReadOwn(absl::string_view name, const std::string& text, Instruction* inst) {
  const hlo::OpRow& row = hlo::RowOf(inst->opcode);
  std::optional<Attr> attr = hlo_text::AttrFromName(name);
  const bool known = attr && (Contains(row.required, *attr) || Contains(row.optional, *attr) ||
                              *attr == Attr::kSharding || *attr == Attr::kFrontendAttributes);
  hlo_text::Cursor cursor(text, "");
  AttrValue value;
  if (!known || !hlo_text::ReadAttrValue(cursor, hlo::KindOf(*attr), &value) || !cursor.AtEnd()) {
    return absl::InvalidArgumentError(
        absl::StrCat("frontend attribute ", kOwnPrefix, name, ": no attribute of the op"));
  }
  inst->attrs.Set(*attr, std::move(value));
  return absl::OkStatus();
}

absl::Status ReadFrontendAttributes(const HloInstructionProto& proto, Instruction* inst) {
  NamedTexts others;
  for (const auto& entry : proto.frontend_attributes().map()) {
    absl::string_view name = entry.key();
    if (!absl::ConsumePrefix(&name, kOwnPrefix)) {
      others.emplace_back(entry.key(), entry.value());
    } else if (absl::Status status = ReadOwn(name, entry.value(), inst); !status.ok()) {
      return status;
    }
  }
  if (!others.empty()) {
    inst->attrs.Set(Attr::kFrontendAttributes, FrontendAttributesText(std::move(others)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadAttributes(const HloInstructionProto& proto, Instruction* inst) {
  const hlo::OpRow& row = hlo::RowOf(inst->opcode);
  AttributeReader reader(proto, inst);
  for (Attr attr : row.required) {
    if (absl::Status status = reader.Read(attr, true); !status.ok()) return status;
  }
  for (Attr attr : row.optional) {
    if (absl::Status status = reader.Read(attr, false); !status.ok()) return status;
  }
  if (proto.has_sharding()) {
    inst->attrs.Set(Attr::kSharding, ShardingText(proto.sharding()));
  }
  return ReadFrontendAttributes(proto, inst);
}

}  // namespace halyard::hlo_proto
