// Damages programs. The same seed gives the same bytes on every machine.
#ifndef HALYARD_TESTS_FUZZ_MUTATOR_H_
#define HALYARD_TESTS_FUZZ_MUTATOR_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace halyard {

class Mutator {
 public:
  // `sources` are damaged, and pieces of them are put into others. If `text`, damage changes words
  // and numbers, too, else only bytes.
  Mutator(std::vector<std::string> sources, bool text);

  // Returns one source with one to six pieces of damage.
  std::string Damaged(uint64_t seed);

 private:
  using Random = std::mt19937_64;
  void Damage(std::string& bytes, Random& random) const;
  void FlipBits(std::string& bytes, Random& random) const;
  void SetBytes(std::string& bytes, Random& random) const;
  void Truncate(std::string& bytes, Random& random) const;
  void Remove(std::string& bytes, Random& random) const;
  void Repeat(std::string& bytes, Random& random) const;
  void Splice(std::string& bytes, Random& random) const;
  void ChangeNumber(std::string& bytes, Random& random) const;
  void SwapWords(std::string& bytes, Random& random) const;
  void Nest(std::string& bytes, Random& random) const;

  const std::vector<std::string> sources_;
  const bool text_;
};

}  // namespace halyard

#endif  // HALYARD_TESTS_FUZZ_MUTATOR_H_
