// Tests every f32 argument of every unary function, in pieces on all cores. This takes tens of
// minutes with $HALYARD_NUMERICS_SWEEP=1, x86 or vulkan (nightly); otherwise, only some pieces are
// tested.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "frontend/hlo/ir/op_table.h"
#include "tests/lowering/numerics/harness.h"
#include "tests/lowering/numerics/ulp.h"

namespace halyard::lowering::testing {
namespace {

using hlo::ElementType;
using hlo::Opcode;

constexpr int kPieceBits = 20;
constexpr int64_t kPieces = int64_t{1} << (32 - kPieceBits);

struct Function {
  Opcode opcode;
  double (*oracle)(double);
  double bound;
};
double Logistic(double x) { return 1 / (1 + std::exp(-x)); }
double Rsqrt(double x) { return 1 / std::sqrt(x); }
const Function kFunctions[] = {{Opcode::kExp, std::exp, 2},      {Opcode::kExpm1, std::expm1, 2},
                               {Opcode::kLog, std::log, 2},      {Opcode::kLog1p, std::log1p, 2},
                               {Opcode::kLogistic, Logistic, 2}, {Opcode::kTanh, std::tanh, 2},
                               {Opcode::kSin, std::sin, 2},      {Opcode::kCos, std::cos, 2},
                               {Opcode::kTan, std::tan, 2},      {Opcode::kSqrt, std::sqrt, 0.501},
                               {Opcode::kRsqrt, Rsqrt, 2},       {Opcode::kCbrt, std::cbrt, 2},
                               {Opcode::kErf, std::erf, 2}};

struct Worst {
  double ulp = 0;
  uint32_t at = 0;
};

// A compiled function, whose argument is the number of the piece.
class Piece {
 public:
  Piece(Opcode opcode, const Device& device)
      : device_(device),
        kernel_(MakeKernel(BuildOf(UnaryOp(opcode, ElementType::kF32)), {ElementType::kF32},
                           device.gpu, device.target)),
        input_(Halide::Float(32), 1 << kPieceBits) {
    kernel_.func.compile_jit(device.target);
  }

  Worst Measure(const Function& f, int64_t piece) {
    float* arguments = static_cast<float*>(input_.data());
    const uint32_t first = static_cast<uint32_t>(piece << kPieceBits);
    for (uint32_t i = 0; i < uint32_t{1} << kPieceBits; ++i)
      arguments[i] = std::bit_cast<float>(first + i);
    input_.set_host_dirty();
    kernel_.inputs[0].set(input_);
    Halide::Buffer<float> output = kernel_.func.realize({1 << kPieceBits}, device_.target);
    output.copy_to_host();
    Worst worst;
    for (int i = 0; i < 1 << kPieceBits; ++i) {
      const double want = f.oracle(arguments[i]);
      if (!device_.keeps_denormals && (Tiny(arguments[i]) || Tiny(want))) continue;
      const double error = UlpError32(output(i), want);
      if (error > worst.ulp) worst = {error, first + static_cast<uint32_t>(i)};
    }
    return worst;
  }

 private:
  static bool Tiny(double x) { return x != 0 && std::fabs(x) < 0x1.000002p-126; }

  const Device& device_;
  OpenKernel kernel_;
  Halide::Buffer<> input_;
};

Worst Sweep(const Function& f, const Device& device, int64_t stride) {
  std::atomic<int64_t> next = 0;
  std::mutex mutex;
  Worst worst;
  auto work = [&] {
    std::unique_ptr<Piece> piece;
    {
      std::lock_guard<std::mutex> lock(mutex);  // Halide's front end is not for several threads
      piece = std::make_unique<Piece>(f.opcode, device);
    }
    for (int64_t i = next++ * stride; i < kPieces; i = next++ * stride) {
      const Worst here = piece->Measure(f, i);
      std::lock_guard<std::mutex> lock(mutex);
      if (here.ulp > worst.ulp) worst = here;
    }
  };
  std::vector<std::thread> threads;
  const unsigned count = device.gpu ? 1 : std::max(1u, std::thread::hardware_concurrency());
  for (unsigned t = 0; t < count; ++t) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return worst;
}

TEST(NumericsSweep, UnaryF32) {
  const char* asked = std::getenv("HALYARD_NUMERICS_SWEEP");
  const bool whole = asked != nullptr;
  const std::string target = whole && asked != std::string("1") ? asked : "";
  ASSERT_TRUE(target.empty() || target == "x86" || target == "vulkan") << target;
  std::vector<const Device*> devices;
  if (target != "vulkan") devices.push_back(&BestX86());
  if (target != "x86" && Devices().back().gpu) devices.push_back(&Devices().back());
  ASSERT_FALSE(devices.empty()) << "there is no " << target << " here";
  for (const Device* device : devices) {
    for (const Function& f : kFunctions) {
      // A prime, so that pieces of every exponent are tested.
      const Worst worst = Sweep(f, *device, whole ? 1 : device->gpu ? 1021 : 251);
      const std::string name(hlo::RowOf(f.opcode).hlo_name);
      std::printf("| %s | f32 | %s | %.3f | %a |\n", name.c_str(), device->name.c_str(), worst.ulp,
                  std::bit_cast<float>(worst.at));
      std::fflush(stdout);
      EXPECT_LE(worst.ulp, f.bound)
          << name << " on " << device->name << " at " << std::bit_cast<float>(worst.at);
    }
  }
}

}  // namespace
}  // namespace halyard::lowering::testing
