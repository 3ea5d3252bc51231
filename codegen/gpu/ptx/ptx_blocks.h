// Basic blocks of a PTX function, and what they say about the lanes that reach an instruction.
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_BLOCKS_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_BLOCKS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace halyard::lowering::gpu {

// Returns whether the line is a label, or ends its basic block.
bool IsLabel(absl::string_view line);
bool EndsBlock(absl::string_view line);

// Returns an error unless every lane of a warp reaches each of the `convergent` instructions (line
// numbers in `lines`) or none does: where lanes part before they first come to one, all ways must
// lead to it. Loops that hold it must have the same number of iterations for all lanes; this is not
// checked. `first_line` is the number of lines[0] in messages.
absl::Status CheckConvergence(absl::Span<const absl::string_view> lines, size_t first_line,
                              absl::Span<const size_t> convergent);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_BLOCKS_H_
