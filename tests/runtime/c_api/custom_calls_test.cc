// Custom calls of the form that tells types and shapes.
#include <string>
#include <vector>

#include "tests/runtime/c_api/c_api_fixture.h"

namespace halyard::testing {
namespace {

using CustomCallsTest = X86Test;

// (out0: s32[2,3], out1: f32[]) = call "seen"(arg0: s32[2,3]). `shapes`: whether the program tells
// them.
std::string CallProgram(bool shapes) {
  ProgramBuilder b("call");
  const auto in = b.Parameter("s32", {2, 3}, 24);
  const auto out = b.Result("s32", {2, 3}, 24), sum = b.Result("f32", {}, 4);
  auto& step = b.Call(0, "seen", {in}, {out, sum});
  if (shapes) step.numbers = {5, 2, 2, 3, 5, 2, 2, 3, 15, 0};
  return b.Write();
}

struct Seen {
  std::string text;
  int fail = 0;
};

std::string Text(const hy_value& value) {
  std::string text = std::string(value.element_type) + "[";
  for (int d = 0; d < value.rank; ++d) text += std::to_string(value.dims[d]) + ",";
  return text + "]" + std::to_string(value.bytes);
}

hy_status See(const hy_call* call) {
  Seen* seen = static_cast<Seen*>(call->user);
  if (seen->fail != 0) return hy_status_new(seen->fail, "told to fail");
  seen->text = std::string(call->name) + " " + std::string(call->config, call->config_bytes);
  for (int i = 0; i < call->num_operands; ++i) seen->text += " " + Text(call->operands[i]);
  seen->text += " ->";
  for (int i = 0; i < call->num_results; ++i) seen->text += " " + Text(call->results[i]);
  const int32_t* in = static_cast<const int32_t*>(call->in[0]);
  int32_t* out = static_cast<int32_t*>(call->out[0]);
  float sum = 0;
  for (int i = 0; i < 6; ++i) {
    out[i] = 2 * in[i];
    sum += static_cast<float>(in[i]);
  }
  *static_cast<float*>(call->out[1]) = sum;
  return call->struct_size == sizeof(hy_call) ? nullptr : hy_status_new(HY_INTERNAL, "size");
}

TEST_F(CustomCallsTest, SeeTypesAndShapes) {
  for (const bool shapes : {true, false}) {
    Seen seen;
    ASSERT_EQ(hy_device_register_call(device_, "seen", &See, &seen), nullptr);
    hy_program* program = Load(CallProgram(shapes));
    int32_t in[6] = {1, 2, 3, 4, 5, 6}, out[6] = {};
    float sum = 0;
    const void* arguments[] = {in};
    void* results[] = {out, &sum};
    ASSERT_EQ(hy_run(program, arguments, results), nullptr);
    EXPECT_EQ(seen.text, shapes ? "seen config of seen s32[2,3,]24 -> s32[2,3,]24 f32[]4"
                                : "seen config of seen []24 -> []24 []4");
    EXPECT_EQ(out[5], 12);
    EXPECT_EQ(sum, 21.0f);
    // Its status ends the run.
    seen.fail = HY_NOT_FOUND;
    ExpectError(hy_run(program, arguments, results), HY_NOT_FOUND,
                "custom call seen (step 0.0): told to fail");
    hy_program_free(program);
  }
}

TEST_F(CustomCallsTest, WrongShapesAreDamage) {
  const std::vector<std::vector<int64_t>> wrong = {
      {5, 2, 2, 3, 5, 2, 2, 3},                  // one is missing
      {5, 2, 2, 3, 5, 2, 2, 3, 15, 0, 1},        // something is left over
      {5, 2, 2, 4, 5, 2, 2, 3, 15, 0},           // too large for its slice
      {99, 2, 2, 3, 5, 2, 2, 3, 15, 0},          // no type
      {-1, 2, 2, 3, 5, 2, 2, 3, 15, 0},          //
      {5, 1000, 2, 3, 5, 2, 2, 3, 15, 0},        // no rank
      {5, -2, 2, 3, 5, 2, 2, 3, 15, 0},          //
      {5, 2, -2, -3, 5, 2, 2, 3, 15, 0},         // no dimension
      {5, 2, INT64_MAX, 6, 5, 2, 2, 3, 15, 0}};  // its size overflows
  for (const std::vector<int64_t>& numbers : wrong) {
    ProgramBuilder b("call");
    const auto in = b.Parameter("s32", {2, 3}, 24);
    const auto out = b.Result("s32", {2, 3}, 24), sum = b.Result("f32", {}, 4);
    b.Call(0, "seen", {in}, {out, sum}).numbers = numbers;
    const std::string bytes = b.Write();
    hy_program* program = nullptr;
    ExpectError(hy_program_load_memory(device_, bytes.data(), bytes.size(), 1, &program),
                HY_DATA_LOSS, "custom call's shapes");
  }
}

// The calls of hy_choose_options are there when the program is loaded.
TEST_F(CustomCallsTest, ComeWithThePrograms) {
  Seen seen;
  const hy_named_call calls[] = {{"seen", &See, &seen}};
  const std::string bytes = CallProgram(true);
  std::string aligned(bytes.size() + 256, '\0');
  char* at = aligned.data();
  at += (256 - reinterpret_cast<uintptr_t>(at) % 256) % 256;
  std::memcpy(at, bytes.data(), bytes.size());
  hy_linked_program linked = {};
  linked.bytes = at;
  linked.size = bytes.size();
  hy_choose_options options = WithSize<hy_choose_options>();
  options.shared_device = device_;
  hy_program* program = nullptr;
  ExpectError(hy_program_choose_linked(&linked, &options, &program), HY_NOT_FOUND,
              "custom call seen is not registered");
  options.calls = calls;
  options.num_calls = 1;
  ASSERT_EQ(hy_program_choose_linked(&linked, &options, &program), nullptr);
  EXPECT_EQ(hy_program_device(program), device_) << "the device is shared";
  int32_t in[6] = {1, 2, 3, 4, 5, 6}, out[6] = {};
  float sum = 0;
  const void* arguments[] = {in};
  void* results[] = {out, &sum};
  ASSERT_EQ(hy_run(program, arguments, results), nullptr);
  EXPECT_EQ(sum, 21.0f);
  hy_program_free(program);
  options.threads = 2;
  ExpectError(hy_program_choose_linked(&linked, &options, &program), HY_INVALID_ARGUMENT,
              "beside shared_device");
}

}  // namespace
}  // namespace halyard::testing
