// A compiled model as a library for C programs: NAME.h and libNAME.a, for `gcc app.c libNAME.a -lm
// -lpthread`.
//
// The library holds the runtime's objects; each x86 kernel as an object of its own, which the
// linker places, so that nothing is made executable at run time; and one data object with the
// Program's bytes, without the code of those kernels, and a table of the kernels' addresses. The
// header needs no other header, because it contains the runtime's C API, too. Several models can be
// linked into one program if the same Halyard made them; if not, linking fails (version.h).
#ifndef HALYARD_RUNTIME_ARCHIVE_STATIC_LIBRARY_H_
#define HALYARD_RUNTIME_ARCHIVE_STATIC_LIBRARY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/archive/c_names.h"
#include "runtime/program/bundle/catalogue_spec.h"
#include "runtime/program/program_spec.h"

namespace halyard {

// The bytes of the build's libraries with the runtime. Those of GPUs are needed only for programs
// that run there.
struct RuntimeArchives {
  absl::string_view runtime;            // libhalyard_runtime.a
  absl::string_view gpu, cuda, vulkan;  // libhalyard_runtime_gpu.a and so on
};

struct StaticLibrary {
  std::string header;   // NAME.h
  std::string archive;  // libNAME.a
  std::string weights;  // NAME.weights, if it was asked for
};

// With `weights_file`, the constants are not in the library but in NAME.weights, a file that the
// application finds and maps (c_api/halyard_rt.h).
//
// `programs` are one program for different targets. If there are several, or one for a GPU, the
// library holds a bundle, and chooses at create. The constants are in it once. The model's object
// refers to the backends of the GPUs, so the linker needs no options to find them.
//
// `name` must pass CheckModelName. `names` are the names that the program gives its values, which
// the header turns into identifiers. Returns kInvalidArgument if `name` or an archive is unsuitable
// or a program is inconsistent.
absl::StatusOr<StaticLibrary> MakeStaticLibrary(const std::string& name,
                                                absl::Span<const ProgramSpec> programs,
                                                const RuntimeArchives& archives,
                                                const ValueNames& names = {},
                                                bool weights_file = false);

// The same for the entries and sizes of a catalogue. `parts` are in the order of WriteBundle, and
// names[i] are those of entry i.
absl::StatusOr<StaticLibrary> MakeStaticLibrary(
    const std::string& name, absl::Span<const ProgramSpec> parts, const CatalogueSpec& catalogue,
    const RuntimeArchives& archives, absl::Span<const ValueNames> names, bool weights_file);

// The same for one program for x86. Returns kUnimplemented for a program for a GPU.
absl::StatusOr<StaticLibrary> MakeStaticLibrary(const std::string& name, const ProgramSpec& program,
                                                absl::string_view runtime_archive,
                                                const ValueNames& names = {},
                                                bool weights_file = false);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_STATIC_LIBRARY_H_
