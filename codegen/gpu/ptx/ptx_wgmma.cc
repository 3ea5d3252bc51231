#include "codegen/gpu/ptx/ptx_wgmma.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard::lowering::gpu {
namespace {

constexpr int64_t kLinesTogether = 8;  // whose places make up the unit that repeats
constexpr uint64_t kSwizzle128 = uint64_t{1} << 62;

// Lengths in descriptors are in units of 16 bytes.
constexpr uint64_t Units(int64_t bytes) { return static_cast<uint64_t>(bytes) / 16; }

uint64_t Descriptor(const StagedShape& s, int factor) {
  return WgmmaDescriptor(s.across_k[factor] ? s.step_k() * StagedShape::kWgmmaLine : 0);
}

// From one product to the next: 32 bytes of each line, or as many lines as those have elements.
uint64_t Advance(const StagedShape& s, int factor) {
  const int64_t lines = StagedShape::kProductBytes / s.element_bytes();
  return Units(s.across_k[factor] ? lines * StagedShape::kWgmmaLine : StagedShape::kProductBytes);
}

}  // namespace

uint64_t WgmmaDescriptor(int64_t block) {
  const uint64_t eight_lines = Units(kLinesTogether * StagedShape::kWgmmaLine);
  return kSwizzle128 | eight_lines << 32 | (block == 0 ? 1 : Units(block)) << 16;
}

std::vector<std::string> WgmmaStep(const StagedShape& shape, const std::string& place_a,
                                   const std::string& place_b, const std::string& slot) {
  std::vector<std::string> lines;
  const auto put = [&lines](const std::string& text) { lines.push_back("\t" + text); };
  const char* descriptors[] = {"%hy_wgmma_a", "%hy_wgmma_b"};
  for (int factor : {0, 1}) {
    const std::string to = descriptors[factor];
    put(absl::StrCat("mov.u32 %hy_to, ", factor == 0 ? place_a : place_b, ";"));
    put(absl::StrCat("add.u32 %hy_to, %hy_to, ", slot, ";"));
    put("add.u32 %hy_to, %hy_to, %hy_slots;");
    put("shr.u32 %hy_to, %hy_to, 4;");
    put(absl::StrCat("cvt.u64.u32 ", to, ", %hy_to;"));
    put(absl::StrCat("or.b64 ", to, ", ", to, ", ", Descriptor(shape, factor), ";"));
  }
  std::vector<std::string> names;
  for (int64_t i = 0; i < shape.accumulators(); ++i) names.push_back(absl::StrCat("%hy_acc", i));
  const std::string sums = absl::StrJoin(names, ", ");
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
                     TypesOfWgmma(*shape.mma), " {", sums, "}, ", descriptors[0], ", ",
                     descriptors[1], ", ", options, ";"));
  }
  put("wgmma.commit_group.sync.aligned;");
  put("wgmma.wait_group.sync.aligned 1;");
  return lines;
}

}  // namespace halyard::lowering::gpu
