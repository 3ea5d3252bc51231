// Writes ELF64 x86-64 objects that hold only data, like those that a C compiler makes of
// initialised constants, but without a compiler.
#ifndef HALYARD_RUNTIME_ARCHIVE_DATA_OBJECT_H_
#define HALYARD_RUNTIME_ARCHIVE_DATA_OBJECT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace halyard {

// An 8-byte field at `offset` that holds the address of `symbol`, which is in this object or
// another.
struct DataPointer {
  uint64_t offset = 0;
  std::string symbol;
};

struct DataSymbol {
  std::string name;
  std::string bytes;
  uint64_t alignment = 8;  // a power of two, up to 4096
  bool global = true;      // if false, only this object's own pointers reach it
  bool large = false;  // the linker places it so that it does not part the code from its data; for
                       // what takes a good part of the 2 GiB that instructions can address
  std::vector<DataPointer> pointers;  // if there are any, the linker places it in relocated
                                      // read-only data
};

// Returns the bytes of the object. The same symbols always give the same bytes.
std::string WriteDataObject(std::vector<DataSymbol> symbols);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_DATA_OBJECT_H_
