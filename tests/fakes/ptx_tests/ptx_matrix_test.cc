// Compares matrix instructions with naive products.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx_tests/ptx_harness.h"

namespace halyard::testing::ptx {
namespace {

// Computes one product of each shape. Fragments are loaded by the formulas of the PTX ISA.
struct Mma {
  std::string name;
  int m, n, k;
  char type;  // h, b, t, i, 4, 5
};
TEST(PtxMatrices, Matrices) {
  for (const Mma& mma : std::vector<Mma>{
           {"m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 'h'},
           {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, 'h'},
           {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, 'b'},
           {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 't'},
           {"m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, 'i'},
           {"m16n8k16.row.col.s32.s8.s8.s32", 16, 8, 16, 'i'},
           {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, '4'},
           {"m16n8k32.row.col.f32.e5m2.e5m2.f32", 16, 8, 32, '5'},
       }) {
    std::mt19937 random(5);
    std::vector<int> a(mma.m * mma.k), b(mma.k * mma.n), c(mma.m * mma.n);
    for (auto* all : {&a, &b, &c}) {
      for (int& x : *all) x = static_cast<int>(random() % 15) - 7;
    }
    const int bytes = mma.type == 't' ? 4 : mma.type == 'h' || mma.type == 'b' ? 2 : 1;
    const int pack = 4 / bytes;
    const auto encode = [&](int x) -> uint32_t {
      const auto f = static_cast<float>(x);
      if (mma.type == 'h') return DoubleToHalf(f);
      if (mma.type == 'b') return FloatToBf16(f);
      for (int byte = 0; byte < 256 && (mma.type == '4' || mma.type == '5'); ++byte) {
        const auto bits = static_cast<uint8_t>(byte);
        if ((mma.type == '4' ? E4m3ToFloat(bits) : E5m2ToFloat(bits)) == f) return bits;
      }
      return mma.type == 't' ? BitsAs<uint32_t>(f) : static_cast<uint8_t>(x);
    };
    // Register r of a lane: those of A alternate between rows g and g + 8.
    const int ra = mma.m * mma.k / 32 / pack, rb = mma.k * mma.n / 32 / pack;
    Words input(32 * 16), other(1), output(32 * 4);
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane >> 2, t = lane & 3;
      for (int r = 0; r < ra; ++r) {
        for (int e = 0; e < pack; ++e) {
          const int row = r % 2 == 0 ? g : g + 8, column = t * pack + e + (r >= 2 ? 4 * pack : 0);
          input[lane * 16 + r] |= encode(a[row * mma.k + column]) << 8 * bytes * e;
        }
      }
      for (int r = 0; r < rb; ++r) {
        for (int e = 0; e < pack; ++e) {
          const int row = t * pack + e + r * 4 * pack;
          input[lane * 16 + 4 + r] |= encode(b[row * mma.n + g]) << 8 * bytes * e;
        }
      }
      for (int r = 0; r < 4; ++r) {
        const int x = c[(g + (r >= 2 ? 8 : 0)) * mma.n + t * 2 + r % 2];
        input[lane * 16 + 8 + r] =
            mma.type == 'i' ? static_cast<uint32_t>(x) : BitsAs<uint32_t>(static_cast<float>(x));
      }
    }
    const auto list = [](int first, int count) {
      std::string text = "{";
      for (int i = 0; i < count; ++i) text += (i ? ", %r" : "%r") + std::to_string(first + i);
      return text + "}";
    };
    std::string body =
        "mov.u32 %r0, %laneid;\nmul.wide.u32 %d4, %r0, 64;\nadd.s64 %d4, %d4, %d0;\n";
    for (int r = 0; r < 12; ++r) {
      body +=
          "ld.global.u32 %r" + std::to_string(10 + r) + ", [%d4+" + std::to_string(4 * r) + "];\n";
    }
    // The results overwrite the accumulators. Results in another order than theirs would need a
    // test of their own.
    body += "mma.sync.aligned." + mma.name + " " + list(18, 4) + ", " + list(10, ra) + ", " +
            list(14, rb) + ", " + list(18, 4) + ";\n" +
            "mul.wide.u32 %d5, %r0, 16;\nadd.s64 %d5, %d5, %d2;\nst.global.v4.u32 [%d5], " +
            list(18, 4) + ";";
    const TestRun run = RunBody(body, &input, &other, &output, OneWarp());
    ASSERT_EQ(run.outcome, Outcome::kDone) << mma.name << run.message;
    for (int lane = 0; lane < 32; ++lane) {
      for (int r = 0; r < 4; ++r) {
        const int row = lane / 4 + (r >= 2 ? 8 : 0), column = lane % 4 * 2 + r % 2;
        int want = c[row * mma.n + column];
        for (int k = 0; k < mma.k; ++k) want += a[row * mma.k + k] * b[k * mma.n + column];
        const uint32_t got = output[lane * 4 + r];
        ASSERT_EQ(mma.type == 'i' ? static_cast<int>(got) : static_cast<int>(BitsAs<float>(got)),
                  want)
            << mma.name << " " << row << ", " << column;
      }
    }
  }
}

TEST(PtxMatrices, LoadsOfMatrices) {
  Launch launch = OneWarp();
  launch.shared_bytes = 512;
  Words c(64);
  for (const bool transposed : {false, true}) {
    const TestRun run = RunWords(
        // Stores the number i as half number i, then the lanes read rows of 16 bytes.
        std::string(kSharedPlace) +
            "shl.b32 %r3, %r0, 1;\nadd.s32 %r4, %r3, 1;\nshl.b32 %r4, %r4, 16;\nor.b32 %r3, %r3, "
            "%r4;\nst.shared.u32 [%r2], %r3;\nst.shared.u32 [%r2+128], %r3;\nbar.sync 0;\n"
            "and.b32 %r5, %r0, 15;\nshl.b32 %r5, %r5, 4;\nmov.u32 %r6, memory;\nadd.s32 %r5, %r5, "
            "%r6;\nldmatrix.sync.aligned.m8n8.x2." +
            (transposed ? "trans." : "") +
            "shared.b16 {%r7, %r8}, [%r5];\nst.global.u32 [%d3], %r7;",
        &c, launch, {}, kShared);
    ASSERT_EQ(run.outcome, Outcome::kDone) << run.message;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint32_t g = lane / 4, t = lane % 4;
      const uint32_t low = transposed ? 16 * t + g : 8 * g + 2 * t;
      EXPECT_EQ(c[lane], low | (low + (transposed ? 8 : 1)) << 16) << lane;
    }
  }
}

}  // namespace
}  // namespace halyard::testing::ptx
