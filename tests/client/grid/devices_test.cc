// Clients with several logical devices: where processes run, where their results are, copies
// between devices, and grids that are queued on them. On the fake CUDA driver, two GPUs share the
// devices; elsewhere all of them are streams of one Context.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <thread>

#include "client/api/buffer_rep.h"
#include "client/api/custom_call.h"
#include "client/reports/profile.h"
#include "tests/client/grid/random_collectives.h"
#include "tests/client/grid/runs.h"

namespace halyard::testing {
namespace {

using hlo::Literal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kDevices = 4;

// Returns a client with four devices, or null if this machine lacks the target.
Client* DevicesOf(const std::string& target) {
  // Never destroyed, because drivers may be unloaded before static objects are destroyed.
  static auto* clients = new std::map<std::string, std::unique_ptr<Client>>;
  auto [place, fresh] = clients->emplace(target, nullptr);
  if (!fresh) return place->second.get();
  // A machine's NCCL has no use for a fake GPU, and may sum in another order (nccl_test.cc).
  auto client = Client::Create({.target = target, .num_devices = kDevices, .use_libraries = false});
  if (client.ok()) place->second = *std::move(client);
  EXPECT_TRUE(client.ok() || absl::IsUnavailable(client.status())) << client.status();
  return place->second.get();
}

class DevicesTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    client_ = DevicesOf(GetParam());
    if (client_ == nullptr) GTEST_SKIP() << "there is no " << GetParam();
  }
  std::unique_ptr<Executable> Compile(const std::string& text, const CompileOptions& options = {}) {
    auto module = ParseProgram(text, "p.hlo");
    EXPECT_TRUE(module.ok()) << module.status();
    auto executable = client_->Compile(**module, options);
    EXPECT_TRUE(executable.ok()) << executable.status();
    return *std::move(executable);
  }
  Buffer OnDevice(const Literal& literal, int device) {
    auto buffer = client_->BufferFromLiteral(literal, device);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    return *std::move(buffer);
  }
  bool is_reference() const { return GetParam() == std::string("reference"); }
  static std::string TextOf(const Buffer& buffer) {
    const absl::StatusOr<Literal> literal = buffer.ToLiteral();
    return literal.ok() ? literal->ToString() : std::string(literal.status().message());
  }
  // The devices and the values of one array of each process.
  static std::vector<std::string> Texts(const std::vector<std::vector<Buffer>>& results) {
    std::vector<std::string> texts;
    for (const std::vector<Buffer>& own : results)
      texts.push_back(absl::StrCat(own[0].device(), ": ", TextOf(own[0])));
    return texts;
  }

  Client* client_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Targets, DevicesTest,
                         ::testing::Values("reference", "x86", "vulkan", "cuda"),
                         [](const auto& info) { return std::string(info.param); });

const std::string& SumText() {
  static const auto* text = new std::string(absl::StrCat("HloModule m, replica_count=4\n", kAdd, R"(
ENTRY e {
  x = s32[2] parameter(0)
  sum = s32[2] all-reduce(x), replica_groups={}, to_apply=add
  id = u32[] replica-id()
  i = s32[] convert(id)
  b = s32[2] broadcast(i), dimensions={}
  ROOT y = s32[2] add(sum, b)
})"));
  return *text;
}

TEST_P(DevicesTest, EachProcessRunsOnItsDevice) {
  for (const std::vector<int>& devices : {std::vector<int>{}, {3, 2, 1, 0}, {1, 1, 2, 1}}) {
    auto executable = Compile(SumText(), {.device_assignment = devices});
    const std::vector<int> used = devices.empty() ? std::vector<int>{0, 1, 2, 3} : devices;
    EXPECT_EQ(executable->device_assignment(), used);
    std::vector<std::vector<Buffer>> arguments;
    for (int p = 0; p < 4; ++p) arguments.push_back({OnDevice(S32({2}, {p, 10}), used[p])});
    auto results = executable->RunGrid(arguments);
    ASSERT_TRUE(results.ok()) << results.status();
    std::vector<std::string> want;
    for (int p = 0; p < 4; ++p)
      want.push_back(absl::StrCat(used[p], ": {", 6 + p, ", ", 40 + p, "}"));
    EXPECT_EQ(Texts(*results), want);
    // One list of arguments, on one device, serves all.
    results = executable->RunGrid({{OnDevice(S32({2}, {1, 2}), 3)}});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(Texts(*results)[2], absl::StrCat(used[2], ": {6, 10}"));
  }
}

TEST_P(DevicesTest, AProgramOfOneProcessRunsOnAnyDevice) {
  auto executable = Compile(R"(HloModule m
ENTRY e {
  x = s32[2] parameter(0)
  ROOT y = s32[2] negate(x)
})",
                            {.device_assignment = {2}});
  for (int device = -1; device < kDevices; ++device) {
    auto results = executable->Run({OnDevice(S32({2}, {1, 2}), 1)}, {.device = device});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ((*results)[0].device(), device < 0 ? 2 : device);
    EXPECT_EQ(TextOf((*results)[0]), "{-1, -2}");
  }
  auto wrong = executable->Run({OnDevice(S32({2}, {1, 2}), 1)}, {.device = 4});
  EXPECT_THAT(std::string(wrong.status().message()),
              HasSubstr("there is no device 4; the client has 4"));
}

TEST_P(DevicesTest, BuffersMoveBetweenDevices) {
  const Buffer first = OnDevice(S32({3}, {1, 2, 3}), 0);
  for (int device = 0; device < kDevices; ++device) {
    auto copy = client_->CopyToDevice(first, device);
    ASSERT_TRUE(copy.ok()) << copy.status();
    EXPECT_EQ(copy->device(), device);
    EXPECT_EQ(TextOf(*copy), "{1, 2, 3}");
    // On the fake driver, devices are on two GPUs in turn.
    const bool shares = GetParam() != std::string("cuda") || device % 2 == 0;
    if (!is_reference()) {
      EXPECT_EQ(copy->rep()->buffer == first.rep()->buffer, shares) << device;
    }
  }
  EXPECT_FALSE(client_->CopyToDevice(first, 4).ok());
  EXPECT_FALSE(client_->BufferFromLiteral(S32({}, {1}), -1).ok());
}

// A run that is given one of two Buffers that share memory must not write it.
TEST_P(DevicesTest, DonatedMemoryIsNotThatOfAnotherBuffer) {
  if (is_reference()) GTEST_SKIP() << "it does not donate";
  auto executable = Compile(R"(HloModule m, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  x = s32[3] parameter(0)
  ROOT y = s32[3] negate(x)
})");
  const Buffer first = OnDevice(S32({3}, {1, 2, 3}), 0);
  {
    auto second = client_->CopyToDevice(first, 2);
    ASSERT_TRUE(second.ok()) << second.status();
    auto results = executable->Run({*second}, {.device = 2, .donate = {true}});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(TextOf((*results)[0]), "{-1, -2, -3}");
    EXPECT_EQ(TextOf(first), "{1, 2, 3}");
  }
  auto results = executable->Run({first}, {.donate = {true}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(first.rep()->buffer->is_donated());
  EXPECT_FALSE(client_->CopyToDevice(first, 1).ok());
}

// Nobody waits between the runs, which take over each other's memory.
TEST_P(DevicesTest, GridsAreQueued) {
  auto executable = Compile(SumText(), {.device_assignment = {2, 0, 3, 1}});
  std::vector<std::vector<Buffer>> values;
  for (int p = 0; p < 4; ++p)
    values.push_back({OnDevice(S32({2}, {p, 1}), executable->device_assignment()[p])});
  for (int round = 0; round < 5; ++round) {
    auto next = executable->RunGrid(
        values, {.asynchronous = true, .donate = std::vector<std::vector<bool>>(4, {true})});
    ASSERT_TRUE(next.ok()) << next.status();
    values = *std::move(next);
  }
  // The sum becomes four times itself, and 6.
  EXPECT_THAT(Texts(values), ElementsAre("2: {2046, 1534}", "0: {2047, 1535}", "3: {2048, 1536}",
                                         "1: {2049, 1537}"));
}

TEST_P(DevicesTest, QueuedGridsReportTheProcessThatFailed) {
  if (is_reference()) GTEST_SKIP() << "it does not queue";
  RegisterCustomCall("fail_if_two", [](const CustomCallArguments& call) {
    const int32_t value = *static_cast<const int32_t*>(call.in[0]);
    *static_cast<int32_t*>(call.out[0]) = value;
    return value == 2 ? absl::InternalError("two is too much") : absl::OkStatus();
  });
  auto executable = Compile(absl::StrCat("HloModule m, replica_count=4\n", kAdd, R"(
ENTRY e {
  x = s32[] parameter(0)
  id = u32[] replica-id()
  i = s32[] convert(id)
  c = s32[] custom-call(i), custom_call_target="fail_if_two", api_version=API_VERSION_STATUS_RETURNING
  y = s32[] add(x, c)
  ROOT sum = s32[] all-reduce(y), replica_groups={}, to_apply=add
})"));
  auto results = executable->RunGrid({{OnDevice(S32({}, {1}), 0)}}, {.asynchronous = true});
  ASSERT_TRUE(results.ok()) << results.status();
  for (const std::vector<Buffer>& own : *results) {
    EXPECT_THAT(TextOf(own[0]), HasSubstr("process (2, 0)"));
    EXPECT_THAT(TextOf(own[0]), HasSubstr("two is too much"));
  }
  // The error of an argument becomes that of the next run.
  auto next = executable->RunGrid(*results, {.asynchronous = true});
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_THAT(TextOf((*next)[3][0]), HasSubstr("two is too much"));
}

TEST_P(DevicesTest, WrongOptionsAreErrors) {
  auto module = ParseProgram(SumText(), "p.hlo");
  ASSERT_TRUE(module.ok());
  auto compiled = client_->Compile(**module, {.device_assignment = {0, 1}});
  EXPECT_EQ(compiled.status().message(), "the device assignment has 2 devices for 4 processes");
  compiled = client_->Compile(**module, {.device_assignment = {0, 1, 2, 4}});
  EXPECT_EQ(compiled.status().message(), "the device assignment names device 4; the client has 4");
  if (is_reference()) return;
  auto executable = Compile(SumText(), {.device_assignment = {0, 1, 2, 2}});
  auto run = executable->RunGrid({{OnDevice(S32({2}, {1, 2}), 0)}}, {.asynchronous = true});
  EXPECT_THAT(std::string(run.status().message()),
              HasSubstr("an asynchronous run of 4 processes needs 4 devices"));
  run = executable->RunGrid({{OnDevice(S32({2}, {1, 2}), 0)}}, {.donate = {{true}}});
  EXPECT_THAT(std::string(run.status().message()), HasSubstr("`donate`"));
  EXPECT_FALSE(executable->Run({OnDevice(S32({2}, {1, 2}), 0)}, {.device = 1}).ok());
}

// Runs 1,000 programs if $HALYARD_NIGHTLY is set.
TEST_P(DevicesTest, RandomCollectivesAgreeWithTheEvaluator) {
  const std::string target = GetParam();
  if (is_reference()) GTEST_SKIP() << "it is the other side";
  const uint32_t count = std::getenv("HALYARD_NIGHTLY") != nullptr ? (target == "cuda" ? 100 : 1000)
                                                                   : (target == "cuda" ? 4 : 15);
  for (uint32_t seed = 1001; seed <= 1000 + count; ++seed) {
    RandomProgram program(seed);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", program.text()));
    std::mt19937 random(seed);
    std::vector<int> devices;
    Grids arguments;
    for (int64_t i = 0; i < program.processes(); ++i) {
      devices.push_back(static_cast<int>(random() % kDevices));
      arguments.push_back({program.Argument()});
    }
    const absl::StatusOr<Grids> want = RunGridOn("reference", program.text(), arguments);
    ASSERT_TRUE(want.ok()) << want.status();
    auto executable = Compile(program.text(), {.device_assignment = devices});
    const absl::StatusOr<Grids> got = executable->RunGridLiterals(arguments);
    ASSERT_TRUE(got.ok()) << got.status();
    for (size_t p = 0; p < want->size(); ++p) {
      ASSERT_TRUE((*got)[p][0].BitwiseEqual((*want)[p][0])) << "process " << p;
    }
  }
}

// Those of the same groups become one exchange (combine_exchanges.cc), and keep their bits.
TEST_P(DevicesTest, IndependentCollectives) {
  const std::string text = R"(HloModule m, replica_count=4
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
most { a = s8[] parameter(0) b = s8[] parameter(1) ROOT c = s8[] maximum(a, b) }
ENTRY e {
  x = f32[7,3] parameter(0)
  y = s8[50] parameter(1)
  z = f32[9000] parameter(2)
  i = f32[] parameter(3)
  a = f32[7,3] all-reduce(x), replica_groups={}, to_apply=add
  b = s8[50] all-reduce(y), replica_groups={}, to_apply=most
  c = f32[9000] all-reduce(z), replica_groups={}, to_apply=add
  d = f32[] all-reduce(i), replica_groups={{0,3},{1,2}}, to_apply=add
  e = f32[28,3] all-gather(x), replica_groups={}, dimensions={0}
  f = f32[7,3] all-reduce(a), replica_groups={}, to_apply=add
  ROOT r = (f32[7,3], s8[50], f32[9000], f32[], f32[28,3], f32[7,3]) tuple(a, b, c, d, e, f)
})";
  std::mt19937 random(1);
  Grids arguments(4);
  for (Literals& own : arguments) {
    for (const hlo::Shape& shape : {hlo::Shape::Array(hlo::ElementType::kF32, {7, 3}),
                                    hlo::Shape::Array(hlo::ElementType::kS8, {50}),
                                    hlo::Shape::Array(hlo::ElementType::kF32, {9000}),
                                    hlo::Shape::Scalar(hlo::ElementType::kF32)}) {
      Literal& literal = own.emplace_back(shape);
      for (int64_t i = 0; i < shape.NumElements(); ++i) {
        const int64_t value = static_cast<int64_t>(random() % 200) - 100;
        if (hlo::IsFloat(shape.element_type())) {
          literal.SetFloat(i, static_cast<double>(value) / 7);
        } else {
          literal.SetInt(i, value);
        }
      }
    }
  }
  const absl::StatusOr<Grids> want = RunGridOn("reference", text, arguments);
  ASSERT_TRUE(want.ok()) << want.status();
  const absl::StatusOr<Grids> got = Compile(text)->RunGridLiterals(arguments);
  ASSERT_TRUE(got.ok()) << got.status();
  for (size_t p = 0; p < 4; ++p) {
    for (size_t i = 0; i < 6; ++i)
      EXPECT_TRUE((*got)[p][i].BitwiseEqual((*want)[p][i])) << "process " << p << ", result " << i;
  }
}

// Who comes first waits for the others. Each process gathers four arrays of 8 bytes.
TEST(GridProfiles, SayWhatIsExchangedAndHowLongItWaits) {
  auto profile = std::make_shared<Profile>();
  auto client = Client::Create({.target = "x86", .num_devices = 4, .profile = profile});
  ASSERT_TRUE(client.ok()) << client.status();
  auto module = ParseProgram(SumText(), "p.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  auto executable = (*client)->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status();
  const auto results = (*executable)->RunGridLiterals({{S32({2}, {1, 2})}});
  ASSERT_TRUE(results.ok()) << results.status();
  // The exchange begins with what the process gives, and ends with what it takes and waits for.
  int64_t begins = 0, ends = 0, waited = 0;
  for (const ProfileEvent& event : profile->events()) {
    if (event.kind != ProfileEvent::Kind::kCommunication) continue;
    if (event.bytes == 8) {
      ++begins;
      EXPECT_EQ(event.waited_ns, 0);
    }
    if (event.bytes != 4 * 8) continue;
    ++ends;
    waited += event.waited_ns;
    EXPECT_THAT(event.name, HasSubstr("p.hlo:"));
    EXPECT_LE(event.waited_ns, event.end_ns - event.begin_ns);
  }
  EXPECT_EQ(begins, 4);
  EXPECT_EQ(ends, 4);
  EXPECT_GT(waited, 0);
  const std::string table = TableText(*profile, Tabulate(*profile, {}), {});
  EXPECT_THAT(table, HasSubstr("waiting"));
  EXPECT_THAT(TableJson(*profile, Tabulate(*profile, {}), {}), HasSubstr("\"waited_ms\""));
}

// Threads name the devices in different orders. Some wait for each run, some queue them, and some
// run programs of one process in between.
TEST_P(DevicesTest, ManyThreadsRunGrids) {
  const bool is_cuda = GetParam() == std::string("cuda");
  const int rounds = is_cuda ? 3 : GetParam() == std::string("x86") ? 125 : 20;
  std::vector<std::unique_ptr<Executable>> programs;
  for (const std::vector<int>& devices : {std::vector<int>{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 1, 0}})
    programs.push_back(Compile(SumText(), {.device_assignment = devices}));
  auto negate = Compile(R"(HloModule n
ENTRY e { x = s32[2] parameter(0) ROOT y = s32[2] negate(x) })");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int round = 0; round < rounds; ++round) {
        Executable& program = *programs[random() % programs.size()];
        if (random() % 4 == 0)
          std::this_thread::sleep_for(std::chrono::microseconds(random() % 1000));
        std::vector<std::vector<Buffer>> arguments;
        for (int p = 0; p < 4; ++p)
          arguments.push_back({OnDevice(S32({2}, {t, p}), program.device_assignment()[p])});
        const bool asynchronous = random() % 3 != 0;
        auto results = program.RunGrid(arguments, {.asynchronous = asynchronous});
        ASSERT_TRUE(results.ok()) << results.status();
        for (int p = 0; p < 4; ++p) {
          auto minus = negate->Run((*results)[p], {.device = program.device_assignment()[p]});
          ASSERT_TRUE(minus.ok()) << minus.status();
          ASSERT_EQ(TextOf((*minus)[0]), absl::StrCat("{", -4 * t - p, ", ", -6 - p, "}"));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(NumDevices, ComesFromTheOptionsOrTheEnvironment) {
  const auto count = [](int num_devices) -> std::string {
    auto client = Client::Create({.target = "x86", .num_devices = num_devices});
    return client.ok() ? absl::StrCat((*client)->num_devices())
                       : std::string(client.status().message());
  };
  setenv("HALYARD_NUM_DEVICES", "3", 1);
  EXPECT_EQ(count(0), "3");
  EXPECT_EQ(count(2), "2");
  setenv("HALYARD_NUM_DEVICES", "many", 1);
  EXPECT_EQ(count(0), "$HALYARD_NUM_DEVICES is `many`, not a number");
  setenv("HALYARD_NUM_DEVICES", "65", 1);
  EXPECT_EQ(count(0), "$HALYARD_NUM_DEVICES is 65; a client has 1 to 64 devices");
  unsetenv("HALYARD_NUM_DEVICES");
  EXPECT_EQ(count(0), "1");
  EXPECT_EQ(count(-1), "num_devices is -1; a client has 1 to 64 devices");
}

}  // namespace
}  // namespace halyard::testing
