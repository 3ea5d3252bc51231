#include "frontend/mlir/source.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace halyard::mlir {

Source::Source(absl::string_view text, absl::string_view filename, bool binary)
    : text_(text), filename_(filename) {
  line_starts_.push_back(0);
  if (binary) return;
  for (size_t i = text.find('\n'); i != absl::string_view::npos; i = text.find('\n', i + 1)) {
    line_starts_.push_back(i + 1);
  }
}

Place Source::PlaceOf(size_t offset) const {
  auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  size_t line = next - line_starts_.begin();
  return {static_cast<int>(line), static_cast<int>(offset - line_starts_[line - 1] + 1)};
}

std::string Source::Describe(size_t offset) const {
  Place place = PlaceOf(offset);
  return absl::StrCat(filename_, ":", place.line, ":", place.column);
}

std::string Source::ErrorAt(size_t offset, absl::string_view message) const {
  return absl::StrCat(Describe(offset), ": error: ", message);
}

}  // namespace halyard::mlir
