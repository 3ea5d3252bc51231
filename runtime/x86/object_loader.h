// Loads one ELF64 x86-64 relocatable object (as LLVM makes them, position-independent or not) into
// memory and links it. The bytes are checked and never trusted, so a damaged object gives a Status.
// (The code in them is trusted.)
#ifndef HALYARD_RUNTIME_X86_OBJECT_LOADER_H_
#define HALYARD_RUNTIME_X86_OBJECT_LOADER_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/kernel_object.h"
#include "runtime/status.h"

namespace halyard::runtime::x86 {

// Returns the address of a symbol that the object imports, or null if there is none of that name.
using SymbolResolver = void* (*)(const char* name, void* context);

struct LoadedObject {
  void* mapping = nullptr;
  size_t mapping_bytes = 0;
  void* entry = nullptr;
};

// Lays out the sections that are needed at run time in one mapping (code and stubs are readable and
// executable, constants and the GOT are read-only, the rest is readable and writable), relocates
// them, and looks up the defined symbol `entry`. The relocations are R_X86_64_64, 32, 32S, PC32,
// PC64, PLT32, GOTPCREL, GOTPCRELX and REX_GOTPCRELX; the error for any other names it
// (kUnimplemented). Far calls go through stubs. Returns kDataLoss for a malformed object; kNotFound
// for an import that `resolve` does not know, or if there is no `entry`; and kResourceExhausted or
// kFailedPrecondition if the system gives no memory or forbids making it executable.
Status LoadObject(ByteSpan object, const char* entry, SymbolResolver resolve, void* context,
                  LoadedObject* loaded);
void UnloadObject(LoadedObject* loaded);

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_OBJECT_LOADER_H_
