// Puts faults into the PTX of products in stages, and of attention by warpgroups. The interpreter
// or the results must show each of them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo_text/parser.h"
#include "runtime/kernel_object.h"
#include "tests/fakes/ptx/run.h"
#include "tests/schedules/attention/attention_text.h"
#include "tests/schedules/contraction/staged_products.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

// The text and launch of one kernel, which is run in this process.
class Faults : public StagedTest {
 protected:
  void Compile(const Dot& d, const std::string& knobs) { Compile(d, knobs, device_->info()); }
  void Compile(const Dot& d, const std::string& knobs, const runtime::DeviceInfo& info) {
    CompileAs(d, "contraction_staged " + knobs, info);
  }
  void CompileAs(const Dot& d, const std::string& schedule, const runtime::DeviceInfo& info) {
    CompileText(Hlo(d), schedule, info);
  }
  void CompileText(const std::string& hlo, const std::string& schedule,
                   const runtime::DeviceInfo& info) {
    const auto reply = CompileHlo(hlo, info, schedule);
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

  // Returns the result's bytes. Sets `message` to "", or to what the interpreter says.
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

  // Receives each line together with what came before it, and returns what replaces the line.
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
  // Changes only the first line of this kind.
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
    // After the loop's copies, and before its products.
    if (absl::StrContains(line, "wait_group")) waited = true;
    const bool here = waited && absl::StrContains(line, "commit_group");
    return here ? line + "\nbar.sync 0;" : line;
  });
  for (const std::string from : {"%hy_from_a", "%hy_from_b"}) {
    ExpectCaught("a factor is read from the first slot always", [from](const std::string& line) {
      const bool adds_slot =
          absl::StrContains(line, "add.u32 " + from) && !absl::StrContains(line, "%hy_slots");
      return adds_slot ? absl::StrCat(line.substr(0, line.rfind(',')), ", 0;") : line;
    });
  }
  ExpectCaught("copies go to one slot", [](const std::string& line) {
    return absl::StrContains(line, "add.u32 %hy_to,") ? "mov.u32 %hy_to, %hy_slots;" : line;
  });
  ExpectCaught("a fragment of A is another row's",
               Replace("[%hy_from_a0+1024]", "[%hy_from_a0+960]"));
  for (const std::string from : {"%hy_from_a2", "%hy_from_b2"}) {
    // The second half of a step of A; another column of B.
    ExpectCaught("a fragment is another one's", [from](const std::string& line) {
      return absl::StrContains(line, "xor.b32 " + from)
                 ? absl::StrReplaceAll(line, {{", 32;", ", 0;"}})
                 : line;
    });
  }
  ExpectCaught("the halves of a sector are exchanged", [](const std::string& line) {
    return absl::StrContains(line, "add.u32 %hy_to,")
               ? absl::StrCat(line, "\nxor.b32 %hy_to, %hy_to, 16;")
               : line;
  });
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

// The interpreter cuts sums of 8-bit floats as devices do, so each product is added by itself.
TEST_F(Faults, OfBytesAreCaught) {
  Dot d;
  d.type = "s8";
  d.result = "s32";
  d.k_first_lhs = d.k_first_rhs = true;
  ASSERT_NO_FATAL_FAILURE(Compile(d, "mt=2 nt=4 wm=2 wn=1 stages=3"));
  ExpectCaught("bytes are not put in order", Replace("0x6420", "0x3210"));
  ExpectCaught("second bytes are first ones", Replace("0x7531", "0x6420"));
  ExpectCaught("pairs are not turned", Replace(".trans", ""));
  ExpectCaught("words along k are exchanged",
               Replace("%hy_pair2, %hy_pair3,", "%hy_pair0, %hy_pair1,"));
}

TEST_F(Faults, SumsOfSmallFloatsKeepTheirBits) {
  Dot d;
  d.type = "f8e4m3fn";
  d.m = 16;
  d.n = 16;
  d.k = 2048;
  runtime::DeviceInfo info = device_->info();
  info.cuda_capability = 89;
  ASSERT_NO_FATAL_FAILURE(Compile(d, "mt=1 nt=2 wm=1 wn=1 stages=3 parts=1", info));
  // Values between 1 and 1.875, in eighths.
  auto eighths = [](int64_t row, int64_t k) { return (row * 5 + k * 3 + k / 8) % 8; };
  for (int64_t factor : {0, 1}) {
    for (int64_t i = 0; i < 16 * d.k; ++i) {
      buffers_[static_cast<size_t>(factor)][static_cast<size_t>(i)] =
          static_cast<uint8_t>(0x38 + eighths(i / d.k + factor, i % d.k));
    }
  }
  const auto error = [&](const std::string& text) {
    std::string message;
    const std::vector<uint8_t> bytes = Run(text, &message);
    EXPECT_EQ(message, "");
    double worst = 0;
    for (int64_t i = 0; i < 16 * 16; ++i) {
      double want = 0;
      for (int64_t k = 0; k < d.k; ++k)
        want += static_cast<double>((8 + eighths(i / 16, k)) * (8 + eighths(i % 16 + 1, k))) / 64;
      float got = 0;
      std::memcpy(&got, &bytes[static_cast<size_t>(i) * sizeof(got)], sizeof(got));
      worst = std::max(worst, std::abs(got / want - 1));
    }
    return worst;
  };
  EXPECT_LT(error(text_), 1.3e-4);
  // The text as it would be if the products held the sums.
  std::vector<std::string> lines = absl::StrSplit(text_, '\n');
  std::string product;
  for (std::string& line : lines) {
    if (absl::StrContains(line, "{%hy_part0")) {
      product = std::exchange(line, "");
    } else if (absl::StrContains(line, "add.f32 %hy_acc")) {
      const std::string add = std::exchange(line, "");
      const auto first = static_cast<size_t>(std::stoi(add.substr(add.find("acc") + 3)));
      if (!absl::EndsWith(add, "%hy_part0;")) continue;
      const std::string sums = absl::StrCat("{%hy_acc", first, ", %hy_acc", first + 1, ", %hy_acc",
                                            first + 2, ", %hy_acc", first + 3, "}");
      line = absl::StrReplaceAll(product, {{"{%hy_part0, %hy_part1, %hy_part2, %hy_part3}", sums},
                                           {"{%hy_zero, %hy_zero, %hy_zero, %hy_zero}", sums}});
    }
  }
  EXPECT_GT(error(absl::StrJoin(lines, "\n")), 1e-3);
}

// Of products by warpgroups, which read shared memory while the warps go on.
TEST_F(Faults, OfWarpgroupsAreCaught) {
  Dot d;
  d.m = d.n = 64;
  d.k_first_rhs = true;
  d.k = 64 * 7 - 24;  // a turn of the loop, and steps behind it, the last of which is not full
  ASSERT_NO_FATAL_FAILURE(
      CompileAs(d, "contraction_wgmma nt=8 wm=4 stages=4 parts=1", device_->info()));
  const std::string wait = "cp.async.wait_group 1;", products = "wgmma.wait_group.sync.aligned 1;";
  ExpectCaught("a group of copies too few is waited for", Replace(wait, "cp.async.wait_group 2;"));
  ExpectCaught("no copies are waited for", Drop(wait));
  ExpectCaught("no barrier", Drop("bar.sync"));
  EXPECT_THAT(ExpectCaught("copies are not shown to the products", Drop("fence.proxy.async")),
              HasSubstr("fence.proxy.async"));
  ExpectCaught("products are shown what copies have not brought yet", [](const std::string& line) {
    if (absl::StrContains(line, "fence.proxy")) return std::string();
    return absl::StrContains(line, "cp.async.wait_group")
               ? "fence.proxy.async.shared::cta;\n" + line
               : line;
  });
  ExpectCaught("sums are used before products are allowed to", Drop("wgmma.fence"));
  ExpectCaught("products are waited for in the end only", Drop(products));
  ExpectCaught("two groups of products are left",
               Replace(products, "wgmma.wait_group.sync.aligned 2;"));
  ExpectCaught("sums are read before they are there", Drop("wgmma.wait_group.sync.aligned 0;"));
  ExpectCaught("products are not committed", Drop("wgmma.commit_group"));
  ExpectCaught("a product is left out", First("wgmma.mma_async", Drop("wgmma.mma_async")));
  ExpectCaught("B is not turned", Replace(", 1, 1, 1, 0, 1;", ", 1, 1, 1, 0, 0;"));
  ExpectCaught("a product subtracts",
               First("wgmma.mma_async", Replace(", 1, 1, 1, 0,", ", 1, -1, 1, 0,")));
  ExpectCaught("a product forgets the sums", [seen = 0](const std::string& line) mutable {
    const bool second = absl::StrContains(line, "wgmma.mma_async") && seen++ == 1;
    return second ? absl::StrReplaceAll(line, {{"_b, 1, 1, 1,", "_b, 0, 1, 1,"}}) : line;
  });
  for (const std::string factor : {"a", "b"}) {
    const std::string name = "%hy_wgmma_" + factor;
    ExpectCaught("all products of a step are of its first terms", Drop("add.u64 " + name));
    ExpectCaught("lines do not change places", [&](const std::string& line) {
      if (!absl::StrContains(line, "or.b64 " + name)) return line;
      const size_t comma = line.rfind(',');
      const uint64_t bits = std::stoull(line.substr(comma + 1));
      return absl::StrCat(line.substr(0, comma), ", ", bits & ~(uint64_t{1} << 62), ";");
    });
    ExpectCaught("eight lines are another eight", [&](const std::string& line) {
      if (!absl::StrContains(line, "or.b64 " + name)) return line;
      const size_t comma = line.rfind(',');
      const uint64_t bits = std::stoull(line.substr(comma + 1));
      return absl::StrCat(line.substr(0, comma), ", ", bits ^ uint64_t{192} << 32, ";");
    });
  }
  ExpectCaught("copies go to one slot", [](const std::string& line) {
    return absl::StrContains(line, "add.u32 %hy_to,") && !absl::StrContains(line, "%hy_to, %hy_to")
               ? "mov.u32 %hy_to, %hy_slots;"
               : line;
  });
  ExpectCaught("a copy is left out", First("cp.async.cg", Drop("cp.async.cg")));
  ExpectCaught("what is past the last k is no zero", Replace("16, %hy_outside", "16"));
  ExpectCaught("a sum does not begin with zero",
               Replace("mov.b32 %hy_acc3, 0;", "mov.b32 %hy_acc3, 1065353216;"));
}

// Of attention, whose copies, scores and sums of several blocks are under way at once.
TEST_F(Faults, OfAttentionAreCaught) {
  Attention a;
  a.type = "bf16";
  a.batch = a.heads = 1, a.queries = 64, a.keys = 230, a.head = a.value = 64;
  ASSERT_NO_FATAL_FAILURE(
      CompileText(KernelText(a), "attention_wgmma warps=4 keys=64", device_->info()));
  const std::string scores = "wgmma.wait_group.sync.aligned 1;";
  ExpectCaught("copies are not waited for", Drop("cp.async.wait_group"));
  ExpectCaught("no barrier", Drop("bar.sync"));
  ExpectCaught("copies are not shown to the products", Drop("fence.proxy.async"));
  ExpectCaught("scores are read before they are there", Drop(scores));
  ExpectCaught("too many products are left", Replace(scores, "wgmma.wait_group.sync.aligned 2;"));
  ExpectCaught("sums are used before they are there", Drop("wgmma.wait_group.sync.aligned 0;"));
  ExpectCaught("registers are used before products are allowed to", Drop("wgmma.fence"));
  ExpectCaught("products are not committed", Drop("wgmma.commit_group"));
  ExpectCaught("a product is left out", First("wgmma.mma_async", Drop("wgmma.mma_async")));
  ExpectCaught("scores begin with those of the block before",
               Replace("%hy_wgmma_a, %hy_wgmma_b, 0, 1", "%hy_wgmma_a, %hy_wgmma_b, 1, 1"));
  ExpectCaught("values are not turned",
               Replace("%hy_wgmma_b, 1, 1, 1, 1;", "%hy_wgmma_b, 1, 1, 1, 0;"));
  ExpectCaught("sums are not scaled", Drop("mul.rn.f32 %hy_sum"));
  ExpectCaught("sums are never scaled", Replace("@!%hy_run bra $hy_scaled", "bra $hy_scaled"));
  ExpectCaught("one row's sums have the other's factor", [](const std::string& line) {
    return absl::StrContains(line, "mul.rn.f32 %hy_sum2,")
               ? "mul.rn.f32 %hy_sum2, %hy_sum2, %hy_sum3;"
               : line;
  });
  ExpectCaught("weights of another tile",
               First("add.u32 %hy_weight0,", Replace("%hy_weight0,", "%hy_weight1,")));
  ExpectCaught("a copy is left out", First("cp.async.cg", Drop("cp.async.cg")));
  ExpectCaught("values past the last key are no zeros", Replace("16, %hy_outside", "16"));
  for (const std::string factor : {"a", "b"})
    ExpectCaught("products are of the first terms", Drop("add.s64 %hy_wgmma_" + factor));
}

// Rows whose pieces do not change places: the interpreter counts bank conflicts.
TEST_F(Faults, RowsThatMeetInBanksAreCaught) {
  Dot d;
  ASSERT_NO_FATAL_FAILURE(Compile(d, "mt=2 nt=4 wm=2 wn=1 stages=3"));
  const std::string message =
      ExpectCaught("ldmatrix reads rows 64 bytes apart", [](const std::string& line) {
        return absl::StrContains(line, "add.u32 %hy_from_a0, %hy_from_a0")
                   ? "mov.u32 %hy_from_a0, %laneid;\nmul.lo.u32 %hy_from_a0, %hy_from_a0, 64;\n" +
                         line
                   : line;
      });
  EXPECT_THAT(message, HasSubstr("lie in the same banks"));
}

}  // namespace
}  // namespace halyard::testing
