// Splits MLIR text into tokens. It has no state except a position, so the parser may rewind it.
#ifndef HALYARD_FRONTEND_MLIR_LEXER_H_
#define HALYARD_FRONTEND_MLIR_LEXER_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace halyard::mlir {

// Punctuation of one character is a token whose kind is that character.
enum class Tok : int {
  kEnd = 256,
  kError,
  kBareId,     // foo.bar
  kPercentId,  // %foo; the text lacks the sigil, also for the next four
  kCaretId,    // ^bb0
  kAtId,       // @foo, @"any thing" (text then keeps the quotes)
  kHashId,     // #foo
  kBangId,     // !foo
  kString,     // "…" with its quotes, escapes untouched
  kInteger,    // 12, 0x1F
  kFloat,      // 1.5, 1.e3, 1e3
  kArrow,      // ->
  kColons,     // ::
  kEllipsis,   // ...
  kMetaOpen,   // {-#
  kMetaClose,  // #-}
};

constexpr Tok Punct(char c) { return static_cast<Tok>(c); }

struct Token {
  Tok kind = Tok::kEnd;
  absl::string_view text;
  size_t offset = 0;  // of the first character, sigil included
  size_t end = 0;     // one past the last character
};

class Lexer {
 public:
  explicit Lexer(absl::string_view text) : text_(text) {}

  // At the end of the text, returns kEnd for ever. For a kError token, error() says what is wrong.
  Token Next();
  void Rewind(size_t offset) { at_ = offset; }
  const std::string& error() const { return error_; }

 private:
  void SkipBlanks();
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  Token Make(Tok kind, size_t begin, size_t text_begin);
  Token Error(size_t begin, std::string message);
  Token Number();
  Token String();
  Token Prefixed(Tok kind);

  absl::string_view text_;
  size_t at_ = 0;
  std::string error_;
};

// Decodes a kString token (\" \\ \n \t \HH). Returns false for a bad escape or a missing quote.
bool UnescapeString(absl::string_view quoted, std::string* out);

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_LEXER_H_
