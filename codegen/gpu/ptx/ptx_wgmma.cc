#include "codegen/gpu/ptx/ptx_wgmma.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "codegen/gpu/ptx/ptx_staged.h"

namespace halyard::lowering::gpu {
namespace {

constexpr int64_t kLinesTogether = 8;  // whose places make up the unit that repeats
constexpr uint64_t kSwizzle128 = uint64_t{1} << 62;

// Lengths in descriptors are in units of 16 bytes.
constexpr uint64_t Units(int64_t bytes) { return static_cast<uint64_t>(bytes) / 16; }

// From one product to the next: 32 bytes of each line, or as many lines as those have elements.
uint64_t Advance(const StagedShape& s, int factor) {
  const int64_t lines = StagedShape::kProductBytes / s.element_bytes();
  return Units(s.across_k[factor] ? lines * StagedShape::kWgmmaLine : StagedShape::kProductBytes);
}

}  // namespace

std::vector<std::string> WgmmaDescriptor(const std::string& descriptor, const std::string& place,
                                         const std::string& more, int64_t block) {
  const uint64_t eight_lines = Units(kLinesTogether * StagedShape::kWgmmaLine);
  const uint64_t bits = kSwizzle128 | eight_lines << 32 | (block == 0 ? 1 : Units(block)) << 16;
  return {absl::StrCat("\tmov.u32 %hy_to, ", place, ";"),
          absl::StrCat("\tadd.u32 %hy_to, %hy_to, ", more, ";"),
          "\tadd.u32 %hy_to, %hy_to, %hy_slots;",
          "\tshr.u32 %hy_to, %hy_to, 4;",
          absl::StrCat("\tcvt.u64.u32 ", descriptor, ", %hy_to;"),
          absl::StrCat("\tor.b64 ", descriptor, ", ", descriptor, ", ", bits, ";")};
}

std::vector<std::string> WgmmaStep(const StagedShape& shape, const std::string& place_a,
                                   const std::string& place_b, const std::string& slot) {
  std::vector<std::string> lines;
  const auto put = [&lines](const std::string& text) { lines.push_back("\t" + text); };
  const char* descriptors[] = {"%hy_wgmma_a", "%hy_wgmma_b"};
  for (int factor : {0, 1}) {
    const int64_t block = shape.across_k[factor] ? shape.step_k() * StagedShape::kWgmmaLine : 0;
    for (std::string& line :
         WgmmaDescriptor(descriptors[factor], factor == 0 ? place_a : place_b, slot, block))
      lines.push_back(std::move(line));
  }
  const std::string sums = PtxVector("%hy_acc", 0, shape.accumulators());
  // Added to what is there; not negated; and of 16 bits, which factors lie across k.
  const std::string options =
      shape.element_bytes() == 1
          ? "1"
          : absl::StrCat("1, 1, 1, ", shape.across_k[0] ? 1 : 0, ", ", shape.across_k[1] ? 1 : 0);
  // The sums were written by other instructions before the first step.
  put("wgmma.fence.sync.aligned;");
  for (int64_t part = 0; part < shape.products(); ++part) {
    for (int factor : {0, 1}) {
      if (part == 0) continue;
      put(absl::StrCat("add.u64 ", descriptors[factor], ", ", descriptors[factor], ", ",
                       Advance(shape, factor), ";"));
    }
    put(absl::StrCat("wgmma.mma_async.sync.aligned.m64n", 8 * shape.nt, "k",
                     StagedShape::kProductBytes / shape.element_bytes(), ".",
                     TypesOfWgmma(*shape.mma), " ", sums, ", ", descriptors[0], ", ",
                     descriptors[1], ", ", options, ";"));
  }
  put("wgmma.commit_group.sync.aligned;");
  put("wgmma.wait_group.sync.aligned 1;");
  return lines;
}

}  // namespace halyard::lowering::gpu
