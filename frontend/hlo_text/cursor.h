// A Cursor is a position in HLO text, with the small readers of which every part of the parser
// consists.
#ifndef HALYARD_FRONTEND_HLO_TEXT_CURSOR_H_
#define HALYARD_FRONTEND_HLO_TEXT_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_text {

// The first error wins and stays: readers return false, callers return at once, and status() tells
// what happened where. White space and comments (`/*…*/`, `//…`) are skipped before each token.
class Cursor {
 public:
  Cursor(absl::string_view text, absl::string_view filename);

  // Always returns false, so that `return cursor.Fail(…)` reads well.
  bool Fail(size_t offset, absl::string_view message);
  bool Fail(absl::string_view message) { return Fail(Offset(), message); }
  const absl::Status& status() const { return status_; }

  // Returns the offset of the next token. An unclosed comment ends the text.
  size_t Offset();
  size_t text_size() const { return text_.size(); }
  hlo::SourceLocation Locate(size_t offset) const;  // 1-based line and byte column

  bool AtEnd() { return Offset() == text_.size(); }
  char Peek();                            // first character of the next token; 0 at the end
  bool PeekText(absl::string_view text);  // whether the next token begins with `text`
  char RawPeek() const;                   // the very next character, white space included
  absl::string_view PeekName();           // the name that follows, or an empty view
  bool TryChar(char c);
  bool TryText(absl::string_view text);
  bool TryWord(absl::string_view word);  // a whole name
  bool Expect(char c);
  bool ExpectText(absl::string_view text);

  // Reads [A-Za-z0-9_.-]+ with an optional % before it, which is dropped. A '-' that begins "->"
  // ends the name.
  bool Name(std::string* name, absl::string_view what);
  bool Int(int64_t* value);
  // `"…"` with C escapes, undone.
  bool String(std::string* value);
  // Reads characters up to white space or one of `,){}`: the value of attributes such as
  // dim_labels. It must not be empty.
  bool Compact(absl::string_view* value, absl::string_view what);
  // Reads a text in balanced braces, and keeps it as it is. Respects strings in it.
  bool Braces(absl::string_view* value);
  // Skips any attribute's value: braces, parentheses, a string, or compact text.
  bool SkipValue();
  // Returns a number's characters: letters, digits, `_.+-`, and the payload of `nan(0x…)`.
  absl::string_view NumberText();

 private:
  bool SkipSpace();
  bool Balanced(char open, char close, absl::string_view* value);

  absl::string_view text_;
  std::string filename_;
  size_t at_ = 0;
  std::vector<size_t> line_starts_;
  absl::Status status_;
};

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_CURSOR_H_
