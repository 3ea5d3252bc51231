#include "runtime/program/program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/hash.h"
#include "runtime/program/program_format.h"
#include "runtime/program/program_verifier.h"
#include "runtime/version.h"
#include "tests/runtime/program_builder.h"

namespace halyard::runtime {
namespace {

using halyard::testing::ProgramBuilder;

ByteSpan Span(const std::string& bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

// Every kind of step, allocation and table. These tests do not look at the bytes of kernels.
ProgramBuilder Everything() {
  ProgramBuilder b("everything", 5);
  const auto in = b.Parameter("f32", {2, 3}, 24, 1);
  b.Parameter("bf16", {}, 2);
  const auto scalar = b.Result("s32", {}, 4);
  const auto out = b.Result("f32", {2, 3}, 24);
  b.spec.results[1].minor_to_major = {0, 1};
  const auto weights = b.Constant(std::string(24, 'w'));
  b.Constant(std::string(1000, 'x'));
  const auto temp = b.Temp(24), predicate = b.Temp(1, MemorySpace::kHost),
             index = b.Temp(4, MemorySpace::kHost);
  const int32_t kernel = b.Kernel("kernel object bytes"), second = b.Kernel(std::string(77, 'k'));
  b.Launch(0, kernel, {in, weights}, {temp});
  b.While(0, predicate, 1, 2);
  b.Case(0, index, {3, 4});
  b.Call(0, "target", {index}, {index});
  b.Copy(0, temp, out);
  b.Launch(0, second, {out}, {scalar});
  b.Launch(1, kernel, {temp, in}, {predicate});
  b.Copy(2, weights, temp);
  b.While(3, {}, 4, 4, 10).slices.clear();
  b.spec.sequences[3].steps[0].num_inputs = 0;
  b.Copy(4, {temp.allocation, 4, 8}, {out.allocation, 0, 8});
  b.spec.num_replicas = 2;
  b.spec.num_partitions = 3;
  using Kind = ProgramSpec::Step::Kind;
  const auto part = b.Temp(8), whole = b.Temp(16);
  b.Communicate(4, Kind::kProcessId, {1}, {}, {{whole.allocation, 0, 4}});
  b.Communicate(4, Kind::kExchange, {0, 2, 2, 1, 5, 0, 3}, {part}, {whole});
  b.Communicate(4, Kind::kExchange, {1, 1, 2, 4, 1}, {whole}, {whole});
  b.Communicate(4, Kind::kExchange, {2, 2, 2, 2, 0, 1, 1, 0}, {part, whole}, {part, whole});
  b.Communicate(4, Kind::kExchange, {3, 1, 3, 5, 0, 3}, {part}, {part});
  b.Communicate(4, Kind::kSend, {9, 0}, {part, whole}, {});
  b.Communicate(4, Kind::kReceive, {9, 1}, {}, {part});
  b.Communicate(4, Kind::kInfeed, {}, {}, {part, whole});
  b.Communicate(4, Kind::kOutfeed, {}, {part}, {});
  b.Communicate(4, Kind::kExchangeBegin, {0, 2, 2, 1, 5, 0, 3}, {part}, {});
  b.Communicate(4, Kind::kExchangeBegin, {2, 2, 2, 2, 0, 1, 1, 0}, {part}, {});
  b.Communicate(4, Kind::kExchangeEnd, {1}, {part}, {part});
  b.Communicate(4, Kind::kExchangeEnd, {0}, {part}, {whole});
  b.spec.device.x86_features = 5;
  b.spec.device.has_f16 = true;
  b.spec.device.keeps_denormals = false;
  return b;
}

TEST(Program, RoundTrip) {
  const ProgramBuilder b = Everything();
  const std::string bytes = b.Write();
  EXPECT_EQ(bytes, b.Write());
  Program* p = nullptr;
  Status status = Program::Copy(Span(bytes), &p);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_STREQ(p->name().data, "everything");
  EXPECT_STREQ(p->target().data, "x86");
  EXPECT_EQ(p->num_replicas(), 2u);
  EXPECT_EQ(p->num_partitions(), 3u);
  EXPECT_TRUE(p->communicates());
  EXPECT_EQ(p->device().kind, DeviceKind::kX86);
  EXPECT_STREQ(p->device().name, "x86-64-v1");
  EXPECT_EQ(p->device().x86_features, 5u);
  EXPECT_TRUE(p->device().has_f16);
  EXPECT_FALSE(p->device().has_f64);
  EXPECT_FALSE(p->device().keeps_denormals);
  EXPECT_EQ(p->device_arena_bytes(), 768u);
  EXPECT_EQ(p->host_arena_bytes(), 512u);
  ASSERT_EQ(p->num_parameters(), 2u);
  EXPECT_STREQ(p->String(p->parameter(0).name).data, "arg0");
  EXPECT_STREQ(p->String(p->parameter(0).element_type).data, "f32");
  EXPECT_EQ(p->parameter(0).rank, 2u);
  EXPECT_EQ(p->dims(p->parameter(0))[1], 3);
  EXPECT_EQ(p->parameter(0).donated_to_result, 1);
  EXPECT_EQ(p->minor_to_major(p->parameter(0)), nullptr);
  EXPECT_EQ(p->parameter(1).rank, 0u);
  ASSERT_EQ(p->num_results(), 2u);
  ASSERT_NE(p->minor_to_major(p->result(1)), nullptr);
  EXPECT_EQ(p->minor_to_major(p->result(1))[1], 1);
  ASSERT_EQ(p->num_constants(), 2u);
  EXPECT_EQ(p->constant(0).size, 24u);
  EXPECT_EQ(0, memcmp(p->constant(0).data, std::string(24, 'w').data(), 24));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(p->constant(1).data) % 256, 0u);
  ASSERT_EQ(p->num_kernels(), 2u);
  EXPECT_EQ(p->Bytes(p->kernel(1).object).size, 77u);
  EXPECT_STREQ(p->String(p->kernel(0).provenance).data, "here");
  ASSERT_EQ(p->num_sequences(), 5u);
  ASSERT_EQ(p->sequence(0).num_steps, 6u);
  const program_format::StepRecord& call = p->step(3);
  EXPECT_EQ(static_cast<StepKind>(call.kind), StepKind::kCustomCall);
  EXPECT_STREQ(p->String(call.target).data, "target");
  EXPECT_EQ(p->Bytes(call.config).size, strlen("config of target"));
  EXPECT_EQ(p->children(p->step(1))[1], 2u);
  EXPECT_EQ(p->slices(p->step(p->sequence(4).first_step))[0].offset, 4u);
  EXPECT_EQ(p->step(p->sequence(3).first_step).trip_count, 10);
  p->Destroy();
}

TEST(Program, OpensFiles) {
  const std::string path = ::testing::TempDir() + "/program_test.hyp";
  std::ofstream(path, std::ios::binary) << Everything().Write();
  Program* p = nullptr;
  Status status = Program::Open(path.c_str(), &p);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(p->num_constants(), 2u);
  p->Destroy();
  std::ofstream(path, std::ios::binary) << "short";
  status = Program::Open(path.c_str(), &p);
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_NE(std::string(status.message()).find(path), std::string::npos);
  std::ofstream(path, std::ios::binary | std::ios::trunc).flush();
  EXPECT_EQ(Program::Open(path.c_str(), &p).code(), Code::kDataLoss);
  remove(path.c_str());
  EXPECT_EQ(Program::Open(path.c_str(), &p).code(), Code::kNotFound);
  EXPECT_EQ(Program::Open(::testing::TempDir().c_str(), &p).code(), Code::kDataLoss);
}

TEST(Program, EveryDamagedByteIsNoticed) {
  const std::string bytes = Everything().Write();
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= static_cast<char>(1 << (i % 8));
    Program* p = nullptr;
    Status status = Program::Copy(Span(damaged), &p);
    ASSERT_EQ(status.code(), Code::kDataLoss) << i;
  }
}

TEST(Program, ConstantsAreCheckedOnRequest) {
  const std::string bytes = Everything().Write();
  program_format::Header header;
  memcpy(&header, bytes.data(), sizeof(header));
  ASSERT_LT(header.constants_begin, bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= static_cast<char>(1 << (i % 8));
    Program* p = nullptr;
    Status status = Program::Copy(Span(damaged), &p, Check::kAllButConstants);
    ASSERT_EQ(status.code(), i < header.constants_begin ? Code::kDataLoss : Code::kOk) << i;
    if (!status.ok()) continue;
    ASSERT_EQ(VerifyConstants(*p).code(), Code::kDataLoss) << i;
    p->Destroy();
  }
}

TEST(Program, ErrorsNameBothVersions) {
  std::string bytes = Everything().Write();
  Program* p = nullptr;
  const auto error = [&](size_t at, uint32_t value) {
    std::string changed = bytes;
    memcpy(&changed[at], &value, sizeof(value));
    return std::string(Program::Copy(Span(changed), &p).message());
  };
  const std::string own = std::string("this is Halyard ") + HALYARD_VERSION_TEXT +
                          ", which reads format " + std::to_string(program_format::kVersion);
  const std::string damaged = error(200, 0x12345678), newer = error(16, 77), old = [&] {
    memset(&bytes[20], 0, 4);
    return error(16, 3);
  }();
  EXPECT_NE(damaged.find("damaged"), std::string::npos) << damaged;
  EXPECT_NE(damaged.find(std::string("Halyard ") + HALYARD_VERSION_TEXT + " made it in format "),
            std::string::npos)
      << damaged;
  EXPECT_NE(newer.find("made it in format 77"), std::string::npos) << newer;
  EXPECT_NE(old.find("in format 3, of a Halyard before 0.1.0"), std::string::npos) << old;
  for (const std::string& text : {damaged, newer, old})
    EXPECT_NE(text.find(own), std::string::npos) << text;
}

TEST(Program, EveryTruncationIsNoticed) {
  const std::string bytes = Everything().Write();
  for (size_t size = 0; size < bytes.size(); ++size) {
    Program* p = nullptr;
    ASSERT_EQ(Program::Copy(Span(bytes.substr(0, size)), &p).code(), Code::kDataLoss) << size;
  }
}

// Wrong contents with a correct checksum are either refused, or all within bounds (which ASan
// checks).
TEST(Program, WrongContentsWithARightChecksum) {
  const std::string bytes = Everything().Write();
  program_format::Header header;
  memcpy(&header, bytes.data(), sizeof(header));
  int refused = 0;
  for (size_t i = 16; i < header.constants_begin; ++i) {
    for (const unsigned char value : {0x00, 0x01, 0x7f, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      memcpy(&header, changed.data(), sizeof(header));
      if (header.constants_begin > changed.size() || header.constants_begin < 16) continue;
      const uint64_t checksum = Hash64(changed.data() + 16, header.constants_begin - 16);
      memcpy(&changed[8], &checksum, sizeof(checksum));
      Program* p = nullptr;
      if (!Program::Copy(Span(changed), &p).ok()) {
        ++refused;
        continue;
      }
      for (uint64_t s = 0; s < p->num_steps(); ++s) {
        for (uint32_t k = 0; k < p->step(s).num_slices; ++k) {
          EXPECT_LT(p->slices(p->step(s))[k].allocation, p->num_allocations());
        }
        for (uint32_t k = 0; k < p->step(s).num_children; ++k) {
          EXPECT_LT(p->children(p->step(s))[k], p->num_sequences());
        }
      }
      p->Destroy();
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Program, RefusesWhatMakesNoSense) {
  using Spec = ProgramSpec;
  const std::vector<std::pair<const char*, std::function<void(Spec&)>>> cases = {
      {"slice outside", [](Spec& s) { s.sequences[0].steps[0].slices[0].offset = 1; }},
      {"slice of an unknown", [](Spec& s) { s.sequences[0].steps[0].slices[0].allocation = 99; }},
      {"temp outside", [](Spec& s) { s.device_arena_bytes = 10; }},
      {"temp outside", [](Spec& s) { s.allocations[6].offset = 8; }},
      {"writes a parameter", [](Spec& s) { s.sequences[0].steps[0].num_inputs = 0; }},
      {"writes a parameter or constant",
       [](Spec& s) {
         s.sequences[2].steps[0].slices[1] = {4, 0, 24};
       }},
      {"unknown kernel", [](Spec& s) { s.sequences[0].steps[0].kernel = 2; }},
      {"unknown kernel", [](Spec& s) { s.sequences[0].steps[0].kernel = -1; }},
      {"circle", [](Spec& s) { s.sequences[4].steps.push_back(s.sequences[3].steps[0]); }},
      {"unknown sequence",
       [](Spec& s) {
         s.sequences[0].steps[1].sequences = {1, 9};
       }},
      {"unknown sequence",
       [](Spec& s) {
         s.sequences[0].steps[1].sequences = {0, 2};
       }},
      {"malformed while", [](Spec& s) { s.sequences[0].steps[1].sequences = {1}; }},
      {"malformed case", [](Spec& s) { s.sequences[0].steps[2].slices[0].bytes = 2; }},
      {"malformed copy", [](Spec& s) { s.sequences[0].steps[4].slices[0].bytes = 2; }},
      {"without a target", [](Spec& s) { s.sequences[0].steps[3].target.clear(); }},
      {"donation", [](Spec& s) { s.parameters[0].donated_to_result = 2; }},
      {"another size", [](Spec& s) { s.parameters[0].donated_to_result = 0; }},
      {"dimension is negative", [](Spec& s) { s.parameters[0].dims[1] = -3; }},
      {"layout",
       [](Spec& s) {
         s.results[1].minor_to_major = {0, 2};
       }},
      {"of a value's size",
       [](Spec& s) {
         s.parameters[0].bytes = 20;
         s.parameters[0].donated_to_result = -1;
       }},
      {"without an allocation", [](Spec& s) { s.results.push_back(s.results[0]); }},
      {"second allocation", [](Spec& s) { s.allocations.push_back(s.allocations[0]); }},
      {"unknown constant", [](Spec& s) { s.allocations[4].number = 2; }},
      {"no sequence", [](Spec& s) { s.sequences.clear(); }},
      {"grid of processes", [](Spec& s) { s.num_replicas = 0; }},
      {"grid of processes", [](Spec& s) { s.num_partitions = int64_t{1} << 40; }},
      {"step's numbers", [](Spec& s) { s.sequences[0].steps[0].numbers = {1}; }},
      {"malformed process id", [](Spec& s) { s.sequences[4].steps[1].numbers = {2}; }},
      {"malformed process id", [](Spec& s) { s.sequences[4].steps[1].slices[0].bytes = 8; }},
      {"malformed exchange", [](Spec& s) { s.sequences[4].steps[2].numbers[0] = 4; }},
      {"malformed exchange", [](Spec& s) { s.sequences[4].steps[2].numbers = {0}; }},
      {"malformed exchange", [](Spec& s) { s.sequences[4].steps[2].num_inputs = 2; }},
      {"exchange's groups", [](Spec& s) { s.sequences[4].steps[2].numbers[1] = 99; }},
      {"exchange's groups", [](Spec& s) { s.sequences[4].steps[2].numbers[2] = -1; }},
      {"exchange's members", [](Spec& s) { s.sequences[4].steps[2].numbers[4] = 6; }},
      {"exchange's members", [](Spec& s) { s.sequences[4].steps[2].numbers[4] = 0; }},
      {"exchange's members", [](Spec& s) { s.sequences[4].steps[2].numbers.push_back(1); }},
      {"of other sizes", [](Spec& s) { s.sequences[4].steps[2].slices[1].bytes = 8; }},
      {"of other sizes", [](Spec& s) { s.sequences[4].steps[2].slices[1].bytes = 12; }},
      {"of other sizes", [](Spec& s) { s.sequences[4].steps[3].slices[1].bytes = 8; }},
      {"unequal blocks",
       [](Spec& s) {
         s.sequences[4].steps[3].slices[0].bytes = s.sequences[4].steps[3].slices[1].bytes = 7;
       }},
      {"exchange's members", [](Spec& s) { s.sequences[4].steps[4].numbers[6] = 0; }},
      {"malformed transfer", [](Spec& s) { s.sequences[4].steps[6].num_inputs = 1; }},
      {"malformed transfer", [](Spec& s) { s.sequences[4].steps[7].numbers[1] = 2; }},
      {"malformed transfer", [](Spec& s) { s.sequences[4].steps[8].numbers = {1}; }},
      {"malformed begin of an exchange", [](Spec& s) { s.sequences[4].steps[10].num_inputs = 0; }},
      {"malformed end of an exchange", [](Spec& s) { s.sequences[4].steps[12].numbers = {}; }},
      {"malformed end of an exchange", [](Spec& s) { s.sequences[4].steps[12].num_inputs = 2; }},
      {"has not begun", [](Spec& s) { s.sequences[4].steps[12].numbers = {2}; }},
      {"has not begun", [](Spec& s) { s.sequences[4].steps[12].numbers = {-1}; }},
      {"has not begun", [](Spec& s) { s.sequences[4].steps[13].numbers = {1}; }},
      {"has not begun",
       [](Spec& s) { std::swap(s.sequences[4].steps[11], s.sequences[4].steps[12]); }},
      {"does not end", [](Spec& s) { s.sequences[4].steps.pop_back(); }},
      {"with other operands",
       [](Spec& s) { s.sequences[4].steps[13].slices[0] = s.sequences[4].steps[3].slices[0]; }},
      {"of other sizes", [](Spec& s) { s.sequences[4].steps[13].slices[1].bytes = 8; }},
      {"exchange's members", [](Spec& s) { s.sequences[4].steps[10].numbers[4] = 6; }},
      {"malformed exchange",
       [](Spec& s) {
         s.sequences[4].steps[10].numbers = {4, 0};
       }},
      {"device's kind", [](Spec& s) { s.device.kind = DeviceKind::kReference; }},
  };
  for (const auto& [message, change] : cases) {
    ProgramBuilder b = Everything();
    change(b.spec);
    Program* p = nullptr;
    Status status = Program::Copy(Span(b.Write()), &p);
    EXPECT_EQ(status.code(), Code::kDataLoss) << message;
    EXPECT_NE(std::string(status.message()).find(message), std::string::npos)
        << message << " / " << status.message();
  }
}

}  // namespace
}  // namespace halyard::runtime
