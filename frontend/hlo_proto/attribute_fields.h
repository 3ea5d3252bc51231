// Attributes that have a message of their own in the wire format: windows, dimension numbers,
// groups of devices and so on. The To… functions read them, and the Write… functions write them.
#ifndef HALYARD_FRONTEND_HLO_PROTO_ATTRIBUTE_FIELDS_H_
#define HALYARD_FRONTEND_HLO_PROTO_ATTRIBUTE_FIELDS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"
#include "frontend/hlo_proto/hlo.pb.h"

namespace halyard::hlo_proto {

// Returns the error for an attribute whose field holds something else.
absl::Status WrongAttribute(hlo::Attr attr, absl::string_view what);

template <typename Field>
hlo::Ints ToInts(const Field& field) {
  return hlo::Ints(field.begin(), field.end());
}
hlo::Window ToWindow(const wire::Window& proto);
absl::Status ToConvDims(const wire::ConvolutionDimensionNumbers& proto, hlo::ConvDims* dims);
hlo::PaddingConfig ToPadding(const wire::PaddingConfig& proto);
absl::Status ToReplicaGroups(const wire::HloInstructionProto& proto, hlo::IntLists* groups);
// Returns the double that HLO text would give for this float, from its shortest digits.
double ToDouble(float value);
// Return the text of the attribute, as HLO text has it.
std::string OperandLayoutsText(const wire::HloInstructionProto& proto, absl::Status* status);
std::string AliasingText(const wire::HloInstructionProto& proto);

template <typename Field>
void Fill(const hlo::Ints& values, Field* field) {
  field->Reserve(static_cast<int>(values.size()));
  for (int64_t value : values) field->Add(value);
}
void WriteWindow(const hlo::Window& window, wire::HloInstructionProto* proto);
void WriteConvDims(const hlo::ConvDims& dims, wire::ConvolutionDimensionNumbers* to);
void WritePadding(const hlo::PaddingConfig& padding, wire::PaddingConfig* to);
void WriteSlice(const hlo::SliceDims& slice, wire::HloInstructionProto* proto);
// Writes both of its fields, because older versions of XLA only read the first.
void WriteReplicaGroups(const hlo::IntLists& groups, wire::HloInstructionProto* proto);
// Return false if the text is not that of the attribute.
bool WritePrecisions(const hlo::Words& words, wire::PrecisionConfig* config);
bool WriteOperandLayouts(const std::string& text, wire::HloInstructionProto* proto);
bool WriteAliasing(const std::string& text, wire::HloInstructionProto* proto);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_ATTRIBUTE_FIELDS_H_
