// Loads one ELF64 x86-64 relocatable object (as LLVM makes them, position-independent or not) into
// memory and links it. The bytes are checked, never trusted: a damaged object gives a Status. (The
// code in them is trusted.)
#ifndef HALYARD_RUNTIME_X86_OBJECT_LOADER_H_
#define HALYARD_RUNTIME_X86_OBJECT_LOADER_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/kernel_object.h"
#include "runtime/status.h"

namespace halyard::runtime::x86 {

// Gives the address of a symbol that the object imports, or null when there is none of that name.
using SymbolResolver = void* (*)(const char* name, void* context);

struct LoadedObject {
  void* mapping = nullptr;
  size_t mapping_bytes = 0;
  void* entry = nullptr;
};

// Lays out the sections that are needed at run time in one mapping (code and stubs read-execute,
// constants and the GOT read-only, the rest read-write), relocates them, and looks up the defined
// symbol `entry`. Relocations: R_X86_64_64, 32, 32S, PC32, PC64, PLT32, GOTPCREL, GOTPCRELX,
// REX_GOTPCRELX; any other is named in the error (kUnimplemented). Far calls go through stubs.
// kDataLoss: malformed; kNotFound: an import that `resolve` does not know, or no `entry`;
// kResourceExhausted, kFailedPrecondition: the system gives no memory, or forbids making it
// executable.
Status LoadObject(ByteSpan object, const char* entry, SymbolResolver resolve, void* context,
                  LoadedObject* loaded);
void UnloadObject(LoadedObject* loaded);

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_OBJECT_LOADER_H_
