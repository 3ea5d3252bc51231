// Renames and hides the symbols of an object file that Halide made, so that nothing in it collides
// with an application's own Halide, or with another kernel.
#ifndef HALYARD_CODEGEN_X86_ELF_REWRITE_H_
#define HALYARD_CODEGEN_X86_ELF_REWRITE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

// `object` is an ELF64 x86-64 relocatable. Returns the same object with these changes:
//
// - The defined symbol `entry_from` (Halide's `NAME_argv`) becomes global (and hidden) as
//   `entry_to`.
// - Every other defined symbol becomes local.
// - `hyrt_` replaces `halide_` at the start of any symbol's name, and elsewhere in a local symbol's
//   name too, so that `nm` finds no Halide name.
//
// All else, code and data, stays byte for byte as it was. The result depends on the arguments
// alone. Returns kInvalidArgument with what is wrong and where if it is not such an object, and
// kNotFound if `entry_from` is not defined in it.
absl::StatusOr<std::string> RewriteSymbols(absl::string_view object, absl::string_view entry_from,
                                           absl::string_view entry_to);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_X86_ELF_REWRITE_H_
