// Tests the catalogue of a bundle, by itself.
#include "runtime/program/bundle/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "runtime/program/bundle/bundle_format.h"
#include "runtime/program/bundle/catalogue_spec.h"

namespace halyard {
namespace {

using runtime::Catalogue;
using runtime::Status;
using ::testing::ElementsAre;

CatalogueSpec Sample() {
  CatalogueSpec spec;
  CatalogueSpec::Entry entry;
  entry.name = "run";
  entry.variables = {{"batch", 1, {1, 4, 6}, false}, {"length", 2, {2, 9}, true}};
  std::vector<int64_t> halves, products;
  for (const int64_t batch : entry.variables[0].Values()) {
    for (const int64_t length : entry.variables[1].Values()) {
      halves.push_back((batch + 1) / 2);
      products.push_back(batch * 2 + length * 3 + 1);
    }
  }
  entry.arguments = {{SizeFrom(entry, products), SizeFrom(entry, std::vector<int64_t>(12, 5))}};
  entry.results = {{SizeFrom(entry, halves)}};
  spec.entries = {entry, {"other", {}, {}, {}}};
  return spec;
}

// Returns the catalogue's bytes, taken out of a bundle without parts.
std::vector<uint64_t> Written(const CatalogueSpec& spec) {
  const std::string bundle = WriteBundle({}, spec);
  runtime::bundle_format::Header header;
  memcpy(&header, bundle.data(), sizeof(header));
  std::vector<uint64_t> words(header.catalogue.bytes / 8);
  memcpy(words.data(), bundle.data() + header.catalogue.offset, header.catalogue.bytes);
  return words;
}

Status Read(const std::vector<uint64_t>& words, Catalogue* catalogue) {
  return catalogue->Read({reinterpret_cast<const uint8_t*>(words.data()), words.size() * 8});
}

TEST(Catalogue, SizesAreLinearOrTables) {
  const CatalogueSpec::Entry entry = Sample().entries[0];
  EXPECT_THAT(entry.arguments[0][0].linear, ElementsAre(1, 2, 3));
  EXPECT_THAT(entry.arguments[0][1].linear, ElementsAre(5, 0, 0));
  EXPECT_TRUE(entry.results[0][0].linear.empty());
  EXPECT_EQ(entry.results[0][0].table.size(), 12u);
}

TEST(Catalogue, FindsThePartAndTheSizes) {
  const std::vector<uint64_t> words = Written(Sample());
  Catalogue catalogue;
  ASSERT_TRUE(Read(words, &catalogue).ok());
  EXPECT_EQ(catalogue.parts_of_target(), 7u);
  const Catalogue::Entry& entry = catalogue.entry(0);
  EXPECT_STREQ(catalogue.name(entry.name), "run");
  for (int64_t batch = 1; batch <= 6; ++batch) {
    for (const int64_t length : {2, 9}) {
      const int64_t sizes[] = {batch, length};
      uint64_t part = 0;
      ASSERT_TRUE(catalogue.FindPart(entry, sizes, &part).ok());
      EXPECT_EQ(part, (batch == 1 ? 0u : batch <= 4 ? 2u : 4u) + (length == 9 ? 1u : 0u));
      int64_t largest[2], dims[2];
      catalogue.PartSizes(entry, part, largest);
      EXPECT_GE(largest[0], batch);
      EXPECT_EQ(largest[1], length);
      catalogue.Dims(entry, 0, sizes, dims);
      EXPECT_THAT(dims, ElementsAre(batch * 2 + length * 3 + 1, 5));
      catalogue.Dims(entry, 1, sizes, dims);
      EXPECT_EQ(dims[0], (batch + 1) / 2);
    }
  }
  const int64_t small[] = {0, 2}, large[] = {7, 2}, unlisted[] = {3, 3};
  uint64_t part = 0;
  EXPECT_STREQ(catalogue.FindPart(entry, small, &part).message(), "batch is 0; it is in 1..6");
  EXPECT_STREQ(catalogue.FindPart(entry, large, &part).message(), "batch is 7; it is in 1..6");
  EXPECT_STREQ(catalogue.FindPart(entry, unlisted, &part).message(),
               "length is 3; it is one of 2, 9");
}

// No checksum guards a catalogue here: whatever is read must not lie outside.
TEST(Catalogue, ChangedNumbersAreErrorsOrHarmless) {
  const std::vector<uint64_t> words = Written(Sample());
  std::mt19937_64 random(3);
  int errors = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint64_t> changed = words;
    uint64_t& word = changed[random() % changed.size()];
    switch (random() % 4) {
      case 0:
        word = random();
        break;
      case 1:
        word += random() % 16 - 8;
        break;
      case 2:
        word = random() % 64;
        break;
      default:
        changed.resize(random() % changed.size());
    }
    Catalogue catalogue;
    if (!Read(changed, &catalogue).ok()) {
      ++errors;
      continue;
    }
    for (uint32_t e = 0; e < catalogue.num_entries(); ++e) {
      const Catalogue::Entry& entry = catalogue.entry(e);
      std::vector<int64_t> sizes(entry.num_variables, 2), dims(64);
      uint64_t part = 0;
      if (!catalogue.FindPart(entry, sizes.data(), &part).ok()) continue;
      EXPECT_LT(part, catalogue.num_parts(entry));
      for (uint64_t a = 0; a < entry.num_arguments + entry.num_results; ++a)
        catalogue.Dims(entry, a, sizes.data(), dims.data());
    }
  }
  EXPECT_GT(errors, 5000);
}

}  // namespace
}  // namespace halyard
