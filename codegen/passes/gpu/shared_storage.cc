#include "codegen/passes/gpu/shared_storage.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace halyard::lowering {

using Halide::Internal::Function;

void AlignSharedStorage(const Halide::Pipeline& pipeline) {
  std::vector<Function> shared;
  int widest = 0;
  for (const Halide::Func& output : pipeline.outputs()) {
    for (auto& [name, function] : Halide::Internal::find_transitive_calls(output.function())) {
      if (function.schedule().memory_type() != Halide::MemoryType::GPUShared) continue;
      shared.push_back(function);
      for (const Halide::Type& type : function.output_types())
        widest = std::max(widest, type.bytes());
    }
  }
  for (Function& function : shared) {
    int narrowest = widest;
    for (const Halide::Type& type : function.output_types())
      narrowest = std::min(narrowest, type.bytes());
    std::vector<Halide::Internal::StorageDim>& dims = function.schedule().storage_dims();
    if (narrowest == widest || dims.empty()) continue;
    const auto set = Halide::Internal::as_const_int(dims[0].alignment);
    const int64_t before = set ? *set : 1;
    dims[0].alignment = static_cast<int>(std::lcm<int64_t>(before, widest / narrowest));
  }
}

}  // namespace halyard::lowering
