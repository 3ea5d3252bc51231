#include "frontend/mlir/lexer.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace halyard::mlir {
namespace {

bool IsIdStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsIdChar(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.'; }
bool IsSuffixPunct(char c) { return c == '_' || c == '$' || c == '.' || c == '-'; }

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c - 'A' + 10;
}

// Length of the token of punctuation that `text` starts with, and its kind; 0: none.
size_t Punctuation(absl::string_view text, Tok* kind) {
  constexpr std::pair<absl::string_view, Tok> kLong[] = {
      {"{-#", Tok::kMetaOpen}, {"#-}", Tok::kMetaClose}, {"->", Tok::kArrow},
      {"::", Tok::kColons},    {"...", Tok::kEllipsis},
  };
  for (const auto& [spelling, token] : kLong) {
    if (absl::StartsWith(text, spelling)) {
      *kind = token;
      return spelling.size();
    }
  }
  constexpr absl::string_view kSingle = "(){}[]<>,:=+-*?|/";
  if (!absl::StrContains(kSingle, text.substr(0, 1))) return 0;
  *kind = Punct(text[0]);
  return 1;
}

}  // namespace

void Lexer::SkipBlanks() {
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else if (c == '/' && Peek(1) == '/') {
      size_t newline = text_.find('\n', at_);
      at_ = newline == absl::string_view::npos ? text_.size() : newline + 1;
    } else {
      return;
    }
  }
}

Token Lexer::Make(Tok kind, size_t begin, size_t text_begin) {
  return {kind, text_.substr(text_begin, at_ - text_begin), begin, at_};
}

Token Lexer::Error(size_t begin, std::string message) {
  error_ = std::move(message);
  at_ = text_.size();  // nothing after an error is read
  return {Tok::kError, absl::string_view(), begin, at_};
}

Token Lexer::Number() {
  size_t begin = at_;
  if (Peek() == '0' && Peek(1) == 'x' && absl::ascii_isxdigit(Peek(2))) {
    at_ += 2;
    while (absl::ascii_isxdigit(Peek())) ++at_;
    return Make(Tok::kInteger, begin, begin);
  }
  Tok kind = Tok::kInteger;
  while (absl::ascii_isdigit(Peek())) ++at_;
  if (Peek() == '.' && Peek(1) != '.') {
    kind = Tok::kFloat;
    ++at_;
    while (absl::ascii_isdigit(Peek())) ++at_;
  }
  if (Peek() == 'e' || Peek() == 'E') {
    size_t sign = Peek(1) == '-' || Peek(1) == '+' ? 1 : 0;
    if (absl::ascii_isdigit(Peek(1 + sign))) {
      kind = Tok::kFloat;
      at_ += 1 + sign;
      while (absl::ascii_isdigit(Peek())) ++at_;
    }
  }
  return Make(kind, begin, begin);
}

Token Lexer::String() {
  size_t begin = at_++;
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == '"') {
      ++at_;
      return Make(Tok::kString, begin, begin);
    }
    if (c == '\n') break;
    at_ += c == '\\' ? 2 : 1;
  }
  return Error(begin, "string without a closing quote");
}

Token Lexer::Prefixed(Tok kind) {
  size_t begin = at_++;
  if (kind == Tok::kAtId && Peek() == '"') {
    Token quoted = String();
    quoted.offset = begin;
    if (quoted.kind == Tok::kString) quoted.kind = Tok::kAtId;
    return quoted;
  }
  char c = Peek();
  if (absl::ascii_isdigit(c)) {
    while (absl::ascii_isdigit(Peek())) ++at_;
  } else if (absl::ascii_isalpha(c) || IsSuffixPunct(c)) {
    while (absl::ascii_isalnum(Peek()) || IsSuffixPunct(Peek())) ++at_;
  } else {
    return Error(begin, absl::StrCat("expected a name after '", text_.substr(begin, 1), "'"));
  }
  return Make(kind, begin, begin + 1);
}

Token Lexer::Next() {
  SkipBlanks();
  size_t begin = at_;
  if (at_ >= text_.size()) return {Tok::kEnd, absl::string_view(), begin, begin};
  char c = text_[at_];
  if (IsIdStart(c)) {
    while (IsIdChar(Peek())) ++at_;
    return Make(Tok::kBareId, begin, begin);
  }
  if (absl::ascii_isdigit(c)) return Number();
  Tok kind = Tok::kEnd;
  if (size_t length = Punctuation(text_.substr(at_, 3), &kind)) {
    at_ += length;
    return Make(kind, begin, begin);
  }
  switch (c) {
    case '"':
      return String();
    case '%':
      return Prefixed(Tok::kPercentId);
    case '^':
      return Prefixed(Tok::kCaretId);
    case '@':
      return Prefixed(Tok::kAtId);
    case '!':
      return Prefixed(Tok::kBangId);
    case '#':
      return Prefixed(Tok::kHashId);
    default:
      break;
  }
  std::string shown =
      absl::ascii_isprint(c)
          ? std::string(1, c)
          : absl::StrCat("\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
  return Error(begin, absl::StrCat("unexpected character '", shown, "'"));
}

bool UnescapeString(absl::string_view quoted, std::string* out) {
  out->clear();
  if (quoted.size() < 2) return false;
  absl::string_view body = quoted.substr(1, quoted.size() - 2);
  if (body.find('\\') == absl::string_view::npos) {
    out->assign(body.data(), body.size());
    return true;
  }
  out->reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\') {
      out->push_back(body[i]);
      continue;
    }
    if (++i >= body.size()) return false;
    char c = body[i];
    if (c == '"' || c == '\\') {
      out->push_back(c);
    } else if (c == 'n') {
      out->push_back('\n');
    } else if (c == 't') {
      out->push_back('\t');
    } else if (i + 1 < body.size() && absl::ascii_isxdigit(c) &&
               absl::ascii_isxdigit(body[i + 1])) {
      out->push_back(static_cast<char>(HexValue(c) * 16 + HexValue(body[i + 1])));
      ++i;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace halyard::mlir
