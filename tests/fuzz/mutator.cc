#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace halyard {
namespace {

constexpr absl::string_view kAlphabet = "%#!@^\"{}[]()<>:,=-+?x0123456789abcefilo. \n";
constexpr absl::string_view kNumbers[] = {"0",
                                          "-1",
                                          "1",
                                          "2",
                                          "127",
                                          "2147483648",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "18446744073709551616",
                                          "1e309",
                                          "0x7FFFFFFFFFFFFFFF",
                                          "?",
                                          "1000000"};

size_t Below(std::mt19937_64& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

bool IsWord(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Returns the begin and end of a word around a random place, or an empty range if there is none.
std::pair<size_t, size_t> AnyWord(const std::string& text, std::mt19937_64& random, bool digits) {
  for (int tries = 0; tries < 40; ++tries) {
    size_t begin = Below(random, text.size()), end = begin;
    auto wanted = [&](char c) {
      return digits ? absl::ascii_isdigit(static_cast<unsigned char>(c)) : IsWord(c);
    };
    if (begin >= text.size() || !wanted(text[begin])) continue;
    while (begin > 0 && wanted(text[begin - 1])) --begin;
    while (end < text.size() && wanted(text[end])) ++end;
    return {begin, end};
  }
  return {0, 0};
}

}  // namespace

Mutator::Mutator(std::vector<std::string> sources, bool text)
    : sources_(std::move(sources)), text_(text) {}

std::string Mutator::Damaged(uint64_t seed) {
  Random random(seed * 0x9e3779b97f4a7c15 + 1);
  std::string bytes = sources_[Below(random, sources_.size())];
  // Half of the programs get a single piece of damage, because much damage is found at the first
  // words.
  const size_t count = Below(random, 2) == 0 ? 1 : 1 + Below(random, 6);
  for (size_t left = count; left > 0; --left) Damage(bytes, random);
  return bytes;
}

void Mutator::Damage(std::string& bytes, Random& random) const {
  using Kind = void (Mutator::*)(std::string&, Random&) const;
  static constexpr Kind kBytes[] = {&Mutator::FlipBits, &Mutator::FlipBits, &Mutator::SetBytes,
                                    &Mutator::SetBytes, &Mutator::Truncate, &Mutator::Remove,
                                    &Mutator::Repeat,   &Mutator::Splice};
  static constexpr Kind kText[] = {&Mutator::SetBytes,     &Mutator::SetBytes,  &Mutator::FlipBits,
                                   &Mutator::Remove,       &Mutator::Repeat,    &Mutator::Splice,
                                   &Mutator::ChangeNumber, &Mutator::SwapWords, &Mutator::SwapWords,
                                   &Mutator::ChangeNumber, &Mutator::Nest,      &Mutator::Truncate};
  const size_t kinds = text_ ? std::size(kText) : std::size(kBytes);
  const Kind kind = text_ ? kText[Below(random, kinds)] : kBytes[Below(random, kinds)];
  if (!bytes.empty()) (this->*kind)(bytes, random);
}

void Mutator::FlipBits(std::string& bytes, Random& random) const {
  for (size_t left = 1 + Below(random, 4); left > 0; --left) {
    bytes[Below(random, bytes.size())] ^= static_cast<char>(1 << Below(random, 8));
  }
}

void Mutator::SetBytes(std::string& bytes, Random& random) const {
  static constexpr unsigned char kExtremes[] = {0, 1, 0x7f, 0x80, 0xfe, 0xff};
  for (size_t left = 1 + Below(random, 3); left > 0; --left) {
    char& byte = bytes[Below(random, bytes.size())];
    if (text_) {
      byte = kAlphabet[Below(random, kAlphabet.size())];
    } else {
      byte = static_cast<char>(Below(random, 2) == 0 ? kExtremes[Below(random, 6)] : random());
    }
  }
}

void Mutator::Truncate(std::string& bytes, Random& random) const {
  bytes.resize(Below(random, bytes.size()));
}

void Mutator::Remove(std::string& bytes, Random& random) const {
  bytes.erase(Below(random, bytes.size()), 1 + Below(random, 24));
}

void Mutator::Repeat(std::string& bytes, Random& random) const {
  const std::string piece = bytes.substr(Below(random, bytes.size()), 1 + Below(random, 80));
  bytes.insert(Below(random, bytes.size()), piece);
}

void Mutator::Splice(std::string& bytes, Random& random) const {
  const std::string& other = sources_[Below(random, sources_.size())];
  if (other.empty()) return;
  const size_t length = 1 + Below(random, std::min<size_t>(other.size(), 400));
  const std::string piece = other.substr(Below(random, other.size()), length);
  const size_t at = Below(random, bytes.size());
  bytes.replace(at, Below(random, 2) == 0 ? 0 : piece.size(), piece);
}

void Mutator::ChangeNumber(std::string& bytes, Random& random) const {
  const auto [begin, end] = AnyWord(bytes, random, /*digits=*/true);
  if (begin == end) return;
  const absl::string_view number = kNumbers[Below(random, std::size(kNumbers))];
  bytes.replace(begin, end - begin, number.data(), number.size());
}

void Mutator::SwapWords(std::string& bytes, Random& random) const {
  const auto [begin, end] = AnyWord(bytes, random, /*digits=*/false);
  const auto [from, to] = AnyWord(bytes, random, /*digits=*/false);
  const std::string word = bytes.substr(from, to - from);
  if (begin < end) bytes.replace(begin, end - begin, word);
}

// Inserts brackets within brackets, thousands deep.
void Mutator::Nest(std::string& bytes, Random& random) const {
  static constexpr absl::string_view kOpen[] = {
      "[", "(", "{", "tuple<", "tensor<", "dense<", "loc(fused[", "array<", "({"};
  const absl::string_view open = kOpen[Below(random, std::size(kOpen))];
  std::string many;
  for (size_t left = 1 + Below(random, 5000); left > 0; --left)
    many.append(open.data(), open.size());
  bytes.insert(Below(random, bytes.size()), many);
}

}  // namespace halyard
