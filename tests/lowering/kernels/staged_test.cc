// Products in stages: their PTX, run by the fake driver's interpreter and compared with the
// evaluator; and with faults put into it, which interpreter or results must show.

#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/kernel_object.h"
#include "tests/fakes/ptx_run.h"
#include "tests/lowering/kernels/kernel_harness.h"
#include "tests/lowering/kernels/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class StagedTest : public OnFakeCuda {
 protected:
  void SetUp() override {
    setenv("HALYARD_PTXAS", "", 1);  // kernels stay text
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  void Check(const std::string& hlo, double tolerance, const std::string& knobs) {
    const std::string schedule = absl::StrCat("contraction_staged ", knobs);
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    ASSERT_THAT(reply->object, AllOf(HasSubstr("cp.async"), HasSubstr("mma.sync")));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }
};

struct Dot {
  std::string type = "bf16", result = "f32";
  int64_t m = 64, n = 32, k = 192;
  bool k_first_lhs = false, k_first_rhs = false;  // else k is the last dimension
  bool epilogue = false;
  std::string algorithm;
};

std::string Hlo(const Dot& d) {
  auto shape = [&](const std::string& type, int64_t rows, int64_t columns) {
    return absl::StrCat(type, "[", rows, ",", columns, "]");
  };
  const std::string out = shape(d.result, d.m, d.n);
  std::string text = absl::StrCat(
      "HloModule m\n\nENTRY e {\n  a = ",
      d.k_first_lhs ? shape(d.type, d.k, d.m) : shape(d.type, d.m, d.k),
      " parameter(0)\n  b = ", d.k_first_rhs ? shape(d.type, d.k, d.n) : shape(d.type, d.n, d.k),
      " parameter(1)\n  ", d.epilogue ? "" : "ROOT ", "d = ", out,
      " dot(a, b), lhs_contracting_dims={", d.k_first_lhs ? 0 : 1, "}, rhs_contracting_dims={",
      d.k_first_rhs ? 0 : 1, "}", d.algorithm.empty() ? "" : ", algorithm=" + d.algorithm, "\n");
  if (d.epilogue) {
    absl::StrAppend(&text, "  s = ", d.result, "[", d.n, "] parameter(2)\n  t = ", out,
                    " broadcast(s), dimensions={1}\n  r = ", out, " parameter(3)\n  u = ", out,
                    " add(d, t)\n  l = ", out, " logistic(u)\n  v = ", out,
                    " multiply(u, l)\n  ROOT w = ", out, " add(v, r)\n");
  }
  return text + "}\n";
}

TEST_F(StagedTest, EveryTypeAndLayout) {
  const std::vector<std::tuple<std::string, std::string, double, std::string>> types = {
      {"f16", "f32", 1e-3, ""},
      {"bf16", "bf16", 5e-2, ""},
      {"s8", "s32", 0, ""},
      {"u8", "u32", 0, ""},
      {"f32", "f32", 2e-2, "dot_tf32_tf32_f32"}};
  for (const auto& [type, result, tolerance, algorithm] : types) {
    for (int layout = 0; layout < 4; ++layout) {
      if (type[1] == '8' && layout != 0) continue;  // bytes are copied along k only
      Dot d;
      d.type = type;
      d.result = result;
      d.k_first_lhs = (layout & 1) != 0;
      d.k_first_rhs = (layout & 2) != 0;
      d.algorithm = algorithm;
      if (type[1] == '8') d.k = 320;
      Check(Hlo(d), tolerance, "mt=2 nt=4 wm=2 wn=1 stages=4");
    }
  }
}

TEST_F(StagedTest, TilesAndStages) {
  for (const char* knobs :
       {"mt=1 nt=2 wm=2 wn=1 stages=2", "mt=4 nt=8 wm=2 wn=2 stages=3",
        "mt=1 nt=2 wm=1 wn=2 stages=5", "mt=2 nt=4 wm=4 wn=2 stages=3 raster=1"}) {
    for (const bool k_first : {false, true}) {
      Dot d;
      d.m = 128;
      d.n = 128;
      d.k_first_lhs = d.k_first_rhs = k_first;
      Check(Hlo(d), 1e-3, knobs);
    }
  }
}

// Rows and columns that stick out, steps that are not full, fewer steps than stages.
TEST_F(StagedTest, RaggedSizes) {
  for (const auto& [m, n, k] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {72, 40, 200}, {17, 24, 40}, {40, 56, 72}, {128, 8, 64}}) {
    for (const bool k_first_rhs : {false, true}) {
      Dot d;
      d.m = m;
      d.n = n;
      d.k = k;
      d.k_first_rhs = k_first_rhs;
      d.result = "bf16";
      Check(Hlo(d), 5e-2, "mt=2 nt=4 wm=2 wn=2 stages=4");
    }
  }
}

TEST_F(StagedTest, Epilogues) {
  for (const bool k_first_rhs : {false, true}) {
    Dot d;
    d.epilogue = true;
    d.result = "bf16";
    d.k_first_rhs = k_first_rhs;
    Check(Hlo(d), 5e-2, "mt=2 nt=4 wm=2 wn=1");
  }
}

TEST_F(StagedTest, BatchesTransposesAndConvolutions) {
  Check(R"(HloModule m

ENTRY e {
  a = bf16[3,24,64] parameter(0)
  b = bf16[3,64,40] parameter(1)
  ROOT d = f32[3,24,40] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
}
)",
        1e-3, "mt=1 nt=2 wm=2 wn=2");
  // The left factor has the result's fastest axis.
  Check(R"(HloModule m

ENTRY e {
  a = bf16[2,64,8,8] parameter(0)
  b = bf16[1,1,64,32] parameter(1)
  ROOT c = f32[2,32,8,8] convolution(a, b), window={size=1x1}, dim_labels=bf01_01io->bf01
}
)",
        1e-3, "mt=1 nt=2 wm=2 wn=2");
  for (const char* type : {"f16", "bf16"}) {
    Check(absl::StrReplaceAll(R"(HloModule m

ENTRY e {
  a = TYPE[2,8,8,16] parameter(0)
  b = TYPE[3,3,16,24] parameter(1)
  ROOT c = TYPE[2,8,8,24] convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
}
)",
                              {{"TYPE", type}}),
          5e-2, "mt=2 nt=4 wm=2 wn=1");
  }
}

// What cannot be copied as it is goes to the template after it, also where a tile fits no group.
TEST_F(StagedTest, OthersAreLeftToOtherTemplates) {
  for (const char* factor :
       {"bf16[64,97] slice(p), slice={[0:64], [3:100]}", "bf16[64,97] parameter(0)"}) {
    const bool slice = absl::StrContains(factor, "slice");
    const std::string hlo =
        absl::StrCat("HloModule m\n\nENTRY e {\n", slice ? "  p = bf16[64,100] parameter(0)\n" : "",
                     "  a = ", factor,
                     "\n  b = bf16[32,97] parameter(1)\n  ROOT d = f32[64,32] dot(a, b), "
                     "lhs_contracting_dims={1}, "
                     "rhs_contracting_dims={1}\n}\n");
    const auto reply = CompileHlo(hlo, device_->info());
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, ::testing::StartsWith("contraction_mma ")) << hlo;
  }
  // Pieces that do not begin at multiples of 16 bytes.
  const std::string hlo =
      "HloModule m\n\nENTRY e {\n  p = bf16[64,196] parameter(0)\n  a = bf16[64,192] slice(p), "
      "slice={[0:64], [4:196]}\n  b = bf16[32,192] parameter(1)\n  ROOT d = f32[64,32] dot(a, b), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={1}\n}\n";
  const auto reply = CompileHlo(hlo, device_->info());
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, ::testing::StartsWith("contraction_mma "));
  EXPECT_EQ(CheckReply(*reply, hlo, *device_, 1e-3), "");
}

// One kernel's text and launch, run in this process.
class Faults : public StagedTest {
 protected:
  void Compile(const Dot& d, const std::string& knobs) {
    const std::string hlo = Hlo(d);
    const auto reply = CompileHlo(hlo, device_->info(), absl::StrCat("contraction_staged ", knobs));
    ASSERT_TRUE(reply.ok()) << reply.status();
    runtime::KernelObjectView view;
    ASSERT_TRUE(
        runtime::ParseKernelObject(
            {reinterpret_cast<const uint8_t*>(reply->object.data()), reply->object.size()}, &view)
            .ok());
    ASSERT_EQ(view.num_launches, 1);
    launch_ = view.launch(0);
    entry_ = std::string(launch_.entry.data, launch_.entry.size);
    text_ = absl::StrReplaceAll(
        absl::string_view(reinterpret_cast<const char*>(view.module(0).data), view.module(0).size),
        {{" \t", " "}});
    const auto module = hlo_text::ParseModule(hlo, "faults.hlo");
    ASSERT_TRUE(module.ok()) << module.status();
    buffers_.clear();
    for (const hlo::Literal& literal : RandomInputs(**module, 7)) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(literal.bytes().data());
      buffers_.emplace_back(bytes, bytes + literal.bytes().size());
    }
    buffers_.emplace_back(view.argument(view.num_inputs).bytes);
    std::string message;
    want_ = Run(text_, &message);
    ASSERT_EQ(message, "");
  }

  // The result's bytes; `message`: "" or what the interpreter says.
  std::vector<uint8_t> Run(const std::string& text, std::string* message) {
    const std::unique_ptr<ptx::Module> module = ptx::ParseModule(text, message);
    if (module == nullptr) return {};
    std::vector<std::vector<uint8_t>> buffers = buffers_;
    ptx::Launch launch;
    std::vector<std::pair<uint64_t, uint64_t>> memory;
    for (int d = 0; d < 3; ++d) {
      launch.grid[d] = launch_.grid[d];
      launch.block[d] = launch_.block[d];
    }
    launch.shared_bytes = launch_.shared_bytes;
    for (uint32_t i = 0; i < launch_.num_arguments; ++i) {
      std::vector<uint8_t>& buffer = buffers[launch_.arguments[i].index];
      const auto address = reinterpret_cast<uint64_t>(buffer.data());
      const auto* bytes = reinterpret_cast<const uint8_t*>(&address);
      launch.parameters.insert(launch.parameters.end(), bytes, bytes + sizeof(address));
      memory.emplace_back(address, buffer.size());
    }
    ptx::RunOptions options;
    options.max_steps = uint64_t{1} << 22;
    ptx::RunGrid(*module, module->functions.at(entry_), launch, memory, options, message);
    return buffers.back();
  }

  // `change` gets each line and what came before; returns what takes its place.
  using Change = std::function<std::string(const std::string& line)>;
  std::string ExpectCaught(const char* what, const Change& change) {
    std::vector<std::string> lines = absl::StrSplit(text_, '\n');
    for (std::string& line : lines) line = change(line);
    const std::string text = absl::StrJoin(lines, "\n");
    EXPECT_NE(text, text_) << what;
    std::string message;
    const std::vector<uint8_t> result = Run(text, &message);
    EXPECT_TRUE(!message.empty() || result != want_) << "not caught: " << what;
    return message;
  }
  static Change Replace(const std::string& from, const std::string& to) {
    return [=](const std::string& line) { return absl::StrReplaceAll(line, {{from, to}}); };
  }
  // Only the first such line.
  static Change First(const std::string& part, const Change& change) {
    return [=, done = false](const std::string& line) mutable {
      if (done || !absl::StrContains(line, part)) return line;
      done = true;
      return change(line);
    };
  }
  static Change Drop(const std::string& part) {
    return [=](const std::string& line) { return absl::StrContains(line, part) ? "" : line; };
  }

  runtime::Launch launch_;
  std::string entry_, text_;
  std::vector<std::vector<uint8_t>> buffers_;
  std::vector<uint8_t> want_;
};

TEST_F(Faults, AreCaught) {
  Dot d;
  d.k_first_rhs = true;
  d.k = 200;  // the last step is not full
  ASSERT_NO_FATAL_FAILURE(Compile(d, "mt=2 nt=4 wm=2 wn=1 stages=3"));
  const std::string wait = "cp.async.wait_group 1;";
  ExpectCaught("a group too few is waited for", Replace(wait, "cp.async.wait_group 2;"));
  ExpectCaught("nothing is waited for", Drop(wait));
  ExpectCaught("no barrier", Drop("bar.sync"));
  ExpectCaught("no group is committed", Drop("cp.async.commit_group"));
  ExpectCaught("the first group is not committed",
               First("cp.async.commit_group", Drop("cp.async")));
  ExpectCaught("copies before the barrier", [waited = false](const std::string& line) mutable {
    if (absl::StrContains(line, "bar.sync")) return std::string();
    // Behind the loop's copies, before its products.
    if (absl::StrContains(line, "wait_group")) waited = true;
    const bool here = waited && absl::StrContains(line, "commit_group");
    return here ? line + "\nbar.sync 0;" : line;
  });
  for (const std::string from : {"%hy_from_a", "%hy_from_b"}) {
    ExpectCaught("a factor is read from the first slot always", [from](const std::string& line) {
      const std::vector<std::string> parts = absl::StrSplit(line, ',');
      const bool adds_slot = absl::StrContains(line, "add.u32 " + from) && parts[1] != " " + from;
      return adds_slot ? absl::StrCat("mov.u32 ", from, ",", parts[1], ";") : line;
    });
  }
  ExpectCaught("copies go to one slot", [](const std::string& line) {
    return absl::StrContains(line, "add.u32 %hy_to,") ? "mov.u32 %hy_to, %hy_slots;" : line;
  });
  ExpectCaught("a fragment of A is another row's",
               Replace("[%hy_from_a+1280]", "[%hy_from_a+1200]"));
  ExpectCaught("the second half of A is the first", Replace("[%hy_from_a+32]", "[%hy_from_a+0]"));
  ExpectCaught("a fragment of B is another column's", Replace("[%hy_from_b+32]", "[%hy_from_b+0]"));
  ExpectCaught("B is not transposed", Replace(".trans", ""));
  ExpectCaught("a copy is left out", First("cp.async.cg", Drop("cp.async.cg")));
  ExpectCaught("a copy's source is elsewhere", [](const std::string& line) {
    return absl::StrContains(line, "cp.async.cg")
               ? absl::StrReplaceAll(line, {{"], 16", "+16], 16"}})
               : line;
  });
  ExpectCaught("copies behind the end", Replace("@%hy_run ", ""));
  ExpectCaught("copies the other way round", Replace("@%hy_run ", "@!%hy_run "));
  ExpectCaught("what is past the last k is no zero", Replace("16, %hy_outside", "16"));
  ExpectCaught("B's words are exchanged", Replace("{%hy_fb0, %hy_fb1}", "{%hy_fb1, %hy_fb0}"));
  ExpectCaught("a product goes to another sum", First("mma.sync", Replace("hy_acc0,", "hy_acc4,")));
  ExpectCaught("a sum does not begin with zero",
               Replace("mov.b32 %hy_acc3, 0;", "mov.b32 %hy_acc3, 1065353216;"));
  ExpectCaught("another sum is read", [](const std::string& line) {
    return absl::EndsWith(line, ", %hy_acc3;")
               ? absl::StrReplaceAll(line, {{"%hy_acc3;", "%hy_acc2;"}})
               : line;
  });
}

// Rows without padding, as they would be without the 16 bytes: the interpreter counts banks.
TEST_F(Faults, RowsThatMeetInBanksAreCaught) {
  Dot d;
  ASSERT_NO_FATAL_FAILURE(Compile(d, "mt=2 nt=4 wm=2 wn=1 stages=3"));
  const std::string message =
      ExpectCaught("ldmatrix reads rows 64 bytes apart", [](const std::string& line) {
        return absl::StrContains(line, "add.u32 %hy_from_a, %hy_from_a")
                   ? "mov.u32 %hy_from_a, %laneid;\nmul.lo.u32 %hy_from_a, %hy_from_a, 64;\n" + line
                   : line;
      });
  EXPECT_THAT(message, HasSubstr("lie in the same banks"));
}

}  // namespace
}  // namespace halyard::testing
