// Kernels of one warpgroup that multiply by wgmma, and what they should compute.
#ifndef HALYARD_TESTS_FAKES_PTX_TESTS_WGMMA_KERNEL_H_
#define HALYARD_TESTS_FAKES_PTX_TESTS_WGMMA_KERNEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx_tests/ptx_harness.h"

namespace halyard::testing::ptx {

// D[64, n] = A[64, k] * B[k, n] + C. The instruction covers 32 bytes of k; `steps` of them follow
// each other. C is the number of the thread plus that of the register.
struct WgmmaCase {
  std::string a_type = "bf16", b_type = "bf16";
  int n = 16;
  int line = 128;  // bytes of the swizzle
  bool a_transposed = false, b_transposed = false;
  bool a_in_registers = false;
  int steps = 2;
  std::string scale_d = "1";
  int a_scale = 1, b_scale = 1;

  bool integer() const { return a_type == "s8" || a_type == "u8"; }
  int bytes() const { return a_type == "tf32" ? 4 : a_type == "f16" || a_type == "bf16" ? 2 : 1; }
  int step_k() const { return 32 / bytes(); }
  int k() const { return step_k() * steps; }
};

inline uint32_t Encode(const std::string& type, int x) {
  const auto f = static_cast<float>(x);
  if (type == "f16") return DoubleToHalf(f);
  if (type == "bf16") return FloatToBf16(f);
  if (type == "tf32") return BitsAs<uint32_t>(f) | 0x1abc;  // lower bits are ignored
  for (int byte = 0; byte < 256 && type[0] == 'e'; ++byte) {
    const auto bits = static_cast<uint8_t>(byte);
    if ((type == "e4m3" ? E4m3ToFloat(bits) : E5m2ToFloat(bits)) == f) return bits;
  }
  return static_cast<uint8_t>(x);
}

// A's values are at [row * k() + k], B's at [column * k() + k].
struct WgmmaValues {
  std::vector<int> a, b;
};

// Where an element of an operand lies in shared memory, from a multiple of 1024.
inline size_t WgmmaPlace(const WgmmaCase& c, bool transposed, int row, int k) {
  int at = row / 8 * 8 * c.line + row % 8 * c.line + k * c.bytes();
  if (transposed) {
    const int in_line = c.line / 2;
    at = row / in_line * c.line * c.k() + k * c.line + row % in_line * 2;
  }
  const int rows = c.line == 128 ? 7 : c.line == 64 ? 3 : 1;
  return static_cast<size_t>(at ^ (at / 128 & rows) * 16);
}

constexpr uint32_t kWgmmaB = 32768;  // where B begins, behind A

// Returns shared memory as the kernel finds it: A, then B.
inline std::vector<uint8_t> WgmmaImage(const WgmmaCase& c, const WgmmaValues& values) {
  std::vector<uint8_t> image(kWgmmaB * 3, 0xff);
  const auto put = [&](const std::string& type, bool transposed, const std::vector<int>& from,
                       size_t begin) {
    for (size_t i = 0; i < from.size(); ++i) {
      const uint32_t bits = Encode(type, from[i]);
      const int row = static_cast<int>(i) / c.k(), k = static_cast<int>(i) % c.k();
      std::memcpy(&image[begin + WgmmaPlace(c, transposed, row, k)], &bits,
                  static_cast<size_t>(c.bytes()));
    }
  };
  put(c.a_type, c.a_transposed, values.a, 0);
  put(c.b_type, c.b_transposed, values.b, kWgmmaB);
  return image;
}

// Returns A as the threads' registers hold it: four words for each thread and step.
inline Words WgmmaFragments(const WgmmaCase& c, const WgmmaValues& values) {
  Words words;
  const int pack = 4 / c.bytes();
  for (int i = 0; i < 128 * c.steps * 4; ++i) {
    const int r = i % 4, step = i / 4 % c.steps, thread = i / 4 / c.steps;
    const int g = thread % 32 / 4, t = thread % 4;
    uint32_t word = 0;
    for (int e = 0; e < pack; ++e) {
      const int row = thread / 32 * 16 + g + r % 2 * 8;
      const int k = step * c.step_k() + t * pack + e + r / 2 * 4 * pack;
      const int value = values.a[static_cast<size_t>(row * c.k() + k)];
      word |= Encode(c.a_type, value) << 8 * c.bytes() * e;
    }
    words.push_back(word);
  }
  return words;
}

inline std::string RegisterList(const std::string& prefix, int first, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) absl::StrAppend(&text, i == 0 ? "" : ", ", prefix, first + i);
  return text + "}";
}

// The instruction of one step. Descriptors are in %d6 and %d7, A's registers from %f0 on.
inline std::string WgmmaInstruction(const WgmmaCase& c, int step) {
  std::string text = absl::StrCat(
      "wgmma.mma_async.sync.aligned.m64n", c.n, "k", c.step_k(), c.integer() ? ".s32." : ".f32.",
      c.a_type, ".", c.b_type, " ", RegisterList("%acc", 0, c.n / 2), ", ",
      c.a_in_registers ? RegisterList("%f", 4 * step, 4) : "%d6", ", %d7, ", c.scale_d);
  if (!c.integer()) absl::StrAppend(&text, ", ", c.a_scale, ", ", c.b_scale);
  if (c.bytes() == 2 && !c.a_in_registers) absl::StrAppend(&text, ", ", c.a_transposed ? 1 : 0);
  if (c.bytes() == 2) absl::StrAppend(&text, ", ", c.b_transposed ? 1 : 0);
  return text + ";\n";
}

// Moves a descriptor to the next step, by a number of 16 bytes.
inline int WgmmaAdvance(const WgmmaCase& c, bool transposed) {
  return transposed ? c.step_k() * c.line / 16 : 2;
}

inline uint64_t WgmmaDescriptor(const WgmmaCase& c, bool transposed) {
  const uint64_t swizzle = c.line == 128 ? 1 : c.line == 64 ? 2 : 3;
  const uint64_t leading = transposed ? static_cast<uint64_t>(c.line) * c.k() / 16 : 1;
  return swizzle << 62 | static_cast<uint64_t>(c.line) * 8 / 16 << 32 | leading << 16;
}

// The kernel, in parts that tests may change. It copies a to shared memory and stores D to c, for
// each thread its registers. b holds A's fragments, if A is in registers.
inline std::string WgmmaBody(const WgmmaCase& c) {
  std::string text = absl::StrCat(
      ".reg .b32 %acc<", c.n / 2, ">;\n.reg .b32 %f<", 4 * c.steps + 4,
      ">;\nmov.u32 %r0, %tid.x;\n",
      "mov.u32 %r2, memory;\nshl.b32 %r1, %r0, 4;\nadd.u32 %r3, %r2, %r1;\n",
      "cvt.u64.u32 %d3, %r1;\nadd.u64 %d3, %d3, %d0;\nadd.u32 %r6, %r2, ", kWgmmaB * 3, ";\n",
      // Each thread copies 16 bytes at a time.
      "setp.ge.u32 %p1, %r3, %r6;\n@%p1 bra copied;\n",
      "copy:\nld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%d3];\n",
      "st.shared.v4.u32 [%r3], {%r10, %r11, %r12, %r13};\n",
      "add.u32 %r3, %r3, 2048;\nadd.u64 %d3, %d3, 2048;\n",
      "setp.lt.u32 %p1, %r3, %r6;\n@%p1 bra copy;\ncopied:\n");
  absl::StrAppend(&text, "mul.wide.u32 %d4, %r0, ", c.steps * 16, ";\nadd.u64 %d4, %d4, %d1;\n");
  for (int i = 0; i < 4 * c.steps && c.a_in_registers; ++i)
    absl::StrAppend(&text, "ld.global.u32 %f", i, ", [%d4+", 4 * i, "];\n");
  for (int i = 0; i < c.n / 2; ++i) {
    absl::StrAppend(&text, "add.u32 %r5, %r0, ", i, ";\n",
                    c.integer() ? "mov.b32 %acc" : "cvt.rn.f32.u32 %acc", i, ", %r5;\n");
  }
  absl::StrAppend(&text, "shr.u32 %r4, %r2, 4;\ncvt.u64.u32 %d5, %r4;\nadd.u64 %d6, %d5, ",
                  WgmmaDescriptor(c, c.a_transposed), ";\nadd.u64 %d7, %d5, ",
                  WgmmaDescriptor(c, c.b_transposed) + kWgmmaB / 16, ";\n",
                  "setp.ne.u32 %p2, %r2, 0;\n",  // true
                  "fence.proxy.async;\nbar.sync 0;\nwgmma.fence.sync.aligned;\n");
  for (int step = 0; step < c.steps; ++step) {
    if (step > 0) {
      absl::StrAppend(&text, "add.u64 %d6, %d6, ", WgmmaAdvance(c, c.a_transposed),
                      ";\nadd.u64 %d7, %d7, ", WgmmaAdvance(c, c.b_transposed), ";\n");
    }
    absl::StrAppend(&text, WgmmaInstruction(c, step));
  }
  absl::StrAppend(&text, "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
  absl::StrAppend(&text, "mul.wide.u32 %d8, %r0, ", c.n * 2, ";\nadd.u64 %d8, %d8, %d2;\n");
  for (int i = 0; i < c.n / 2; ++i)
    absl::StrAppend(&text, "st.global.b32 [%d8+", 4 * i, "], %acc", i, ";\n");
  return text;
}

inline constexpr char kWgmmaShared[] = ".extern .shared .align 1024 .b8 memory[];\n";

// Runs `body` with these operands. `d` receives what it stores.
inline TestRun RunWgmma(const WgmmaCase& c, const WgmmaValues& values, const std::string& body,
                        Words* d, Launch launch = OneWarp(128), const RunOptions& options = {}) {
  std::vector<uint8_t> image = WgmmaImage(c, values);
  Words fragments = c.a_in_registers ? WgmmaFragments(c, values) : Words(1);
  d->assign(static_cast<size_t>(launch.block[0] * c.n / 2), 0);
  launch.shared_bytes = kWgmmaB * 3;
  return RunBody(body, &image, &fragments, d, launch, options, kWgmmaShared);
}

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_TESTS_WGMMA_KERNEL_H_
