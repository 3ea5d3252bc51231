// Kernels for AMX tiles, and the device that has them.
#ifndef HALYARD_TESTS_SCHEDULES_CONTRACTION_TILE_CASES_H_
#define HALYARD_TESTS_SCHEDULES_CONTRACTION_TILE_CASES_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {

inline constexpr uint64_t kWithoutTiles = runtime::kX86Sse41 | runtime::kX86Avx |
                                          runtime::kX86Avx2 | runtime::kX86Fma | runtime::kX86F16c |
                                          runtime::kX86Avx512 | runtime::kX86Avx512Vnni |
                                          runtime::kX86Avx512Bf16 | runtime::kX86SapphireRapids;

inline runtime::DeviceInfo CpuWith(uint64_t features) {
  runtime::DeviceInfo info = InfoNamed("x86");
  info.x86_features = features;
  return info;
}
inline runtime::DeviceInfo CpuWithTiles() { return CpuWith(kWithoutTiles | runtime::kX86Amx); }

inline std::string Dot(const std::string& a, const std::string& b, const std::string& result,
                       const std::string& more = "") {
  return absl::StrCat("HloModule m\nENTRY e { a = ", a, " parameter(0) b = ", b,
                      " parameter(1) ROOT r = ", result,
                      " dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}", more, " }");
}

// Returns the product of factors whose types HLO multiplies only once they are widened to s32.
inline std::string Mixed(const std::string& a, const std::string& b) {
  return absl::StrCat("HloModule m\nENTRY e { a = ", a, "[40,64] parameter(0) b = ", b,
                      "[64,48] parameter(1) x = s32[40,64] convert(a) y = s32[64,48] convert(b) "
                      "ROOT r = s32[40,48] dot(x, y), lhs_contracting_dims={1}, "
                      "rhs_contracting_dims={0} }");
}

inline std::string Convolution(const std::string& image, const std::string& filter,
                               const std::string& result, const std::string& window) {
  return absl::StrCat("HloModule m\nENTRY e { a = ", image, " parameter(0) w = ", filter,
                      " parameter(1) ROOT c = ", result, " convolution(a, w), window={", window,
                      "}, dim_labels=b01f_01io->b01f }");
}

struct TileCase {
  const char* name;
  std::string hlo;
  const char* instruction;
  const char* other;  // knobs of a schedule other than the default one
  double tolerance = 0;
};

// All of them have tiles by default.
inline std::vector<TileCase> TileCases() {
  // Constant weights in the layout that a pass makes (packed_factor.h).
  const std::string panels =
      "HloModule m\nENTRY e { a = s8[70,72] parameter(0) p = s8[3,18,32,4] parameter(1) t = "
      "s8[18,4,3,32] transpose(p), dimensions={1,3,0,2} w = s8[72,96] reshape(t), "
      "frontend_attributes={packed_factor=\"true\"} ROOT r = s32[70,96] dot(a, w), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
  const std::string in_panels = absl::StrReplaceAll(panels, {{"[70,72]", "[70,80]"},
                                                             {"[3,18,32,4]", "[3,20,32,4]"},
                                                             {"[18,4,3,32]", "[20,4,3,32]"},
                                                             {"[72,96]", "[80,96]"}});
  return {
      {"signed", Dot("s8[40,64]", "s8[64,48]", "s32[40,48]"), "tdpbssd",
       "tile_n=16 tile_m=5 block_m=8"},
      {"unsigned_left", Mixed("u8", "s8"), "tdpbusd", "tile_n=48 tile_m=8 block_m=40"},
      {"unsigned_right", Mixed("s8", "u8"), "tdpbsud", "tile_n=16 tile_m=32"},
      {"unsigned", Dot("u8[40,64]", "u8[64,48]", "s32[40,48]"), "tdpbuud",
       "tile_n=32 tile_m=4 by_panel=1"},
      {"nibbles", Dot("s4[40,64]", "s4[64,48]", "s32[40,48]"), "tdpbssd", "tile_n=16 tile_m=2"},
      // A last word, and words to make up a whole tile of them, are filled up.
      {"ragged", Dot("s8[37,203]", "s8[203,70]", "s32[37,70]"), "tdpbssd",
       "tile_n=64 tile_m=16 block_m=16"},
      {"more_words", Dot("s8[33,76]", "s8[76,16]", "s32[33,16]"), "tdpbssd",
       "tile_n=16 tile_m=7 block_m=33"},
      {"bf16", Dot("bf16[64,96]", "bf16[96,48]", "f32[64,48]"), "tdpbf16ps", "tile_n=16 tile_m=16",
       1e-4},
      {"bf16_result", Dot("bf16[40,96]", "bf16[96,48]", "bf16[40,48]"), "tdpbf16ps",
       "tile_n=32 tile_m=12 pack=0", 1e-2},
      {"ragged_bf16", Dot("bf16[37,101]", "bf16[101,70]", "f32[37,70]"), "tdpbf16ps",
       "tile_n=32 tile_m=13", 1e-4},
      {"f8", Dot("f8e4m3fn[40,96]", "f8e5m2[96,48]", "f32[40,48]"), "tdpbf16ps",
       "tile_n=16 tile_m=10", 1e-4},
      {"transposed",
       absl::StrReplaceAll(Dot("bf16[40,96]", "bf16[48,96]", "f32[40,48]"),
                           {{"rhs_contracting_dims={0}", "rhs_contracting_dims={1}"}}),
       "tdpbf16ps", "tile_n=32 tile_m=14", 1e-4},
      {"batched",
       "HloModule m\nENTRY e { a = s8[3,20,64] parameter(0) b = s8[3,64,40] parameter(1) ROOT r = "
       "s32[3,20,40] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
       "rhs_contracting_dims={1} }",
       "tdpbssd", "tile_n=16 tile_m=9"},
      {"epilogue",
       "HloModule m\nENTRY e { a = s8[40,64] parameter(0) b = s8[64,48] parameter(1) c = s32[48] "
       "parameter(2) r = s32[40,48] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} "
       "d = s32[40,48] broadcast(c), dimensions={1} s = s32[40,48] add(r, d) z = s32[] constant(0) "
       "zb = s32[40,48] broadcast(z), dimensions={} ROOT m = s32[40,48] maximum(s, zb) }",
       "tdpbssd", "tile_n=16 tile_m=3"},
      {"padded",
       Convolution("s8[2,9,19,40]", "s8[3,3,40,36]", "s32[2,9,19,36]", "size=3x3 pad=1_1x1_1"),
       "tdpbssd", "tile_n=32 tile_m=6 block_m=19 rows=4"},
      {"filled_up_image",
       Convolution("bf16[1,9,19,37]", "bf16[3,3,37,32]", "f32[1,9,19,32]", "size=3x3 pad=1_1x1_1"),
       "tdpbf16ps", "tile_n=16 tile_m=8", 1e-3},
      {"strided",
       Convolution("bf16[1,17,35,64]", "bf16[1,1,64,32]", "f32[1,9,18,32]", "size=1x1 stride=2x2"),
       "tdpbf16ps", "tile_n=32 tile_m=9 rows=4", 1e-4},
      {"channels_first",
       "HloModule m\nENTRY e { a = s8[1,32,7,7] parameter(0) w = s8[48,32,3,3] parameter(1) ROOT c "
       "= s32[1,48,7,7] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
       "dim_labels=bf01_oi01->bf01 }",
       "tdpbssd", "pack=2 tile_n=16 tile_m=6"},
      {"panels", panels, "tdpbssd", "tile_n=16 tile_m=5 by_panel=1"},
      {"panels_of_other_words",
       absl::StrReplaceAll(panels, {{"[70,72]", "[70,68]"},
                                    {"[3,18,32,4]", "[3,17,32,4]"},
                                    {"[18,4,3,32]", "[17,4,3,32]"},
                                    {"[72,96]", "[68,96]"}}),
       "tdpbssd", "tile_n=16 tile_m=12"},
      {"panels_in_place", in_panels, "tdpbssd", "pack=1"},
      {"filled_up_panels",
       absl::StrReplaceAll(
           in_panels,
           {{"ROOT r = s32[70,96] dot(a, w)",
             "s = s8[80,90] slice(w), slice={[0:80], [0:90]} ROOT r = s32[70,90] dot(a, s)"}}),
       "tdpbssd", "tile_n=16 tile_m=14"},
  };
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SCHEDULES_CONTRACTION_TILE_CASES_H_
