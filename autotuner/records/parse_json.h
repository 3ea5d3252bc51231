// Parses JSON that anybody may have written.
#ifndef HALYARD_AUTOTUNER_RECORDS_PARSE_JSON_H_
#define HALYARD_AUTOTUNER_RECORDS_PARSE_JSON_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace halyard::autotuner {

// Our own lines and indices are less than ten deep.
inline constexpr int kDeepestJson = 100;

// Returns an object. The parser's own stack is on the heap, but copying, comparing and printing
// call themselves for each level. So what nests deeper is refused, and `what` ("the line") names
// the text in errors.
template <typename Json>
absl::StatusOr<Json> ParseJsonObject(absl::string_view text, absl::string_view what) {
  bool too_deep = false;
  const auto keep = [&too_deep](int depth, typename Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepestJson;
    return !too_deep;
  };
  Json json = Json::parse(text.begin(), text.end(), keep, /*allow_exceptions=*/false);
  if (too_deep) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " nests more than ", kDeepestJson, " deep"));
  }
  if (!json.is_object())
    return absl::InvalidArgumentError(absl::StrCat(what, " is not a JSON object"));
  return json;
}

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_PARSE_JSON_H_
