#include <optional>

#include "absl/strings/str_cat.h"
#include "frontend/hlo_proto/attribute_fields.h"
#include "frontend/hlo_proto/attribute_words.h"
#include "frontend/hlo_proto/hlo.pb.h"
#include "frontend/hlo_proto/instruction_proto.h"
#include "frontend/hlo_proto/shape_proto.h"
#include "frontend/hlo_proto/sharding_proto.h"
#include "frontend/hlo_text/attribute_text.h"

namespace halyard::hlo_proto {
namespace {

using hlo::Attr;
using hlo::AttrValue;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo_text::Cursor;
using wire::HloInstructionProto;

// Writes one attribute into its field. Returns false if no field can hold it.
class AttributeWriter {
 public:
  AttributeWriter(const Instruction& inst, HloInstructionProto* proto)
      : inst_(inst), proto_(proto) {}

  bool Write(Attr attr, const AttrValue& value) {
    if (const Ints* ints = std::get_if<Ints>(&value)) return WriteInts(attr, *ints);
    if (const int64_t* number = std::get_if<int64_t>(&value)) return WriteInt(attr, *number);
    if (const bool* flag = std::get_if<bool>(&value)) return WriteBool(attr, *flag);
    if (const std::string* text = std::get_if<std::string>(&value)) return WriteText(attr, *text);
    return WriteStructured(attr, value);
  }

 private:
  bool WriteInts(Attr attr, const Ints& ints) {
    auto fill = [&](auto* field) {
      Fill(ints, field);
      return true;
    };
    auto dot = [&] { return proto_->mutable_dot_dimension_numbers(); };
    auto gather = [&] { return proto_->mutable_gather_dimension_numbers(); };
    auto scatter = [&] { return proto_->mutable_scatter_dimension_numbers(); };
    switch (attr) {
      case Attr::kDimensions:
        return fill(proto_->mutable_dimensions());
      case Attr::kDynamicSliceSizes:
        return fill(proto_->mutable_dynamic_slice_sizes());
      case Attr::kSliceSizes:
        return fill(proto_->mutable_gather_slice_sizes());
      case Attr::kFftLength:
        return fill(proto_->mutable_fft_length());
      case Attr::kLhsBatchDims:
        return fill(dot()->mutable_lhs_batch_dimensions());
      case Attr::kRhsBatchDims:
        return fill(dot()->mutable_rhs_batch_dimensions());
      case Attr::kLhsContractingDims:
        return fill(dot()->mutable_lhs_contracting_dimensions());
      case Attr::kRhsContractingDims:
        return fill(dot()->mutable_rhs_contracting_dimensions());
      case Attr::kOffsetDims:
        return fill(gather()->mutable_offset_dims());
      case Attr::kCollapsedSliceDims:
        return fill(gather()->mutable_collapsed_slice_dims());
      case Attr::kStartIndexMap:
        return fill(gather()->mutable_start_index_map());
      case Attr::kOperandBatchingDims:
        return fill(gather()->mutable_operand_batching_dims());
      case Attr::kStartIndicesBatchingDims:
        return fill(gather()->mutable_start_indices_batching_dims());
      case Attr::kUpdateWindowDims:
        return fill(scatter()->mutable_update_window_dims());
      case Attr::kInsertedWindowDims:
        return fill(scatter()->mutable_inserted_window_dims());
      case Attr::kScatterDimsToOperandDims:
        return fill(scatter()->mutable_scatter_dims_to_operand_dims());
      case Attr::kInputBatchingDims:
        return fill(scatter()->mutable_input_batching_dims());
      case Attr::kScatterIndicesBatchingDims:
        return fill(scatter()->mutable_scatter_indices_batching_dims());
      default:
        return false;
    }
  }

  bool WriteInt(Attr attr, int64_t value) {
    switch (attr) {
      case Attr::kIotaDimension:
        proto_->add_dimensions(value);
        return true;
      case Attr::kIndex:
        proto_->set_tuple_index(value);
        return true;
      case Attr::kFeatureGroupCount:
        proto_->set_feature_group_count(value);
        return value > 0;  // 0 stands for an absent count in this field
      case Attr::kBatchGroupCount:
        proto_->set_batch_group_count(value);
        return value > 0;
      case Attr::kExponentBits:
        proto_->set_exponent_bits(static_cast<int32_t>(value));
        return true;
      case Attr::kMantissaBits:
        proto_->set_mantissa_bits(static_cast<int32_t>(value));
        return true;
      case Attr::kIndexVectorDim:
        if (inst_.opcode == Opcode::kGather) {
          proto_->mutable_gather_dimension_numbers()->set_index_vector_dim(value);
        } else {
          proto_->mutable_scatter_dimension_numbers()->set_index_vector_dim(value);
        }
        return true;
      case Attr::kK:
        proto_->set_k(value);
        return true;
      case Attr::kFeatureIndex:
        proto_->set_feature_index(value);
        return true;
      case Attr::kChannelId:
        proto_->set_channel_id(value);
        return value > 0;
      case Attr::kKnownTripCount:
        proto_->set_backend_config(absl::StrCat("{\"known_trip_count\":{\"n\":\"", value, "\"}}"));
        return true;
      default:
        return false;
    }
  }

  bool WriteBool(Attr attr, bool value) {
    switch (attr) {
      case Attr::kIsStable:
        proto_->set_is_stable(value);
        return true;
      case Attr::kIndicesAreSorted:
        proto_->set_indices_are_sorted(value);
        return true;
      case Attr::kUniqueIndices:
        proto_->set_unique_indices(value);
        return true;
      case Attr::kLargest:
        proto_->set_largest(value);
        return true;
      case Attr::kLower:
        if (inst_.opcode == Opcode::kCholesky) {
          proto_->mutable_cholesky_options()->set_lower(value);
        } else {
          proto_->mutable_triangular_solve_options()->set_lower(value);
        }
        return true;
      case Attr::kLeftSide:
        proto_->mutable_triangular_solve_options()->set_left_side(value);
        return true;
      case Attr::kUnitDiagonal:
        proto_->mutable_triangular_solve_options()->set_unit_diagonal(value);
        return true;
      case Attr::kUseGlobalDeviceIds:
        proto_->set_use_global_device_ids(value);
        return true;
      case Attr::kIsHostTransfer:
        proto_->set_is_host_transfer(value);
        return true;
      case Attr::kHasSideEffect:
        proto_->set_custom_call_has_side_effect(value);
        return true;
      case Attr::kIsComposite:
        proto_->set_is_composite(value);
        return true;
      default:
        return false;
    }
  }

  bool WriteText(Attr attr, const std::string& text) {
    switch (attr) {
      case Attr::kDirection:
        proto_->set_comparison_direction(text);
        return true;
      case Attr::kType:
        proto_->set_comparison_type(text);
        return true;
      case Attr::kKind:
        proto_->set_fusion_kind(text);
        return true;
      case Attr::kInfeedConfig:
        proto_->set_infeed_config(text);
        return true;
      case Attr::kOutfeedConfig:
        proto_->set_outfeed_config(text);
        return true;
      case Attr::kCustomCallTarget:
        proto_->set_custom_call_target(text);
        return true;
      case Attr::kBackendConfig:
        proto_->set_backend_config(text);
        return true;
      case Attr::kOperandLayoutConstraints:
        return WriteOperandLayouts(text, proto_);
      case Attr::kOutputToOperandAliasing:
        return WriteAliasing(text, proto_);
      default:
        return WriteWord(attr, text);
    }
  }

  bool WriteWord(Attr attr, const std::string& word) {
    auto set = [&](WordTable table, auto setter) {
      std::optional<int> number = NumberOf(table, word);
      if (number) setter(*number);
      return number.has_value();
    };
    switch (attr) {
      case Attr::kAlgorithm:
        if (inst_.opcode == Opcode::kRngBitGenerator) {
          return set(kRngAlgorithms, [&](int n) { proto_->set_rng_algorithm(n); });
        }
        return set(kDotAlgorithms,
                   [&](int n) { proto_->mutable_precision_config()->set_algorithm(n); });
      case Attr::kFftType:
        return set(kFftTypes, [&](int n) { proto_->set_fft_type(n); });
      case Attr::kTransposeA:
        return set(kTransposes,
                   [&](int n) { proto_->mutable_triangular_solve_options()->set_transpose_a(n); });
      case Attr::kDistribution:
        return set(kDistributions, [&](int n) { proto_->set_distribution(n); });
      case Attr::kApiVersion:
        return set(kApiVersions, [&](int n) { proto_->set_custom_call_api_version(n); });
      case Attr::kSchedule:
        return set(kSchedules, [&](int n) { proto_->set_custom_call_schedule(n); });
      default:
        return false;
    }
  }

  bool WriteStructured(Attr attr, const AttrValue& value) {
    switch (attr) {
      case Attr::kEpsilon:
        proto_->set_epsilon(static_cast<float>(std::get<double>(value)));
        return true;
      case Attr::kWindow:
        WriteWindow(std::get<hlo::Window>(value), proto_);
        return true;
      case Attr::kDimLabels:
        WriteConvDims(std::get<hlo::ConvDims>(value),
                      proto_->mutable_convolution_dimension_numbers());
        return true;
      case Attr::kPadding:
        WritePadding(std::get<hlo::PaddingConfig>(value), proto_->mutable_padding_config());
        return true;
      case Attr::kSlice:
        WriteSlice(std::get<hlo::SliceDims>(value), proto_);
        return true;
      case Attr::kReplicaGroups:
        WriteReplicaGroups(std::get<hlo::IntLists>(value), proto_);
        return true;
      case Attr::kSourceTargetPairs:
        for (const Ints& pair : std::get<hlo::IntLists>(value)) {
          if (pair.size() != 2) return false;
          wire::SourceTarget* to = proto_->add_source_target_pairs();
          to->set_source(pair[0]);
          to->set_target(pair[1]);
        }
        return true;
      case Attr::kOperandPrecision:
        return WritePrecisions(std::get<hlo::Words>(value), proto_->mutable_precision_config());
      default:
        return false;
    }
  }

  const Instruction& inst_;
  HloInstructionProto* proto_;
};

void AddFrontendAttribute(absl::string_view name, const std::string& value,
                          HloInstructionProto* proto) {
  wire::FrontendAttributes::Entry* entry = proto->mutable_frontend_attributes()->add_map();
  entry->set_key(std::string(name));
  entry->set_value(value);
}

// In the message's own terms where they say as much as the text.
bool WriteSharding(const std::string& text, HloInstructionProto* proto) {
  wire::OpSharding sharding;
  if (!ShardingFromText(text, &sharding)) return false;
  const bool same = ShardingText(sharding) == text;
  proto->mutable_sharding()->Swap(&sharding);
  return same;
}

bool WriteFrontendAttributes(const std::string& text, HloInstructionProto* proto) {
  NamedTexts attributes;
  if (!FrontendAttributesFromText(text, &attributes)) return false;
  for (const auto& [name, value] : attributes) AddFrontendAttribute(name, value, proto);
  return true;
}

// XLA reads these fields. Halyard takes the same facts from elsewhere.
void WriteImplied(const Instruction& inst, HloInstructionProto* proto) {
  if (inst.opcode == Opcode::kConvolution) {
    proto->mutable_window();
    proto->set_feature_group_count(inst.GetInt(Attr::kFeatureGroupCount, 1));
    proto->set_batch_group_count(inst.GetInt(Attr::kBatchGroupCount, 1));
  } else if (inst.opcode == Opcode::kTriangularSolve && !inst.Has(Attr::kTransposeA)) {
    proto->mutable_triangular_solve_options()->set_transpose_a(1);
  } else if (inst.opcode == Opcode::kDot) {
    proto->mutable_dot_dimension_numbers();
    proto->mutable_precision_config();
  } else if (inst.opcode == Opcode::kOutfeed && !inst.operands.empty()) {
    WriteShape(inst.operand(0)->shape, proto->mutable_outfeed_shape());
  } else if (inst.opcode == Opcode::kTopK && !inst.Has(Attr::kLargest)) {
    proto->set_largest(true);
  } else if (inst.opcode == Opcode::kCustomCall && !inst.Has(Attr::kApiVersion)) {
    proto->set_custom_call_api_version(kOriginalApi);
  }
}

}  // namespace

void WriteAttributes(const Instruction& inst, HloInstructionProto* proto) {
  AttributeWriter writer(inst, proto);
  for (const auto& [attr, value] : inst.attrs.entries()) {
    if (attr == Attr::kChannelType) continue;  // implied by is_host_transfer
    const std::string* text = std::get_if<std::string>(&value);
    bool written = attr == Attr::kSharding             ? WriteSharding(*text, proto)
                   : attr == Attr::kFrontendAttributes ? WriteFrontendAttributes(*text, proto)
                                                       : writer.Write(attr, value);
    if (written) continue;
    AddFrontendAttribute(absl::StrCat(kOwnPrefix, hlo::AttrName(attr)),
                         hlo_text::AttrValueText(hlo::KindOf(attr), value), proto);
  }
  WriteImplied(inst, proto);
}

}  // namespace halyard::hlo_proto
