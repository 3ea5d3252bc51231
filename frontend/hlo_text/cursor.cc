#include "frontend/hlo_text/cursor.h"

#include <algorithm>
#include <charconv>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace halyard::hlo_text {
namespace {

bool IsNameChar(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-'; }

}  // namespace

Cursor::Cursor(absl::string_view text, absl::string_view filename)
    : text_(text), filename_(filename) {
  line_starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

hlo::SourceLocation Cursor::Locate(size_t offset) const {
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  int line = static_cast<int>(after - line_starts_.begin());
  return {filename_, line, static_cast<int>(offset - line_starts_[line - 1]) + 1};
}

bool Cursor::Fail(size_t offset, absl::string_view message) {
  if (!status_.ok()) return false;
  hlo::SourceLocation place = Locate(offset);
  status_ = absl::InvalidArgumentError(
      absl::StrCat(place.file, ":", place.line, ":", place.column, ": error: ", message));
  return false;
}

bool Cursor::SkipSpace() {
  while (at_ < text_.size()) {
    if (absl::ascii_isspace(text_[at_])) {
      ++at_;
    } else if (absl::StartsWith(text_.substr(at_), "//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (absl::StartsWith(text_.substr(at_), "/*")) {
      size_t end = text_.find("*/", at_ + 2);
      if (end == absl::string_view::npos) {
        Fail(at_, "comment is not closed");
        at_ = text_.size();
      } else {
        at_ = end + 2;
      }
    } else {
      return true;
    }
  }
  return false;
}

size_t Cursor::Offset() {
  SkipSpace();
  return at_;
}

char Cursor::Peek() { return SkipSpace() ? text_[at_] : '\0'; }

char Cursor::RawPeek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

bool Cursor::PeekText(absl::string_view text) {
  SkipSpace();
  return absl::StartsWith(text_.substr(at_), text);
}

absl::string_view Cursor::PeekName() {
  SkipSpace();
  size_t begin = at_;
  if (RawPeek() == '%') ++begin;
  size_t end = begin;
  while (end < text_.size() && IsNameChar(text_[end])) {
    if (text_[end] == '-' && end + 1 < text_.size() && text_[end + 1] == '>') break;
    ++end;
  }
  return text_.substr(begin, end - begin);
}

bool Cursor::TryChar(char c) {
  if (!SkipSpace() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool Cursor::TryText(absl::string_view text) {
  if (!PeekText(text)) return false;
  at_ += text.size();
  return true;
}

bool Cursor::TryWord(absl::string_view word) {
  if (Peek() == '%' || PeekName() != word) return false;
  at_ += word.size();
  return true;
}

bool Cursor::Expect(char c) { return ExpectText(absl::string_view(&c, 1)); }

bool Cursor::ExpectText(absl::string_view text) {
  if (TryText(text)) return true;
  if (AtEnd()) return Fail(absl::StrCat("expected '", text, "', found the end of the text"));
  return Fail(absl::StrCat(
      "expected '", text, "', found '",
      absl::CHexEscape(text_.substr(at_, std::max<size_t>(1, PeekName().size()))), "'"));
}

bool Cursor::Name(std::string* name, absl::string_view what) {
  absl::string_view found = PeekName();
  if (found.empty()) return Fail(absl::StrCat("expected ", what));
  name->assign(found.data(), found.size());
  at_ = static_cast<size_t>(found.data() - text_.data()) + found.size();
  return true;
}

bool Cursor::Int(int64_t* value) {
  SkipSpace();
  const char* begin = text_.data() + at_;
  const char* end = text_.data() + text_.size();
  auto [rest, error] = std::from_chars(begin, end, *value);
  if (error == std::errc::result_out_of_range) return Fail("integer does not fit 64 bits");
  if (error != std::errc()) return Fail("expected an integer");
  at_ += rest - begin;
  return true;
}

bool Cursor::String(std::string* value) {
  size_t begin = Offset();
  if (!Expect('"')) return false;
  size_t end = at_;
  while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
    end += text_[end] == '\\' ? 2 : 1;
  }
  if (end >= text_.size() || text_[end] != '"') return Fail(begin, "string is not closed");
  std::string why;
  if (!absl::CUnescape(text_.substr(at_, end - at_), value, &why)) {
    return Fail(begin, absl::StrCat("string: ", why));
  }
  at_ = end + 1;
  return true;
}

bool Cursor::Compact(absl::string_view* value, absl::string_view what) {
  size_t begin = Offset();
  size_t end = text_.find_first_of(" \t\r\n,){}", begin);
  if (end == absl::string_view::npos) end = text_.size();
  if (end == begin) return Fail(absl::StrCat("expected ", what));
  *value = text_.substr(begin, end - begin);
  at_ = end;
  return true;
}

bool Cursor::Balanced(char open, char close, absl::string_view* value) {
  size_t begin = Offset();
  if (Peek() != open) return Expect(open);
  int64_t depth = 0;
  bool quoted = false;
  for (size_t i = begin; i < text_.size(); ++i) {
    char c = text_[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == open) {
      ++depth;
    } else if (c == close && --depth == 0) {
      *value = text_.substr(begin, i + 1 - begin);
      at_ = i + 1;
      return true;
    }
  }
  return Fail(begin, absl::StrCat("'", absl::string_view(&open, 1), "' is not closed"));
}

bool Cursor::Braces(absl::string_view* value) { return Balanced('{', '}', value); }

bool Cursor::SkipValue() {
  absl::string_view ignored;
  std::string text;
  switch (Peek()) {
    case '{':
      return Balanced('{', '}', &ignored);
    case '(':
      return Balanced('(', ')', &ignored);
    case '[': {
      // Iota tile assignments: `[2,4]<=[8]T(1,0)`.
      if (!Balanced('[', ']', &ignored)) return false;
      if (TryText("<=") && !Balanced('[', ']', &ignored)) return false;
      return !TryChar('T') || Balanced('(', ')', &ignored);
    }
    case '"':
      return String(&text);
    default:
      return Compact(&ignored, "a value");
  }
}

absl::string_view Cursor::NumberText() {
  size_t begin = Offset();
  size_t end = begin;
  while (end < text_.size() && (IsNameChar(text_[end]) || text_[end] == '+')) ++end;
  if (end < text_.size() && text_[end] == '(' &&
      absl::EndsWithIgnoreCase(text_.substr(begin, end - begin), "nan")) {
    size_t close = text_.find_first_of(")\n", end);
    if (close != absl::string_view::npos && text_[close] == ')') end = close + 1;
  }
  at_ = end;
  return text_.substr(begin, end - begin);
}

}  // namespace halyard::hlo_text
