// Words of HLO text that are numbers in the wire format.
#ifndef HALYARD_FRONTEND_HLO_PROTO_ATTRIBUTE_WORDS_H_
#define HALYARD_FRONTEND_HLO_PROTO_ATTRIBUTE_WORDS_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace halyard::hlo_proto {

// The number of a word is its position. An empty word stands for a number that says nothing.
using WordTable = absl::Span<const absl::string_view>;

extern const WordTable kPrecisions;
extern const WordTable kDotAlgorithms;
extern const WordTable kRngAlgorithms;
extern const WordTable kDistributions;
extern const WordTable kFftTypes;
extern const WordTable kTransposes;
extern const WordTable kApiVersions;
extern const WordTable kSchedules;
extern const WordTable kShardingTypes;

// The version of custom calls that name no version.
inline constexpr int kOriginalApi = 1;

std::optional<int> NumberOf(WordTable table, absl::string_view word);
// Returns nothing for numbers that are not in the table.
std::optional<absl::string_view> WordOf(WordTable table, int64_t number);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_ATTRIBUTE_WORDS_H_
