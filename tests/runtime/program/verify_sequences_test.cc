#include "runtime/program/verify_sequences.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/hash.h"
#include "runtime/program/program.h"
#include "tests/runtime/program_builder.h"

namespace halyard::runtime {
namespace {

using halyard::testing::ProgramBuilder;
using program_format::Header;
using program_format::SequenceRecord;
using program_format::StepRecord;

// Sequences whose steps each have one child.
class Sequences {
 public:
  // Adds a sequence whose steps run these.
  uint32_t Add(const std::vector<uint32_t>& children) {
    sequences_.push_back({steps_.size(), children.size()});
    for (const uint32_t child : children) {
      StepRecord step = {};
      step.first_child = children_.size();
      step.num_children = 1;
      steps_.push_back(step);
      children_.push_back(child);
    }
    return static_cast<uint32_t>(sequences_.size()) - 1;
  }
  // Adds `count` sequences, one inside the other, with `inner` in the last. Returns the outermost.
  uint32_t AddNested(uint32_t count, uint32_t inner) {
    for (; count > 0; --count) inner = Add({inner});
    return inner;
  }
  std::string Verify() const {
    Status status = VerifySequences(
        {sequences_.data(), sequences_.size(), steps_.data(), steps_.size(), children_.data()});
    return status.ok() ? "" : status.message();
  }
  std::vector<SequenceRecord>& records() { return sequences_; }

 private:
  std::vector<SequenceRecord> sequences_;
  std::vector<StepRecord> steps_;
  std::vector<uint32_t> children_;
};

TEST(VerifySequences, LimitsHowDeepTheyNest) {
  for (const uint32_t depth : {1u, 127u, 128u, 129u, 200000u}) {
    Sequences s;
    s.AddNested(depth, s.Add({}));
    EXPECT_EQ(s.Verify() == "", depth <= 128) << depth;
  }
}

// Each chain is short, and has been visited before the next one leads into it.
TEST(VerifySequences, AddsUpWhatIsVisitedInParts) {
  for (const uint32_t chains : {1u, 2u, 1000u}) {
    Sequences s;
    uint32_t outermost = s.Add({});
    for (uint32_t i = 0; i < chains; ++i) outermost = s.AddNested(100, outermost);
    EXPECT_EQ(s.Verify() == "", chains == 1) << chains;
  }
}

TEST(VerifySequences, MayShareChildren) {
  Sequences s;
  const uint32_t leaf = s.Add({}), both = s.Add({leaf, leaf});
  s.Add({both, leaf, both});
  EXPECT_EQ(s.Verify(), "");
}

TEST(VerifySequences, RefusesCirclesAndSteps) {
  Sequences circle;
  circle.Add({1});
  circle.Add({2});
  circle.Add({1});
  EXPECT_NE(circle.Verify().find("circle"), std::string::npos);
  Sequences shared;
  shared.Add({});
  shared.Add({0, 0, 0});
  shared.Add({0});
  shared.records()[2] = shared.records()[1];
  EXPECT_NE(shared.Verify().find("share steps"), std::string::npos);
  Sequences overlapping;  // no more steps together than there are
  overlapping.Add({});
  overlapping.Add({0, 0});
  overlapping.Add({0, 0});
  overlapping.records()[2].first_step = 1;
  EXPECT_NE(overlapping.Verify().find("share steps"), std::string::npos);
  Sequences outside;
  outside.Add({});
  outside.records()[0].num_steps = 1;
  EXPECT_NE(outside.Verify().find("sequence's steps"), std::string::npos);
}

// The time of a check must not grow with how often records name the same things.
TEST(Program, RefusesRecordsThatShareWhatTheyDescribe) {
  ProgramBuilder b("shared");
  const auto in = b.Parameter("f32", {2, 3}, 24), out = b.Result("f32", {2, 3}, 24);
  b.Copy(0, in, out);
  b.Copy(0, in, out);
  std::string bytes = b.Write();
  const auto status_of = [](std::string changed) {
    const Header* header = reinterpret_cast<const Header*>(changed.data());
    const uint64_t sum = Hash64(changed.data() + program_format::kChecksumEnd,
                                header->constants_begin - program_format::kChecksumEnd);
    reinterpret_cast<Header*>(changed.data())->checksum = sum;
    Program* program = nullptr;
    Status status =
        Program::Copy({reinterpret_cast<const uint8_t*>(changed.data()), changed.size()}, &program);
    if (!status.ok()) return std::string(status.message());
    program->Destroy();
    return std::string();
  };
  EXPECT_EQ(status_of(bytes), "");
  const Header header = *reinterpret_cast<const Header*>(bytes.data());
  {
    std::string changed = bytes;  // both steps have the second's slices
    auto* steps = reinterpret_cast<StepRecord*>(changed.data() + header.steps.offset);
    steps[0].first_slice = steps[1].first_slice;
    EXPECT_EQ(status_of(changed), "");  // there are as many as before
    reinterpret_cast<Header*>(changed.data())->slices.count = 3;
    steps[0].first_slice = steps[1].first_slice = 0;
    EXPECT_NE(status_of(changed).find("step's slices"), std::string::npos);
  }
  {
    std::string changed = bytes;  // many steps with one long text
    auto* steps = reinterpret_cast<StepRecord*>(changed.data() + header.steps.offset);
    for (int i = 0; i < 2; ++i) steps[i].config = {0, header.constants_begin - 100};
    EXPECT_NE(status_of(changed).find("step's strings"), std::string::npos);
  }
}

}  // namespace
}  // namespace halyard::runtime
