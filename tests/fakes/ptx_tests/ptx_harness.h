// Runs a few lines of PTX for tests of the interpreter.
#ifndef HALYARD_TESTS_FAKES_PTX_TESTS_PTX_HARNESS_H_
#define HALYARD_TESTS_FAKES_PTX_TESTS_PTX_HARNESS_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/fakes/ptx/run.h"

namespace halyard::testing::ptx {

struct TestRun {
  Outcome outcome = Outcome::kBadLaunch;
  std::string message;  // from the parser or the run
  bool parsed = false;
};

// Returns a module with one entry `k(.param .u64 a, .param .u64 b, .param .u64 c)` with this body.
// It may use %p0-9, %h0-9 (16 bits), %r0-39, %d0-39 (64 bits). %d0 to %d2 hold the parameters. Line
// numbers in messages count from the first line of the body.
// The target is one that knows all instructions of the body.
inline std::string TestModule(const std::string& body, const std::string& before = "") {
  const std::string target = body.find("wgmma.") == std::string::npos ? "sm_86" : "sm_90a";
  return ".version 8.4\n.target " + target + "\n.address_size 64\n" + before +
         "\n.visible .entry k(\n\t.param .u64 a,\n\t.param .u64 b,\n\t.param .u64 c\n)\n{\n"
         "\t.reg .pred %p<10>;\n\t.reg .b16 %h<10>;\n\t.reg .b32 %r<40>;\n\t.reg .b64 %d<40>;\n"
         "\tld.param.b64 %d0, [a];\n\tld.param.b64 %d1, [b];\n\tld.param.b64 %d2, [c];\n" +
         body + "\nret;\n}\n";
}

// Runs `body` on three arrays, whose bytes it may change.
template <typename A, typename B, typename C>
TestRun RunBody(const std::string& body, std::vector<A>* a, std::vector<B>* b, std::vector<C>* c,
                Launch launch, const RunOptions& options = {}, const std::string& before = "") {
  TestRun result;
  const std::unique_ptr<Module> module = ParseModule(TestModule(body, before), &result.message);
  if (module == nullptr) return result;
  result.parsed = true;
  const uint64_t addresses[] = {reinterpret_cast<uint64_t>(a->data()),
                                reinterpret_cast<uint64_t>(b->data()),
                                reinterpret_cast<uint64_t>(c->data())};
  launch.parameters.resize(sizeof(addresses));
  std::memcpy(launch.parameters.data(), addresses, sizeof(addresses));
  std::vector<std::pair<uint64_t, uint64_t>> memory;
  const auto add = [&](uint64_t address, size_t bytes) {
    if (bytes != 0) memory.emplace_back(address, bytes);
  };
  add(addresses[0], a->size() * sizeof(A));
  add(addresses[1], b->size() * sizeof(B));
  add(addresses[2], c->size() * sizeof(C));
  result.outcome =
      RunGrid(*module, module->functions.at("k"), launch, memory, options, &result.message);
  return result;
}

// Returns a launch of one warp.
inline Launch OneWarp(uint32_t lanes = 32) {
  Launch launch;
  launch.block[0] = lanes;
  return launch;
}

using Words = std::vector<uint32_t>;

inline constexpr char kShared[] = ".extern .shared .align 16 .b8 memory[];\n";
// %r0 is the thread, %r1 four times that, %d3 the thread's place in c, %r2 its place in shared
// memory.
inline constexpr char kPlaces[] =
    "mov.u32 %r0, %tid.x;\nshl.b32 %r1, %r0, 2;\nmul.wide.u32 %d3, %r0, 4;\nadd.s64 %d3, %d3, "
    "%d2;\n";
inline constexpr char kSharedPlace[] = "mov.u32 %r2, memory;\nadd.s32 %r2, %r2, %r1;\n";

inline TestRun RunWords(const std::string& body, Words* c, Launch launch,
                        const RunOptions& options = {}, const std::string& before = "") {
  Words none(1);
  return RunBody(kPlaces + body, &none, &none, c, launch, options, before);
}

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_TESTS_PTX_HARNESS_H_
