// OnReady callbacks that still run while the client and everything else is destroyed.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "client/api/custom_call.h"
#include "tests/client/clients.h"

namespace halyard::testing {
namespace {

constexpr char kText[] = R"(HloModule m
ENTRY e {
  x = s32[] parameter(0)
  ROOT y = s32[] custom-call(x), custom_call_target="wait_for_the_gate"
})";

// The callback runs on after the run has ended, and holds the last reference to the result.
TEST(OnReady, TheClientWaitsForCallsThatGoOn) {
  static std::atomic<bool> open;
  open = false;
  RegisterCustomCall("wait_for_the_gate", [](const CustomCallArguments& arguments) {
    while (!open) std::this_thread::yield();
    *static_cast<int32_t*>(arguments.out[0]) = *static_cast<const int32_t*>(arguments.in[0]) + 1;
    return absl::OkStatus();
  });
  for (int round = 0; round < 20; ++round) {
    open = false;
    absl::StatusOr<std::unique_ptr<Client>> client = Client::Create({.target = "x86"});
    ASSERT_TRUE(client.ok()) << client.status();
    auto module = ParseProgram(kText, "p");
    ASSERT_TRUE(module.ok()) << module.status();
    auto executable = (*client)->Compile(**module);
    ASSERT_TRUE(executable.ok()) << executable.status();
    std::atomic<bool> may_end{false};
    std::atomic<int> called{0};
    {
      const int64_t one[] = {1};
      auto x = (*client)->BufferFromLiteral(
          hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS32, {}, one));
      ASSERT_TRUE(x.ok()) << x.status();
      auto results = (*executable)->Run({*x}, {.asynchronous = true});
      ASSERT_TRUE(results.ok()) << results.status();
      ASSERT_FALSE((*results)[0].IsReady());
      (*client)->OnReady((*results)[0], [&](const absl::Status& status) {
        EXPECT_TRUE(status.ok()) << status;
        while (!may_end) std::this_thread::yield();
        ++called;
      });
    }
    open = true;
    executable->reset();  // waits for the run
    std::thread let_go([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(round % 4));
      may_end = true;
    });
    client->reset();
    EXPECT_EQ(called, 1);
    let_go.join();
    while (called == 0) std::this_thread::yield();
  }
}

}  // namespace
}  // namespace halyard::testing
