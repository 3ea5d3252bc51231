#include "tests/pjrt/programs.h"

#include <cstdio>

namespace halyard::testing {

Door door;
std::atomic<int> held;
std::mutex call_mutex;
std::condition_variable call_changed;
bool call_waits = false;

static int Negate(uint64_t number, const void* const* in, void* const* out, char* error,
                  uint64_t bytes) {
  {
    std::unique_lock<std::mutex> lock(call_mutex);
    call_changed.wait(lock, [] { return !call_waits; });
  }
  const float* x = static_cast<const float*>(in[0]);
  if (number != 17 || x[0] < 0) {
    std::snprintf(error, bytes, "number %d is below zero", static_cast<int>(x[0]));
    return 1;
  }
  for (int i = 0; i < 4; ++i) static_cast<float*>(out[0])[i] = -2 * x[i];
  return 0;
}

void ExpectMissing(PJRT_Error* error, const std::string& argument) {
  const absl::Status refused = Take(error);
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(refused.message(), "the argument `" + argument + "` is missing");
}

void Programs::SetUp() {
  // Set only once, because the library may still read it in the thread that destroys an earlier
  // program.
  static const bool opened = [] {
    door.call = Negate;
    door.hold = [](uint64_t, int change) { held += change; };
    return true;
  }();
  ASSERT_TRUE(opened);
  auto made = Platform::Create({IntOption("python_callback", reinterpret_cast<int64_t>(&door))});
  ASSERT_TRUE(made.ok()) << made.status();
  platform_ = *std::move(made);
}

Array Programs::Put(const std::vector<float>& values) {
  auto array = platform_->FromHost({values.data(),
                                    PJRT_Buffer_Type_F32,
                                    {static_cast<int64_t>(values.size())},
                                    {},
                                    PJRT_HostBufferSemantics_kImmutableOnlyDuringCall});
  EXPECT_TRUE(array.ok()) << array.status();
  return *std::move(array);
}

Loaded Programs::Compile(const std::string& text) {
  auto loaded = platform_->Compile(text);
  EXPECT_TRUE(loaded.ok()) << loaded.status();
  return *std::move(loaded);
}

}  // namespace halyard::testing
