// Damages bundles (runtime/program/bundle_format.h) by what their bytes mean: counts, offsets,
// sizes, kinds of steps, names of targets. Checksums are right for what is there, so that it is the
// checks behind them that are tested. Kernel objects stay as they are, because nobody can check
// what machine code does.
#ifndef HALYARD_TESTS_FUZZ_BUNDLE_MUTATOR_H_
#define HALYARD_TESTS_FUZZ_BUNDLE_MUTATOR_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "runtime/program/program_format.h"

namespace halyard {

// A bundle in its pieces.
struct BundlePieces {
  std::vector<std::string> heads;                              // Program files up to constants
  std::vector<runtime::program_format::ConstantRecord> table;  // offsets count from `constants`
  std::string constants;
  std::string catalogue;  // catalogue_format.h, or ""

  // The bundle must be correct.
  explicit BundlePieces(const std::string& bundle);
  // Makes a bundle of the pieces, whatever they contain, with right checksums.
  std::string Join() const;
};

class BundleMutator {
 public:
  // The bundles must be correct.
  explicit BundleMutator(const std::vector<std::string>& bundles);

  // Returns one of the bundles with one to six pieces of damage. One of 16 has wrong checksums. One
  // of 8 is the first program of a bundle, as a Program file.
  std::string Damaged(uint64_t seed) const;

 private:
  const std::vector<BundlePieces> bundles_;
};

// Splits a bundle or Program file into what precedes its constants and a weights file
// (weights_file.h) whose identity suits the constants that the first part names. If it has no
// constants, `weights` has none.
void SplitWeights(const std::string& bytes, std::string* head, std::string* weights);

// Damages the head of a Program file, but for checksums and kernel objects.
void DamageProgramHead(std::string* head, std::mt19937_64& random);

// Damages the catalogue of a bundle, which is correct or has been damaged before.
void DamageCatalogue(std::string* catalogue, std::mt19937_64& random);

// Corrects the checksum of a Program file or of its head.
void MendProgramHead(std::string* head);

}  // namespace halyard

#endif  // HALYARD_TESTS_FUZZ_BUNDLE_MUTATOR_H_
