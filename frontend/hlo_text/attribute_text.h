// Attribute values in HLO text, by kind: reading and printing, side by side.
#ifndef HALYARD_FRONTEND_HLO_TEXT_ATTRIBUTE_TEXT_H_
#define HALYARD_FRONTEND_HLO_TEXT_ATTRIBUTE_TEXT_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "frontend/hlo/attributes.h"
#include "frontend/hlo_text/cursor.h"

namespace halyard::hlo_text {

std::optional<hlo::Attr> AttrFromName(absl::string_view name);

// Reads what stands after `name=`. A kRaw value given as a string is stored without quotes and
// escapes.
bool ReadAttrValue(Cursor& cursor, hlo::AttrKind kind, hlo::AttrValue* value);

// What ReadAttrValue reads back as the same value. kRaw: text that is balanced in braces stands as
// it is, any other is quoted.
std::string AttrValueText(hlo::AttrKind kind, const hlo::AttrValue& value);

// `"…"` with C escapes.
std::string Quoted(absl::string_view text);

// What is wrong with an op that the table does not have.
std::string UnknownOp(absl::string_view opcode);

// `"known_trip_count":{"n":"7"}` anywhere in a while loop's backend_config.
bool FindTripCount(absl::string_view config, int64_t* count);

// The groups that `[count,size]<=[dims]T(order)` stands for: devices 0, 1, … in the shape `dims`,
// transposed, cut into `count` groups of `size`. An empty order is that of the dimensions. False if
// the numbers do not fit, or there are more than 2^20 devices.
bool ExpandIotaGroups(int64_t count, int64_t size, const hlo::Ints& dims, const hlo::Ints& order,
                      hlo::IntLists* groups);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_ATTRIBUTE_TEXT_H_
