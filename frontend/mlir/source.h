// The text that is being read. It turns byte offsets into file:line:col places.
#ifndef HALYARD_FRONTEND_MLIR_SOURCE_H_
#define HALYARD_FRONTEND_MLIR_SOURCE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace halyard::mlir {

// A line and a column, both counted from 1. Columns count bytes. A binary file is one line.
struct Place {
  int line = 0;
  int column = 0;
};

// Borrows the text, which must outlive the Source and everything that is parsed from it.
class Source {
 public:
  Source(absl::string_view text, absl::string_view filename, bool binary = false);

  absl::string_view text() const { return text_; }
  const std::string& filename() const { return filename_; }

  Place PlaceOf(size_t offset) const;
  // "file:line:col".
  std::string Describe(size_t offset) const;
  // "file:line:col: error: message".
  std::string ErrorAt(size_t offset, absl::string_view message) const;

 private:
  absl::string_view text_;
  std::string filename_;
  std::vector<size_t> line_starts_;
};

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_SOURCE_H_
