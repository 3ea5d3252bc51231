#include "tests/fakes/ptx/text.h"

#include <algorithm>

#include "tests/fakes/ptx/parser.h"

namespace halyard::testing::ptx {

std::string WithoutComments(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
      out += '\n';
    } else if (text.compare(i, 2, "/*") == 0) {
      const size_t end = text.find("*/", i + 2);
      if (end == std::string::npos) throw ParseError(0, "a comment without end");
      out.append(std::count(text.begin() + i, text.begin() + end, '\n'), '\n');
      i = end + 1;
    } else {
      out += text[i];
    }
  }
  return out;
}

Declaration ParseDeclaration(const std::vector<std::string>& words, int line) {
  Declaration result;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == ".align" && i + 1 < words.size()) {
      result.align = ParseInteger(words[++i], line);
    } else if (word[0] == '.') {
      const std::optional<Type> type = ParseType(word.substr(1));
      if (!type) throw ParseError(line, "unknown " + word + " in a declaration");
      result.element_bytes = std::max(1, type->bits / 8);
    } else if (result.name.empty()) {
      const size_t bracket = word.find('[');
      result.name = word.substr(0, bracket);
      uint64_t count = 1;
      if (bracket != std::string::npos) {
        if (word.back() != ']') throw ParseError(line, "unknown declaration " + word);
        const std::string inner = word.substr(bracket + 1, word.size() - bracket - 2);
        result.open = inner.empty();
        count = inner.empty() ? 0 : ParseInteger(inner, line);
      }
      result.bytes = count;
    } else {
      throw ParseError(line, "unknown declaration near " + word);
    }
  }
  if (result.name.empty() || result.element_bytes == 0) {
    throw ParseError(line, "a declaration without type or name");
  }
  if (result.bytes > (uint64_t{1} << 30)) throw ParseError(line, result.name + " is too large");
  result.bytes *= static_cast<uint64_t>(result.element_bytes);
  result.align = std::max<uint64_t>(result.align, static_cast<uint64_t>(result.element_bytes));
  if (result.align > 4096) throw ParseError(line, "unknown alignment");
  return result;
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text + " ") {
    if (!std::isspace(static_cast<unsigned char>(c))) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

std::string Strip(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::vector<std::string> SplitList(const std::string& text, int line) {
  std::vector<std::string> out;
  int depth = 0;
  std::string part;
  for (char c : text) {
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      out.push_back(Strip(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (depth != 0) throw ParseError(line, "unbalanced brackets: " + text);
  if (!Strip(part).empty()) out.push_back(Strip(part));
  for (const std::string& p : out) {
    if (p.empty()) throw ParseError(line, "an empty operand: " + text);
  }
  return out;
}

}  // namespace halyard::testing::ptx
