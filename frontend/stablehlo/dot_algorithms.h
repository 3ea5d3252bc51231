// The names in HLO of the dot_general algorithms that StableHLO spells out.
#ifndef HALYARD_FRONTEND_STABLEHLO_DOT_ALGORITHMS_H_
#define HALYARD_FRONTEND_STABLEHLO_DOT_ALGORITHMS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace halyard::stablehlo {

struct DotAlgorithm {
  absl::string_view operand;  // precision type of both operands
  absl::string_view accumulator;
  int64_t primitive_operations;
  absl::string_view hlo_name;
  bool imprecise = false;
};

inline constexpr DotAlgorithm kDotAlgorithms[] = {
    {"f16", "f16", 1, "dot_f16_f16_f16"},
    {"f16", "f32", 1, "dot_f16_f16_f32"},
    {"bf16", "bf16", 1, "dot_bf16_bf16_bf16"},
    {"bf16", "f32", 1, "dot_bf16_bf16_f32"},
    {"bf16", "f32", 3, "dot_bf16_bf16_f32_x3"},
    {"bf16", "f32", 6, "dot_bf16_bf16_f32_x6"},
    {"bf16", "f32", 9, "dot_bf16_bf16_f32_x9"},
    {"tf32", "f32", 1, "dot_tf32_tf32_f32"},
    {"tf32", "f32", 3, "dot_tf32_tf32_f32_x3"},
    {"f32", "f32", 1, "dot_f32_f32_f32"},
    {"f64", "f64", 1, "dot_f64_f64_f64"},
    // Since StableHLO 1.21; HLO has no such names.
    {"f8E4M3FN", "f32", 3, "dot_f8e4m3fn_f8e4m3fn_f32_x3"},
    {"f8E4M3FN", "f32", 4, "dot_f8e4m3fn_f8e4m3fn_f32_x4"},
};

// These algorithms take operands of any 8-bit floats. The type here is the one to write.
inline constexpr DotAlgorithm kF8DotAlgorithms[] = {
    {"f8E5M2", "f32", 1, "dot_any_f8_any_f8_f32"},
    {"f8E5M2", "f32", 1, "dot_any_f8_any_f8_f32_fast_accum", true},
};

// Returns null if there is none.
inline const DotAlgorithm* FindDotAlgorithm(absl::string_view hlo_name) {
  for (const DotAlgorithm& algorithm : kDotAlgorithms) {
    if (algorithm.hlo_name == hlo_name) return &algorithm;
  }
  for (const DotAlgorithm& algorithm : kF8DotAlgorithms) {
    if (algorithm.hlo_name == hlo_name) return &algorithm;
  }
  return nullptr;
}

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_DOT_ALGORITHMS_H_
