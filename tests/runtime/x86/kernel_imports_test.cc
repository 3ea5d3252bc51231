// Compiles kernels of many operations and types for each x86 level, and loads them: the loader must
// find all symbols that Halide and LLVM make them import.
#include <Halide.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "codegen/x86/elf_rewrite.h"
#include "runtime/x86/kernel_runtime.h"
#include "runtime/x86/object_loader.h"

namespace halyard::runtime::x86 {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Type;

const char* const kLevels[] = {
    "x86-64-linux",
    "x86-64-linux-sse41",
    "x86-64-linux-sse41-avx-avx2-fma-f16c",
    "x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake",
    "x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4",
    "x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4-"
    "avx512_sapphirerapids",
};

std::vector<Type> Types() {
  return {Halide::Int(8),    Halide::Int(16),   Halide::Int(32),   Halide::Int(64),
          Halide::UInt(8),   Halide::UInt(16),  Halide::UInt(32),  Halide::UInt(64),
          Halide::Float(16), Halide::Float(32), Halide::Float(64), Halide::BFloat(16)};
}

std::string Compile(Func f, const std::vector<Halide::Argument>& arguments,
                    const std::string& level) {
  char path[] = "/tmp/halyard_imports_XXXXXX";
  close(mkstemp(path));
  f.compile_to_object(path, arguments, "kernel",
                      Halide::Target(level + "-no_runtime-no_asserts-no_bounds_query"));
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  remove(path);
  auto object = lowering::RewriteSymbols(bytes.str(), "kernel_argv", "hyk_kernel");
  EXPECT_TRUE(object.ok()) << object.status();
  return object.ok() ? *object : "";
}

void ExpectLoads(const std::string& object, const std::string& what) {
  LoadedObject loaded;
  Status status = LoadObject({reinterpret_cast<const uint8_t*>(object.data()), object.size()},
                             "hyk_kernel", ResolveKernelImport, nullptr, &loaded);
  EXPECT_TRUE(status.ok()) << what << ": " << status.message();
  UnloadObject(&loaded);
}

class KernelImports : public ::testing::TestWithParam<const char*> {};

// Compiles and loads a kernel that computes `make`, scalar and vectorized.
void Check(const std::string& level, const std::string& what, const Type& type,
           const std::function<Expr(Expr)>& make) {
  Halide::Var x("x");
  for (const int lanes : {1, 16}) {
    ImageParam in(type, 1);
    Func f("f");
    f(x) = make(in(x));
    if (lanes > 1) f.vectorize(x, lanes, Halide::TailStrategy::RoundUp);
    ExpectLoads(Compile(f, {in}, level), what);
  }
}

TEST_P(KernelImports, Conversions) {
  for (const Type& from : Types()) {
    Check(GetParam(), "conversions", from, [](Expr value) {
      Expr sum = Halide::cast<double>(0);
      for (const Type& to : Types())
        sum += Halide::cast<double>(Halide::cast(to, value) + Halide::cast(to, 1));
      return sum;
    });
  }
}

TEST_P(KernelImports, IntegerArithmetic) {
  for (const Type& type : Types()) {
    if (type.is_float()) continue;
    Check(GetParam(), "integers", type, [&](Expr a) {
      Expr b = a ^ Halide::cast(type, 5);
      return a / b + a % b + Halide::popcount(a) + Halide::count_leading_zeros(b) +
             Halide::absd(a, b) * b + (a << (Halide::cast(type, 3))) + (a >> (b & 3)) +
             Halide::min(a, b) * Halide::max(a, b);
    });
  }
}

TEST_P(KernelImports, FloatArithmetic) {
  for (const Type& type : {Halide::Float(32), Halide::Float(64)}) {
    Check(GetParam(), "floats", type, [&](Expr a) {
      Expr b = a + Halide::cast(type, 0.5f);
      return Halide::sin(a) + Halide::cos(a) + Halide::tan(a) + Halide::asin(a) + Halide::acos(a) +
             Halide::atan(a) + Halide::atan2(a, b) + Halide::sinh(a) + Halide::cosh(a) +
             Halide::tanh(a) + Halide::asinh(a) + Halide::acosh(b) + Halide::atanh(a) +
             Halide::exp(a) + Halide::log(a) + Halide::sqrt(a) + Halide::pow(a, b) +
             Halide::floor(a) + Halide::ceil(a) + Halide::round(a) + Halide::trunc(a) +
             Halide::fract(a) + a / b + a % b + Halide::abs(a) + Halide::strict_float(a * b + a) +
             Halide::select(Halide::is_nan(a) || Halide::is_inf(b), a, b);
    });
  }
}

TEST_P(KernelImports, StagesInParallel) {
  Halide::Var x("x"), y("y"), z("z");
  Halide::RDom r(0, 64);
  ImageParam in(Halide::Float(32), 3);
  Func twice("twice"), rows("rows"), sorted("sorted"), out("out");
  twice(x, y) = in(x, y, 0) * 2.0f;
  rows(x, y) = 0.0f;
  rows(x, y) += twice(r, y) * twice(x, r);
  sorted(x, y) = Halide::undef<float>();
  sorted(Halide::clamp(Halide::cast<int>(in(r, y, 1)), 0, 63), y) = rows(r, y);
  out(x, y, z) = sorted(x, y) + in(x, y, z);
  twice.compute_root().parallel(y).vectorize(x, 8);
  rows.compute_at(out, z).parallel(y);
  rows.update().unscheduled();
  sorted.compute_at(out, y);
  out.parallel(z).parallel(y).vectorize(x, 8);
  ExpectLoads(Compile(out, {in}, GetParam()), "stages");
}

INSTANTIATE_TEST_SUITE_P(Levels, KernelImports, ::testing::ValuesIn(kLevels));

}  // namespace
}  // namespace halyard::runtime::x86
