#include "frontend/hlo/ir/attributes.h"

#include <algorithm>

namespace halyard::hlo {

AttrKind KindOf(Attr attr) {
  static constexpr AttrKind kKinds[] = {
#define HALYARD_KIND(name, text, kind) AttrKind::kind,
      HALYARD_ATTRIBUTES(HALYARD_KIND)
#undef HALYARD_KIND
  };
  return kKinds[static_cast<int>(attr)];
}

absl::string_view AttrName(Attr attr) {
  static constexpr absl::string_view kNames[] = {
#define HALYARD_NAME(name, text, kind) text,
      HALYARD_ATTRIBUTES(HALYARD_NAME)
#undef HALYARD_NAME
  };
  return kNames[static_cast<int>(attr)];
}

const AttrValue* AttrMap::Find(Attr attr) const {
  for (const auto& [key, value] : entries_) {
    if (key == attr) return &value;
  }
  return nullptr;
}

void AttrMap::Set(Attr attr, AttrValue value) {
  auto at = std::lower_bound(entries_.begin(), entries_.end(), attr,
                             [](const auto& entry, Attr key) { return entry.first < key; });
  if (at != entries_.end() && at->first == attr) {
    at->second = std::move(value);
  } else {
    entries_.insert(at, {attr, std::move(value)});
  }
}

void AttrMap::Erase(Attr attr) {
  std::erase_if(entries_, [attr](const auto& entry) { return entry.first == attr; });
}

}  // namespace halyard::hlo
