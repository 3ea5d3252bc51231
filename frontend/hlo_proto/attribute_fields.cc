#include "frontend/hlo_proto/attribute_fields.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo_proto/attribute_words.h"
#include "frontend/hlo_proto/shape_proto.h"
#include "frontend/hlo_text/attribute_text.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard::hlo_proto {

using hlo::Attr;
using hlo::Ints;
using hlo_text::Cursor;
using wire::HloInstructionProto;

namespace {

// Returns whether `first`, `second` and `spatial` are all numbers from 0 on, each once.
bool AreDimensions(int64_t first, int64_t second, const Ints& spatial) {
  Ints all = spatial;
  all.push_back(first);
  all.push_back(second);
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

template <typename Field>
bool ReadIndex(Cursor& cursor, Field* index) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    int64_t value;
    if (!cursor.Int(&value)) return false;
    index->Add(value);
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

}  // namespace

absl::Status WrongAttribute(Attr attr, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(hlo::AttrName(attr), ": ", what));
}

hlo::Window ToWindow(const wire::Window& proto) {
  hlo::Window window;
  for (const wire::WindowDimension& dim : proto.dimensions()) {
    window.dims.push_back({.size = dim.size(),
                           .stride = dim.stride(),
                           .pad_low = dim.padding_low(),
                           .pad_high = dim.padding_high(),
                           .base_dilation = dim.base_dilation(),
                           .window_dilation = dim.window_dilation(),
                           .reversal = dim.window_reversal()});
  }
  return window;
}

absl::Status ToConvDims(const wire::ConvolutionDimensionNumbers& proto, hlo::ConvDims* dims) {
  dims->input_batch = proto.input_batch_dimension();
  dims->input_feature = proto.input_feature_dimension();
  dims->input_spatial = ToInts(proto.input_spatial_dimensions());
  dims->kernel_output_feature = proto.kernel_output_feature_dimension();
  dims->kernel_input_feature = proto.kernel_input_feature_dimension();
  dims->kernel_spatial = ToInts(proto.kernel_spatial_dimensions());
  dims->output_batch = proto.output_batch_dimension();
  dims->output_feature = proto.output_feature_dimension();
  dims->output_spatial = ToInts(proto.output_spatial_dimensions());
  const bool valid =
      dims->input_spatial.size() <= 10 &&  // digits
      AreDimensions(dims->input_batch, dims->input_feature, dims->input_spatial) &&
      AreDimensions(dims->kernel_output_feature, dims->kernel_input_feature,
                    dims->kernel_spatial) &&
      AreDimensions(dims->output_batch, dims->output_feature, dims->output_spatial) &&
      dims->input_spatial.size() == dims->kernel_spatial.size() &&
      dims->input_spatial.size() == dims->output_spatial.size();
  return valid ? absl::OkStatus()
               : WrongAttribute(Attr::kDimLabels, "these are not the dimensions of a convolution");
}

hlo::PaddingConfig ToPadding(const wire::PaddingConfig& proto) {
  hlo::PaddingConfig padding;
  for (const auto& dim : proto.dimensions()) {
    padding.push_back({dim.edge_padding_low(), dim.edge_padding_high(), dim.interior_padding()});
  }
  return padding;
}

namespace {

absl::Status ToMeshGroups(const wire::MeshAxesReplicaGroupListProto& proto, hlo::IntLists* groups) {
  hlo_text::DeviceMesh mesh;
  for (const auto& axis : proto.mesh().axes()) mesh.sizes.push_back(axis.size());
  mesh.device_ids = ToInts(proto.mesh().device_ids());
  mesh.iota_dims = ToInts(proto.mesh().iota().reshape_dims());
  mesh.iota_order = ToInts(proto.mesh().iota().transpose_perm());
  std::vector<hlo_text::MeshAxisRef> refs;
  for (const auto& axis : proto.axes()) {
    hlo_text::MeshAxisRef& ref = refs.emplace_back();
    ref.axis = axis.mesh_axis_index();
    if (!axis.has_sub_axis_info()) continue;
    ref.pre_size = axis.sub_axis_info().pre_size();
    ref.size = axis.sub_axis_info().size();
    if (ref.size < 1)
      return WrongAttribute(Attr::kReplicaGroups,
                            "the size of a part of a mesh's axis is not positive");
  }
  return hlo_text::ExpandMeshGroups(mesh, refs, groups)
             ? absl::OkStatus()
             : WrongAttribute(Attr::kReplicaGroups, "these are not groups of devices of the mesh");
}

}  // namespace

absl::Status ToReplicaGroups(const HloInstructionProto& proto, hlo::IntLists* groups) {
  const wire::CollectiveDeviceListProto& list = proto.collective_device_list();
  if (proto.has_mesh_axes_replica_group_list())
    return ToMeshGroups(proto.mesh_axes_replica_group_list(), groups);
  if (list.has_iota_replica_group_list() || proto.has_iota_collective_device_list()) {
    const wire::IotaReplicaGroupListProto& iota = proto.has_iota_collective_device_list()
                                                      ? proto.iota_collective_device_list()
                                                      : list.iota_replica_group_list();
    return hlo_text::ExpandIotaGroups(iota.num_replica_groups(), iota.num_devices_per_group(),
                                      ToInts(iota.iota_reshape_dims()),
                                      ToInts(iota.iota_transpose_perm()), groups)
               ? absl::OkStatus()
               : WrongAttribute(Attr::kReplicaGroups, "these are not groups of devices");
  }
  for (const auto& group :
       list.replica_groups_size() > 0 ? list.replica_groups() : proto.replica_groups()) {
    groups->push_back(ToInts(group.replica_ids()));
  }
  return absl::OkStatus();
}

double ToDouble(float value) {
  char digits[64];
  char* end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  double wide = value;
  std::from_chars(digits, end, wide);
  return wide;
}

std::string OperandLayoutsText(const HloInstructionProto& proto, absl::Status* status) {
  std::vector<std::string> shapes;
  for (const wire::ShapeProto& operand : proto.operand_shapes_with_layout()) {
    hlo::Shape shape;
    if (absl::Status s = ReadShape(operand, &shape); !s.ok()) *status = s;
    shapes.push_back(shape.ToString(/*always_layout=*/true));
  }
  return absl::StrReplaceAll(absl::StrCat("{", absl::StrJoin(shapes, ", "), "}"), {{"[]{}", "[]"}});
}

std::string AliasingText(const HloInstructionProto& proto) {
  auto append = [](std::string* out, const wire::OutputOperandAliasing& alias) {
    absl::StrAppend(out, "{", absl::StrJoin(alias.output_shape_index(), ","), "}: (",
                    alias.operand_index(), ", {", absl::StrJoin(alias.operand_shape_index(), ","),
                    "})");
  };
  return absl::StrCat("{", absl::StrJoin(proto.output_operand_aliasing(), ", ", append), "}");
}

void WriteWindow(const hlo::Window& window, HloInstructionProto* proto) {
  for (const hlo::WindowDim& dim : window.dims) {
    wire::WindowDimension* to = proto->mutable_window()->add_dimensions();
    to->set_size(dim.size);
    to->set_stride(dim.stride);
    to->set_padding_low(dim.pad_low);
    to->set_padding_high(dim.pad_high);
    to->set_base_dilation(dim.base_dilation);
    to->set_window_dilation(dim.window_dilation);
    to->set_window_reversal(dim.reversal);
  }
}

void WriteConvDims(const hlo::ConvDims& dims, wire::ConvolutionDimensionNumbers* to) {
  to->set_input_batch_dimension(dims.input_batch);
  to->set_input_feature_dimension(dims.input_feature);
  Fill(dims.input_spatial, to->mutable_input_spatial_dimensions());
  to->set_kernel_output_feature_dimension(dims.kernel_output_feature);
  to->set_kernel_input_feature_dimension(dims.kernel_input_feature);
  Fill(dims.kernel_spatial, to->mutable_kernel_spatial_dimensions());
  to->set_output_batch_dimension(dims.output_batch);
  to->set_output_feature_dimension(dims.output_feature);
  Fill(dims.output_spatial, to->mutable_output_spatial_dimensions());
}

void WritePadding(const hlo::PaddingConfig& padding, wire::PaddingConfig* to) {
  for (const hlo::PaddingDim& dim : padding) {
    wire::PaddingConfig::PaddingConfigDimension* out = to->add_dimensions();
    out->set_edge_padding_low(dim.low);
    out->set_edge_padding_high(dim.high);
    out->set_interior_padding(dim.interior);
  }
}

void WriteSlice(const hlo::SliceDims& slice, HloInstructionProto* proto) {
  for (const hlo::SliceDim& dim : slice) {
    HloInstructionProto::SliceDimensions* to = proto->add_slice_dimensions();
    to->set_start(dim.start);
    to->set_limit(dim.limit);
    to->set_stride(dim.stride);
  }
}

void WriteReplicaGroups(const hlo::IntLists& groups, HloInstructionProto* proto) {
  for (const Ints& group : groups) {
    Fill(group, proto->add_replica_groups()->mutable_replica_ids());
    Fill(group,
         proto->mutable_collective_device_list()->add_replica_groups()->mutable_replica_ids());
  }
}

bool WritePrecisions(const hlo::Words& words, wire::PrecisionConfig* config) {
  for (const std::string& word : words) {
    std::optional<int> number = NumberOf(kPrecisions, word);
    if (!number) return false;
    config->add_operand_precision(*number);
  }
  return true;
}

// `{f32[2]{0}, s32[]}`
bool WriteOperandLayouts(const std::string& text, HloInstructionProto* proto) {
  Cursor cursor(text, "");
  if (!cursor.Expect('{')) return false;
  if (!cursor.TryChar('}')) {
    do {
      hlo::Shape shape;
      if (!hlo_text::ReadShape(cursor, &shape)) return false;
      WriteShape(shape, proto->add_operand_shapes_with_layout());
    } while (cursor.TryChar(','));
    if (!cursor.Expect('}')) return false;
  }
  proto->set_constrain_layout(true);
  return cursor.AtEnd();
}

// `{{0}: (1, {}), {1}: (0, {2})}`
bool WriteAliasing(const std::string& text, HloInstructionProto* proto) {
  Cursor cursor(text, "");
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return cursor.AtEnd();
  do {
    wire::OutputOperandAliasing* to = proto->add_output_operand_aliasing();
    int64_t operand = 0;
    if (!ReadIndex(cursor, to->mutable_output_shape_index()) || !cursor.Expect(':') ||
        !cursor.Expect('(') || !cursor.Int(&operand)) {
      return false;
    }
    to->set_operand_index(operand);
    if (cursor.TryChar(',') && !ReadIndex(cursor, to->mutable_operand_shape_index())) return false;
    if (!cursor.Expect(')')) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}') && cursor.AtEnd();
}

}  // namespace halyard::hlo_proto
