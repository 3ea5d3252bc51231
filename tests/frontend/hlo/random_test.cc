// rng-bit-generator, rng, batch normalization, and sizes of dimensions.
#include "frontend/hlo/values/random.h"

#include <algorithm>
#include <cmath>

#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

AttrMap Algorithm(const char* name) { return Attrs({{Attr::kAlgorithm, std::string(name)}}); }

Literal U64(std::vector<int64_t> dims, std::vector<uint64_t> values) {
  Literal literal(Shape::Array(ElementType::kU64, std::move(dims)));
  for (size_t i = 0; i < values.size(); ++i) literal.SetInt(i, static_cast<int64_t>(values[i]));
  return literal;
}

Literal Generate(const char* algorithm, const Literal& state, const Shape& bits) {
  return Eval(Opcode::kRngBitGenerator, {state}, Algorithm(algorithm),
              Shape::Tuple({state.shape(), bits}));
}

TEST(RngBitGeneratorTest, Example) {
  Literal result = Generate("THREE_FRY", U64({2}, {1, 2}), Shape::Array(ElementType::kU64, {2, 2}));
  EXPECT_EQ(result.elements()[0].ToString(), "{1, 6}");
  EXPECT_EQ(result.elements()[1].ToString(),
            "{ {9236835810183407956, 16087790271692313299}, "
            "{18212823393184779219, 2658481902456610144} }");
}

// Results of XLA's CPU compiler for a state of 0x0123456789abcdef and 2^64 - 2 (ThreeFry:
// 0xfedcba9876543210) and, as a third word, 41: by how much the second word grows, and the FNV-1a
// hash of the output's bytes.
struct XlaRow {
  const char* algorithm;
  ElementType type;
  std::vector<int64_t> dims;
  int words;
  uint64_t grows;
  uint64_t hash;
};

const XlaRow kXlaRows[] = {
    // clang-format off
    {"rng_three_fry", ElementType::kU8, {5}, 2, 3, 0x355abc32d984bde5u},
    {"rng_three_fry", ElementType::kU8, {5, 4, 3}, 2, 30, 0xc1a207c4e23c196fu},
    {"rng_three_fry", ElementType::kU8, {7, 9}, 2, 35, 0xdcf8f4de3302ba79u},
    {"rng_three_fry", ElementType::kS16, {5}, 2, 3, 0x89ecb28a60a9456eu},
    {"rng_three_fry", ElementType::kS16, {5, 4, 3}, 2, 30, 0xfb094b3c62865c7fu},
    {"rng_three_fry", ElementType::kS16, {7, 9}, 2, 35, 0xedd3baebfff63a28u},
    {"rng_three_fry", ElementType::kU32, {}, 2, 1, 0xf6a4df365ea3e2f5u},
    {"rng_three_fry", ElementType::kU32, {1}, 2, 1, 0xf6a4df365ea3e2f5u},
    {"rng_three_fry", ElementType::kU32, {5}, 2, 3, 0xbc4c35cb957cd484u},
    {"rng_three_fry", ElementType::kU32, {6}, 2, 3, 0x65ee346b09cf36c1u},
    {"rng_three_fry", ElementType::kU32, {3, 5}, 2, 9, 0x366668b5bd2cda19u},
    {"rng_three_fry", ElementType::kU32, {2, 3}, 2, 3, 0x6925c67b10d9b2cdu},
    {"rng_three_fry", ElementType::kU32, {5, 4, 3}, 2, 30, 0xb7e6f213c496bf1cu},
    {"rng_three_fry", ElementType::kU32, {3, 1, 7}, 2, 12, 0xec84e48a62c56e77u},
    {"rng_three_fry", ElementType::kU32, {1, 1}, 2, 1, 0xf6a4df365ea3e2f5u},
    {"rng_three_fry", ElementType::kU32, {0, 3}, 2, 0, 0xcbf29ce484222325u},
    {"rng_three_fry", ElementType::kU32, {7, 9}, 2, 35, 0x2a27fb8a5fdd604fu},
    {"rng_three_fry", ElementType::kU32, {129}, 2, 65, 0xf4d02462990ff415u},
    {"rng_three_fry", ElementType::kS32, {5}, 2, 3, 0xbc4c35cb957cd484u},
    {"rng_three_fry", ElementType::kS32, {5, 4, 3}, 2, 30, 0xb7e6f213c496bf1cu},
    {"rng_three_fry", ElementType::kS32, {7, 9}, 2, 35, 0x2a27fb8a5fdd604fu},
    {"rng_three_fry", ElementType::kU64, {}, 2, 1, 0x3efcc29413e037ccu},
    {"rng_three_fry", ElementType::kU64, {1}, 2, 1, 0x3efcc29413e037ccu},
    {"rng_three_fry", ElementType::kU64, {5}, 2, 5, 0x1fda249f6b7a0299u},
    {"rng_three_fry", ElementType::kU64, {6}, 2, 6, 0x04e1fdf06721e243u},
    {"rng_three_fry", ElementType::kU64, {3, 5}, 2, 15, 0x6ac02bab1e11f513u},
    {"rng_three_fry", ElementType::kU64, {2, 3}, 2, 6, 0x04e1fdf06721e243u},
    {"rng_three_fry", ElementType::kU64, {5, 4, 3}, 2, 60, 0xbc2244fc1a6235d0u},
    {"rng_three_fry", ElementType::kU64, {3, 1, 7}, 2, 21, 0x16e85db2f798b42eu},
    {"rng_three_fry", ElementType::kU64, {1, 1}, 2, 1, 0x3efcc29413e037ccu},
    {"rng_three_fry", ElementType::kU64, {0, 3}, 2, 0, 0xcbf29ce484222325u},
    {"rng_three_fry", ElementType::kU64, {7, 9}, 2, 63, 0xa6c4c65d6ec06018u},
    {"rng_three_fry", ElementType::kU64, {129}, 2, 129, 0xdd8aedef2bd0235bu},
    {"rng_three_fry", ElementType::kS64, {5}, 2, 5, 0x1fda249f6b7a0299u},
    {"rng_three_fry", ElementType::kS64, {5, 4, 3}, 2, 60, 0xbc2244fc1a6235d0u},
    {"rng_three_fry", ElementType::kS64, {7, 9}, 2, 63, 0xa6c4c65d6ec06018u},
    {"rng_three_fry", ElementType::kS8, {5}, 2, 3, 0x355abc32d984bde5u},
    {"rng_three_fry", ElementType::kS8, {5, 4, 3}, 2, 30, 0xc1a207c4e23c196fu},
    {"rng_three_fry", ElementType::kS8, {7, 9}, 2, 35, 0xdcf8f4de3302ba79u},
    {"rng_three_fry", ElementType::kF16, {5}, 2, 3, 0x89ecb28a60a9456eu},
    {"rng_three_fry", ElementType::kF16, {5, 4, 3}, 2, 30, 0xfb094b3c62865c7fu},
    {"rng_three_fry", ElementType::kF16, {7, 9}, 2, 35, 0xedd3baebfff63a28u},
    {"rng_three_fry", ElementType::kF32, {5}, 2, 3, 0xbc4c35cb957cd484u},
    {"rng_three_fry", ElementType::kF32, {5, 4, 3}, 2, 30, 0xb7e6f213c496bf1cu},
    {"rng_three_fry", ElementType::kF32, {7, 9}, 2, 35, 0x2a27fb8a5fdd604fu},
    {"rng_three_fry", ElementType::kU4, {5}, 2, 3, 0xd55263b5f7a1d425u},
    {"rng_three_fry", ElementType::kU4, {5, 4, 3}, 2, 30, 0x88ccef46ba0cd27fu},
    {"rng_three_fry", ElementType::kU4, {7, 9}, 2, 35, 0xe2e3013f217b5489u},
    {"rng_three_fry", ElementType::kBF16, {5}, 2, 3, 0x89ecb28a60a9456eu},
    {"rng_three_fry", ElementType::kBF16, {5, 4, 3}, 2, 30, 0xfb094b3c62865c7fu},
    {"rng_three_fry", ElementType::kBF16, {7, 9}, 2, 35, 0xedd3baebfff63a28u},
    {"rng_three_fry", ElementType::kF64, {5}, 2, 5, 0x1fda249f6b7a0299u},
    {"rng_three_fry", ElementType::kF64, {5, 4, 3}, 2, 60, 0xbc2244fc1a6235d0u},
    {"rng_three_fry", ElementType::kF64, {7, 9}, 2, 63, 0xa6c4c65d6ec06018u},
    {"rng_philox", ElementType::kU8, {5}, 2, 2, 0x5aee12243cd80e72u},
    {"rng_philox", ElementType::kU8, {5}, 3, 2, 0x8aba1762e1efcb7bu},
    {"rng_philox", ElementType::kU8, {5, 4, 3}, 2, 15, 0xa391279f9469757au},
    {"rng_philox", ElementType::kU8, {7, 9}, 2, 16, 0x42029bd782452d96u},
    {"rng_philox", ElementType::kU8, {7, 9}, 3, 16, 0xf6c0efbde7fd8121u},
    {"rng_philox", ElementType::kS16, {5}, 2, 2, 0x6ef867e6ddfdccbau},
    {"rng_philox", ElementType::kS16, {5}, 3, 2, 0x487e9cc3a6a62f3cu},
    {"rng_philox", ElementType::kS16, {5, 4, 3}, 2, 15, 0x51b0764cd755c820u},
    {"rng_philox", ElementType::kS16, {7, 9}, 2, 16, 0x7f07e94d7c53a91bu},
    {"rng_philox", ElementType::kS16, {7, 9}, 3, 16, 0xd85e089a3f34016du},
    {"rng_philox", ElementType::kU32, {}, 2, 1, 0x22bfa60dd3994710u},
    {"rng_philox", ElementType::kU32, {1}, 2, 1, 0x22bfa60dd3994710u},
    {"rng_philox", ElementType::kU32, {5}, 2, 2, 0x86612aee5017ee37u},
    {"rng_philox", ElementType::kU32, {5}, 3, 2, 0x6c569764ad8c9344u},
    {"rng_philox", ElementType::kU32, {6}, 2, 2, 0xeef898b7f7b3eaabu},
    {"rng_philox", ElementType::kU32, {3, 5}, 2, 4, 0x23e23f5432951560u},
    {"rng_philox", ElementType::kU32, {2, 3}, 2, 2, 0xeef898b7f7b3eaabu},
    {"rng_philox", ElementType::kU32, {5, 4, 3}, 2, 15, 0x7b38a31c270dd4dbu},
    {"rng_philox", ElementType::kU32, {3, 1, 7}, 2, 6, 0x79a682c3074b50feu},
    {"rng_philox", ElementType::kU32, {1, 1}, 2, 1, 0x22bfa60dd3994710u},
    {"rng_philox", ElementType::kU32, {0, 3}, 2, 0, 0xcbf29ce484222325u},
    {"rng_philox", ElementType::kU32, {7, 9}, 2, 16, 0x9f444d8a5fcab1c9u},
    {"rng_philox", ElementType::kU32, {7, 9}, 3, 16, 0x0e2ebb82a7e1307cu},
    {"rng_philox", ElementType::kU32, {129}, 2, 33, 0x2e740ac0330e290cu},
    {"rng_philox", ElementType::kS32, {5}, 2, 2, 0x86612aee5017ee37u},
    {"rng_philox", ElementType::kS32, {5}, 3, 2, 0x6c569764ad8c9344u},
    {"rng_philox", ElementType::kS32, {5, 4, 3}, 2, 15, 0x7b38a31c270dd4dbu},
    {"rng_philox", ElementType::kS32, {7, 9}, 2, 16, 0x9f444d8a5fcab1c9u},
    {"rng_philox", ElementType::kS32, {7, 9}, 3, 16, 0x0e2ebb82a7e1307cu},
    {"rng_philox", ElementType::kU64, {}, 2, 1, 0x04a9778797913eb0u},
    {"rng_philox", ElementType::kU64, {1}, 2, 1, 0x04a9778797913eb0u},
    {"rng_philox", ElementType::kU64, {5}, 2, 3, 0x7fc48bd5d903a23bu},
    {"rng_philox", ElementType::kU64, {5}, 3, 3, 0xfdad8c72391661ecu},
    {"rng_philox", ElementType::kU64, {6}, 2, 3, 0x12ff7c35376ca5deu},
    {"rng_philox", ElementType::kU64, {3, 5}, 2, 8, 0xa73bf4853d668affu},
    {"rng_philox", ElementType::kU64, {2, 3}, 2, 3, 0x12ff7c35376ca5deu},
    {"rng_philox", ElementType::kU64, {5, 4, 3}, 2, 30, 0x7b86a5845f4bdadau},
    {"rng_philox", ElementType::kU64, {3, 1, 7}, 2, 11, 0xeedf60d2d694fbbfu},
    {"rng_philox", ElementType::kU64, {1, 1}, 2, 1, 0x04a9778797913eb0u},
    {"rng_philox", ElementType::kU64, {0, 3}, 2, 0, 0xcbf29ce484222325u},
    {"rng_philox", ElementType::kU64, {7, 9}, 2, 32, 0xf03b34f690645ae8u},
    {"rng_philox", ElementType::kU64, {7, 9}, 3, 32, 0xdb16805ac783cca1u},
    {"rng_philox", ElementType::kU64, {129}, 2, 65, 0x0bec72218b28b2a6u},
    {"rng_philox", ElementType::kS64, {5}, 2, 3, 0x7fc48bd5d903a23bu},
    {"rng_philox", ElementType::kS64, {5}, 3, 3, 0xfdad8c72391661ecu},
    {"rng_philox", ElementType::kS64, {5, 4, 3}, 2, 30, 0x7b86a5845f4bdadau},
    {"rng_philox", ElementType::kS64, {7, 9}, 2, 32, 0xf03b34f690645ae8u},
    {"rng_philox", ElementType::kS64, {7, 9}, 3, 32, 0xdb16805ac783cca1u},
    {"rng_philox", ElementType::kS8, {5}, 2, 2, 0x5aee12243cd80e72u},
    {"rng_philox", ElementType::kS8, {5}, 3, 2, 0x8aba1762e1efcb7bu},
    {"rng_philox", ElementType::kS8, {5, 4, 3}, 2, 15, 0xa391279f9469757au},
    {"rng_philox", ElementType::kS8, {7, 9}, 2, 16, 0x42029bd782452d96u},
    {"rng_philox", ElementType::kS8, {7, 9}, 3, 16, 0xf6c0efbde7fd8121u},
    {"rng_philox", ElementType::kF16, {5}, 2, 2, 0x6ef867e6ddfdccbau},
    {"rng_philox", ElementType::kF16, {5}, 3, 2, 0x487e9cc3a6a62f3cu},
    {"rng_philox", ElementType::kF16, {5, 4, 3}, 2, 15, 0x51b0764cd755c820u},
    {"rng_philox", ElementType::kF16, {7, 9}, 2, 16, 0x7f07e94d7c53a91bu},
    {"rng_philox", ElementType::kF16, {7, 9}, 3, 16, 0xd85e089a3f34016du},
    {"rng_philox", ElementType::kF32, {5}, 2, 2, 0x86612aee5017ee37u},
    {"rng_philox", ElementType::kF32, {5}, 3, 2, 0x6c569764ad8c9344u},
    {"rng_philox", ElementType::kF32, {5, 4, 3}, 2, 15, 0x7b38a31c270dd4dbu},
    {"rng_philox", ElementType::kF32, {7, 9}, 2, 16, 0x9f444d8a5fcab1c9u},
    {"rng_philox", ElementType::kF32, {7, 9}, 3, 16, 0x0e2ebb82a7e1307cu},
    {"rng_philox", ElementType::kU4, {5}, 2, 2, 0x78befa3f97b559e2u},
    {"rng_philox", ElementType::kU4, {5}, 3, 2, 0x2821f5d81017bf7bu},
    {"rng_philox", ElementType::kU4, {5, 4, 3}, 2, 15, 0xcfd1d4c05978da0au},
    {"rng_philox", ElementType::kU4, {7, 9}, 2, 16, 0x009742b666e7d4a6u},
    {"rng_philox", ElementType::kU4, {7, 9}, 3, 16, 0xfc5c366ec20e7761u},
    {"rng_philox", ElementType::kBF16, {5}, 2, 2, 0x6ef867e6ddfdccbau},
    {"rng_philox", ElementType::kBF16, {5}, 3, 2, 0x487e9cc3a6a62f3cu},
    {"rng_philox", ElementType::kBF16, {5, 4, 3}, 2, 15, 0x51b0764cd755c820u},
    {"rng_philox", ElementType::kBF16, {7, 9}, 2, 16, 0x7f07e94d7c53a91bu},
    {"rng_philox", ElementType::kBF16, {7, 9}, 3, 16, 0xd85e089a3f34016du},
    {"rng_philox", ElementType::kF64, {5}, 2, 3, 0x7fc48bd5d903a23bu},
    {"rng_philox", ElementType::kF64, {5}, 3, 3, 0xfdad8c72391661ecu},
    {"rng_philox", ElementType::kF64, {5, 4, 3}, 2, 30, 0x7b86a5845f4bdadau},
    {"rng_philox", ElementType::kF64, {7, 9}, 2, 32, 0xf03b34f690645ae8u},
    {"rng_philox", ElementType::kF64, {7, 9}, 3, 32, 0xdb16805ac783cca1u},
    {"rng_default", ElementType::kU8, {7, 9}, 2, 16, 0x42029bd782452d96u},
    {"rng_default", ElementType::kU8, {7, 9}, 3, 16, 0xf6c0efbde7fd8121u},
    {"rng_default", ElementType::kS16, {7, 9}, 2, 16, 0x7f07e94d7c53a91bu},
    {"rng_default", ElementType::kS16, {7, 9}, 3, 16, 0xd85e089a3f34016du},
    {"rng_default", ElementType::kU32, {7, 9}, 2, 16, 0x9f444d8a5fcab1c9u},
    {"rng_default", ElementType::kU32, {7, 9}, 3, 16, 0x0e2ebb82a7e1307cu},
    {"rng_default", ElementType::kS32, {7, 9}, 2, 16, 0x9f444d8a5fcab1c9u},
    {"rng_default", ElementType::kS32, {7, 9}, 3, 16, 0x0e2ebb82a7e1307cu},
    {"rng_default", ElementType::kU64, {7, 9}, 2, 32, 0xf03b34f690645ae8u},
    {"rng_default", ElementType::kU64, {7, 9}, 3, 32, 0xdb16805ac783cca1u},
    {"rng_default", ElementType::kS64, {7, 9}, 2, 32, 0xf03b34f690645ae8u},
    {"rng_default", ElementType::kS64, {7, 9}, 3, 32, 0xdb16805ac783cca1u},
    {"rng_default", ElementType::kS8, {7, 9}, 2, 16, 0x42029bd782452d96u},
    {"rng_default", ElementType::kS8, {7, 9}, 3, 16, 0xf6c0efbde7fd8121u},
    {"rng_default", ElementType::kF16, {7, 9}, 2, 16, 0x7f07e94d7c53a91bu},
    {"rng_default", ElementType::kF16, {7, 9}, 3, 16, 0xd85e089a3f34016du},
    {"rng_default", ElementType::kF32, {7, 9}, 2, 16, 0x9f444d8a5fcab1c9u},
    {"rng_default", ElementType::kF32, {7, 9}, 3, 16, 0x0e2ebb82a7e1307cu},
    {"rng_default", ElementType::kU4, {7, 9}, 2, 16, 0x009742b666e7d4a6u},
    {"rng_default", ElementType::kU4, {7, 9}, 3, 16, 0xfc5c366ec20e7761u},
    {"rng_default", ElementType::kBF16, {7, 9}, 2, 16, 0x7f07e94d7c53a91bu},
    {"rng_default", ElementType::kBF16, {7, 9}, 3, 16, 0xd85e089a3f34016du},
    {"rng_default", ElementType::kF64, {7, 9}, 2, 32, 0xf03b34f690645ae8u},
    {"rng_default", ElementType::kF64, {7, 9}, 3, 32, 0xdb16805ac783cca1u},
    // clang-format on
};

TEST(RngBitGeneratorTest, EqualsXla) {
  for (const XlaRow& row : kXlaRows) {
    const bool three_fry = std::string(row.algorithm) == "rng_three_fry";
    std::vector<uint64_t> words = {0x0123456789abcdefu, ~uint64_t{1}, 41};
    if (three_fry) words[1] = 0xfedcba9876543210u;
    words.resize(row.words);
    Literal result =
        Generate(row.algorithm, U64({row.words}, words), Shape::Array(row.type, row.dims));
    uint64_t hash = 14695981039346656037u;
    for (std::byte byte : result.elements()[1].bytes()) {
      hash = (hash ^ static_cast<uint64_t>(byte)) * 1099511628211u;
    }
    const std::string what = std::string(row.algorithm) + " " +
                             Shape::Array(row.type, row.dims).ToString() + ", " +
                             std::to_string(row.words) + " words";
    EXPECT_EQ(hash, row.hash) << what;
    const Literal& state = result.elements()[0];
    EXPECT_EQ(state.GetUint(0), words[0]) << what;
    EXPECT_EQ(state.GetUint(1), words[1] + row.grows) << what;
    if (row.words == 3) {
      EXPECT_EQ(state.GetUint(2), 41u + (words[1] + row.grows < words[1])) << what;
    }
  }
}

Literal Numbers(const char* distribution, const Literal& a, const Literal& b,
                std::vector<int64_t> dims) {
  return Eval(Opcode::kRng, {a, b}, Attrs({{Attr::kDistribution, std::string(distribution)}}),
              Shape::Array(a.shape().element_type(), std::move(dims)));
}

struct Moments {
  double mean = 0, variance = 0, distance = 0;  // distance: the Kolmogorov-Smirnov statistic
};

template <typename Distribution>
Moments MomentsOf(const Literal& numbers, Distribution distribution) {
  std::vector<double> values;
  for (int64_t i = 0; i < numbers.shape().NumElements(); ++i) {
    values.push_back(numbers.GetAsDouble(i));
  }
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  Moments moments;
  for (double value : values) moments.mean += value / n;
  for (size_t i = 0; i < values.size(); ++i) {
    moments.variance += (values[i] - moments.mean) * (values[i] - moments.mean) / n;
    const double at = distribution(values[i]);
    moments.distance =
        std::max({moments.distance, std::abs(at - i / n), std::abs(at - (i + 1) / n)});
  }
  return moments;
}

constexpr int kMany = 200000;

// The distance exceeds this in one of a thousand runs.
const double kFar = 1.95 / std::sqrt(kMany);

TEST(RngTest, UniformFloats) {
  for (ElementType type : {ElementType::kF32, ElementType::kF64}) {
    Literal numbers = Numbers("UNIFORM", Array(type, {}, {-1}), Array(type, {}, {3}), {kMany});
    Moments moments = MomentsOf(numbers, [](double x) { return (x + 1) / 4; });
    EXPECT_NEAR(moments.mean, 1, 0.01);
    EXPECT_NEAR(moments.variance, 16.0 / 12, 0.02);
    EXPECT_LT(moments.distance, kFar);
  }
}

TEST(RngTest, NormalFloats) {
  for (ElementType type : {ElementType::kF32, ElementType::kF64}) {
    Literal numbers = Numbers("NORMAL", Array(type, {}, {2}), Array(type, {}, {0.5}), {kMany});
    Moments moments =
        MomentsOf(numbers, [](double x) { return std::erfc(-(x - 2) / 0.5 / M_SQRT2) / 2; });
    EXPECT_NEAR(moments.mean, 2, 0.005);
    EXPECT_NEAR(moments.variance, 0.25, 0.005);
    EXPECT_LT(moments.distance, kFar);
  }
  Moments narrow = MomentsOf(Numbers("NORMAL", Array(ElementType::kBF16, {}, {0}),
                                     Array(ElementType::kBF16, {}, {1}), {kMany}),
                             [](double) { return 0; });
  EXPECT_NEAR(narrow.mean, 0, 0.01);
  EXPECT_NEAR(narrow.variance, 1, 0.02);
}

// For all types, numbers must lie in [a, b), and near the middle on average.
TEST(RngTest, UniformInRange) {
  for (ElementType type : {
#define HALYARD_TYPE(name, ...) ElementType::name,
           HALYARD_ELEMENT_TYPES(HALYARD_TYPE)
#undef HALYARD_TYPE
       }) {
    if (IsComplex(type)) continue;
    for (auto [a, b] : {std::pair(0.0, 1.0), {-1.5, 1.0}, {-1.0, 0.0}, {0.5, 4.0}, {-2.0, -1.0}}) {
      Literal low = Array(type, {}, {a}), high = Array(type, {}, {b});
      const double first = low.GetAsDouble(0), last = high.GetAsDouble(0);
      Literal numbers = Numbers("rng_uniform", low, high, {2000});
      if (!(first < last)) continue;  // the range is empty, so any value will do
      double sum = 0;
      for (int64_t i = 0; i < 2000; ++i) {
        const double value = numbers.GetAsDouble(i);
        ASSERT_GE(value, first) << HloName(type) << " " << a << " " << b;
        ASSERT_LT(value, last) << HloName(type) << " " << a << " " << b;
        sum += value / 2000;
      }
      if (IsFloat(type) && type != ElementType::kF8E8M0FNU) {
        EXPECT_NEAR(sum, (first + last) / 2, (last - first) * 0.13) << HloName(type);
      }
    }
  }
}

TEST(RngTest, Integers) {
  Literal bits = Numbers("UNIFORM", S32({}, {0}), S32({}, {2}), {3, 3});
  for (int64_t i = 0; i < 9; ++i) EXPECT_TRUE(bits.GetInt(i) == 0 || bits.GetInt(i) == 1);
  int counts[7] = {};
  Literal dice = Numbers("UNIFORM", S32({}, {-3}), S32({}, {4}), {70000});
  for (int64_t i = 0; i < 70000; ++i) ++counts[dice.GetInt(i) + 3];
  for (int count : counts) EXPECT_NEAR(count, 10000, 450);
  // The widest range, then empty ranges.
  Literal wide = Numbers("UNIFORM", S64({}, {INT64_MIN}), S64({}, {INT64_MAX}), {4000});
  double sum = 0;
  for (int64_t i = 0; i < 4000; ++i) sum += static_cast<double>(wide.GetInt(i)) / 4000;
  EXPECT_NEAR(sum / 0x1p63, 0, 0.05);
  EXPECT_EQ(Numbers("UNIFORM", S32({}, {5}), S32({}, {5}), {2}).ToString(), "{5, 5}");
  EXPECT_EQ(Numbers("UNIFORM", S32({}, {5}), S32({}, {-5}), {2}).ToString(), "{5, 5}");
  EXPECT_EQ(Numbers("UNIFORM", Pred({}, {0}), Pred({}, {1}), {2}).ToString(), "{false, false}");
}

TEST(RngTest, StateMovesOn) {
  Graph graph;
  Instruction* a = graph.Const(F32({}, {0}));
  Instruction* b = graph.Const(F32({}, {1}));
  AttrMap uniform = Attrs({{Attr::kDistribution, std::string("rng_uniform")}});
  Shape shape = Shape::Array(ElementType::kF32, {4});
  Instruction* first = graph.Op(Opcode::kRng, {a, b}, uniform, {}, shape);
  Instruction* second = graph.Op(Opcode::kRng, {a, b}, uniform, {}, shape);
  graph.Op(Opcode::kTuple, {first, second});
  absl::StatusOr<Literal> result = graph.Run({}), again = graph.Run({});
  ASSERT_TRUE(result.ok() && again.ok()) << result.status();
  EXPECT_FALSE(result->elements()[0].BitwiseEqual(result->elements()[1]));
  EXPECT_TRUE(result->elements()[1].BitwiseEqual(again->elements()[1]));
}

}  // namespace
}  // namespace halyard::hlo
