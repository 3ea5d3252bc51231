// Renames and hides the symbols of an object file that Halide made, so that nothing in it collides
// with an application's own Halide, or with another kernel.
#ifndef HALYARD_LOWERING_CODEGEN_ELF_REWRITE_ELF_REWRITE_H_
#define HALYARD_LOWERING_CODEGEN_ELF_REWRITE_ELF_REWRITE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering {

// `object`: an ELF64 x86-64 relocatable. Returns the same object with
//   - the defined symbol `entry_from` (Halide's `NAME_argv`) made global (and hidden) as
//   `entry_to`,
//   - every other defined symbol made local,
//   - `halide_` at the start of any symbol's name turned into `hyrt_` (elsewhere in a local
//   symbol's
//     name too, so that `nm` finds no Halide name),
// and all else, code and data, byte for byte as it was. The result depends on the arguments alone.
// kInvalidArgument: not such an object (says what and where); kNotFound: `entry_from` is not
// defined in it.
absl::StatusOr<std::string> RewriteSymbols(absl::string_view object, absl::string_view entry_from,
                                           absl::string_view entry_to);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_CODEGEN_ELF_REWRITE_ELF_REWRITE_H_
