// Loops of known length: they can be cancelled, however short or long their rounds are, and run as
// often as they should.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>

#include "tests/runtime/execute/executor_fixture.h"

namespace halyard::runtime {
namespace {

using halyard::testing::IncrementKernel;

class CancelTest : public ExecutorTest {
 protected:
  // A loop, whose body is sequence 1 and is empty yet.
  static ProgramBuilder Loop(int64_t rounds) {
    ProgramBuilder b("loop", 3);
    b.While(0, {}, 2, 1, rounds).slices.clear();
    b.spec.sequences[0].steps[0].num_inputs = 0;
    return b;
  }

  // Runs a program without arguments and results, and cancels it.
  void ExpectCancelled(const ProgramBuilder& builder) {
    Executable* executable = Make(builder);
    ASSERT_NE(executable, nullptr);
    int32_t cancel = 0;
    std::thread another([&cancel] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
    });
    RunOptions options;
    options.cancel = &cancel;
    Status status = executable->Run(options, nullptr, 0, nullptr, 0);
    EXPECT_EQ(status.code(), Code::kAborted) << status.message();
    another.join();
    executable->Release();
  }
};

TEST_F(CancelTest, ALoopOfCopiesEnds) {
  for (const int64_t rounds : {int64_t{UINT32_MAX}, INT64_MAX}) {
    ProgramBuilder b = Loop(rounds);
    b.Copy(1, b.Constant("abcd"), b.Temp(4));
    ExpectCancelled(b);
  }
}

TEST_F(CancelTest, ALoopWithNothingToDoEnds) {
  ProgramBuilder b = Loop(INT64_MAX);
  b.While(1, {}, 2, 2, 0).slices.clear();
  b.spec.sequences[1].steps[0].num_inputs = 0;
  ExpectCancelled(b);
}

// A multiple of no power of two, so that there are whole pieces and a rest.
TEST_F(CancelTest, ALongLoopHasAllItsRounds) {
  for (const int32_t rounds : {0, 1, 1000, 300007}) {
    ProgramBuilder b("count", 3);
    const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4), sum = b.Temp(4);
    b.Copy(0, in, sum);
    b.While(0, {}, 2, 1, rounds).slices.clear();
    b.spec.sequences[0].steps[1].num_inputs = 0;
    b.Copy(0, sum, out);
    b.Launch(1, b.Kernel(IncrementKernel("hyk_inc", 3)), {sum}, {sum});
    Executable* executable = Make(b);
    EXPECT_EQ(RunScalar(executable, 5), 5 + 3 * rounds);
    EXPECT_EQ(RunScalar(executable, -1), 3 * rounds - 1);
    executable->Release();
  }
}

}  // namespace
}  // namespace halyard::runtime
