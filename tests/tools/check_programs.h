// Functions for `halyard check`.
#ifndef HALYARD_TESTS_TOOLS_CHECK_PROGRAMS_H_
#define HALYARD_TESTS_TOOLS_CHECK_PROGRAMS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace halyard {

// Returns a function whose values are %a and %b.
inline std::string Function(const std::string& type, const std::string& a, const std::string& b,
                            const std::string& check) {
  return absl::StrCat("func.func @f() {\n  %a = stablehlo.constant dense<", a, "> : ", type,
                      "\n  %b = stablehlo.constant dense<", b, "> : ", type, "\n  ", check,
                      "\n  return\n}\n");
}

constexpr char kF32[] = "tensor<2xf32>";

}  // namespace halyard

#endif  // HALYARD_TESTS_TOOLS_CHECK_PROGRAMS_H_
