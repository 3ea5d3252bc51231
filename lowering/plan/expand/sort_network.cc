#include "lowering/plan/expand/sort_network.h"

#include <algorithm>

#include "runtime/device_class.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

// The passes of one kernel for each bit of its block: merging a block takes one pass for each bit,
// and sorting it takes half the square of their number.
constexpr int64_t kPassesPerBit = 2;

// Positions that a kernel sorts in a workgroup's shared memory (CPU: in a task's cache), elements
// of `bytes`: a power of two, at least 2.
int64_t BlockOf(const runtime::DeviceInfo& device, int64_t bytes) {
  // The bytes that a pass reads and writes, with room for rounding up.
  constexpr int64_t kArrays = 3;
  const bool gpu = runtime::IsGpu(device);
  constexpr int64_t kCacheBytes = 64 << 10, kPlacesPerThread = 4, kMaxBlock = 2048;
  const int64_t room = gpu ? device.max_shared_bytes : kCacheBytes;
  const int64_t threads =
      gpu ? std::min<int64_t>(device.max_threads_per_group, device.max_group[0]) : kMaxBlock;
  const int64_t most = std::min({room / (kArrays * bytes), kPlacesPerThread * threads, kMaxBlock});
  int64_t block = 2;
  while (2 * block <= most) block *= 2;
  return block;
}

class NetworkBuilder {
 public:
  NetworkBuilder(Rewriter* rewriter, const Instruction* sort, std::vector<Instruction*> arrays,
                 Computation* comparator, int64_t block)
      : rewriter_(*rewriter),
        sort_(*sort),
        arrays_(std::move(arrays)),
        comparator_(comparator),
        block_(block) {
    for (const Instruction* array : arrays_) shapes_.push_back(array->shape);
  }

  std::vector<Instruction*> Run() {
    const int64_t length = arrays_[0]->shape.dim(1);
    std::vector<int64_t> inside;
    int64_t bits = 0;
    while ((int64_t{1} << bits) < block_) ++bits;
    const auto flush = [&] {
      const size_t most = static_cast<size_t>(kPassesPerBit * bits);
      for (size_t begin = 0; begin < inside.size(); begin += most) {
        const size_t end = std::min(inside.size(), begin + most);
        AddPasses({inside.begin() + begin, inside.begin() + end}, block_);
      }
      inside.clear();
    };
    // Lines of 2^k, each of two sorted halves, of which the second is read backwards: 2^k - 1; then
    // what is left to exchange is half as far apart each time.
    for (int64_t size = 2; size < 2 * length; size *= 2) {
      for (int64_t mask = size - 1; mask > 0; mask = mask == size - 1 ? size / 4 : mask / 2) {
        if (mask < block_) {
          inside.push_back(mask);
          continue;
        }
        flush();
        AddPasses({mask}, 0);
      }
    }
    flush();
    return arrays_;
  }

 private:
  void AddPasses(std::vector<int64_t> masks, int64_t block) {
    // A table of one number would be a splat, made by a kernel. No position is exchanged with
    // itself.
    if (masks.size() == 1) masks.push_back(0);
    const int64_t count = static_cast<int64_t>(masks.size());
    Instruction* table = rewriter_.AddConstant(
        sort_, Literal::FromValues<int64_t>(ElementType::kS32, {count}, masks));
    std::vector<Instruction*> operands = arrays_;
    operands.push_back(table);
    const bool one = arrays_.size() == 1;
    Instruction* pass =
        rewriter_.Add(sort_, Opcode::kSortPass, one ? shapes_[0] : Shape::Tuple(shapes_), operands,
                      block > 0 ? OneAttr(Attr::kK, block) : hlo::AttrMap(), {comparator_});
    if (one) {
      arrays_[0] = pass;
      return;
    }
    for (size_t i = 0; i < arrays_.size(); ++i) {
      arrays_[i] = rewriter_.AddGetTupleElement(sort_, pass, static_cast<int64_t>(i));
    }
  }

  Rewriter& rewriter_;
  const Instruction& sort_;
  std::vector<Instruction*> arrays_;
  std::vector<Shape> shapes_;
  Computation* comparator_;
  int64_t block_;
};

}  // namespace

std::vector<Instruction*> AddSortingNetwork(Rewriter& rewriter, const Instruction& sort,
                                            std::vector<Instruction*> arrays,
                                            Computation* comparator,
                                            const runtime::DeviceInfo& device) {
  int64_t bytes = 0;
  for (const Instruction* array : arrays) {
    bytes += std::max<int64_t>(4, hlo::StorageBytes(array->shape.element_type()));  // whole words
  }
  int64_t line = 2;
  while (line < arrays[0]->shape.dim(1)) line *= 2;
  const int64_t block = std::min(line, BlockOf(device, bytes));
  return NetworkBuilder(&rewriter, &sort, std::move(arrays), comparator, block).Run();
}

}  // namespace halyard::lowering
