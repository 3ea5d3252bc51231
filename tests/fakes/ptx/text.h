// Splits PTX text into its parts.
#ifndef HALYARD_TESTS_FAKES_PTX_TEXT_H_
#define HALYARD_TESTS_FAKES_PTX_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::testing::ptx {

inline uint64_t AlignUp(uint64_t value, uint64_t to) {
  return to <= 1 ? value : (value + to - 1) / to * to;
}
// Removes comments, but keeps their line breaks.
std::string WithoutComments(const std::string& text);
std::vector<std::string> Words(const std::string& text);
std::string Strip(const std::string& text);
// Splits at commas outside brackets.
std::vector<std::string> SplitList(const std::string& text, int line);

// A variable's declaration, such as ".align 4 .b8 name[12]", in parts.
struct Declaration {
  uint64_t align = 0;
  int element_bytes = 0;
  std::string name;
  uint64_t bytes = 0;
  bool open = false;  // name[]
};

Declaration ParseDeclaration(const std::vector<std::string>& words, int line);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_TEXT_H_
