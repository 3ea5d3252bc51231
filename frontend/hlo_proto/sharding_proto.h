// Attributes that the IR keeps as text and XLA keeps as messages: `sharding={devices=[2,2]<=[4]}`,
// `frontend_attributes={a="1",b={n = 2}}`.
#ifndef HALYARD_FRONTEND_HLO_PROTO_SHARDING_PROTO_H_
#define HALYARD_FRONTEND_HLO_PROTO_SHARDING_PROTO_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace halyard::hlo_proto {

namespace wire {
class OpSharding;
}  // namespace wire

// Returns false if the message cannot hold the text. `proto` is then of no use.
bool ShardingFromText(absl::string_view text, wire::OpSharding* proto);
// Returns the text as XLA prints it.
std::string ShardingText(const wire::OpSharding& proto);

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Returns names and values, with strings unquoted. Returns false if the text is something else.
bool FrontendAttributesFromText(absl::string_view text, NamedTexts* attributes);
// Returns the text, sorted by name. Values in balanced braces stand as they are, and others are
// quoted.
std::string FrontendAttributesText(NamedTexts attributes);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_SHARDING_PROTO_H_
