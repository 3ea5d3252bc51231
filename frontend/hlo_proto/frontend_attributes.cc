#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo_proto/sharding_proto.h"
#include "frontend/hlo_text/attribute_text.h"
#include "frontend/hlo_text/cursor.h"

namespace halyard::hlo_proto {

bool FrontendAttributesFromText(absl::string_view text, NamedTexts* attributes) {
  hlo_text::Cursor cursor(text, "");
  if (!cursor.Expect('{')) return false;
  if (!cursor.TryChar('}')) {
    do {
      auto& [name, value] = attributes->emplace_back();
      if (!cursor.Name(&name, "a name") || !cursor.Expect('=')) return false;
      if (cursor.Peek() == '"') {
        if (!cursor.String(&value)) return false;
        continue;
      }
      absl::string_view braces;
      if (!cursor.Braces(&braces)) return false;
      value = std::string(braces);
    } while (cursor.TryChar(','));
    if (!cursor.Expect('}')) return false;
  }
  return cursor.AtEnd();
}

std::string FrontendAttributesText(NamedTexts attributes) {
  std::sort(attributes.begin(), attributes.end());
  return absl::StrCat("{",
                      absl::StrJoin(attributes, ",",
                                    [](std::string* out, const auto& attribute) {
                                      absl::StrAppend(out, attribute.first, "=",
                                                      hlo_text::AttrValueText(hlo::AttrKind::kRaw,
                                                                              attribute.second));
                                    }),
                      "}");
}

}  // namespace halyard::hlo_proto
