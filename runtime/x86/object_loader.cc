#include "runtime/x86/object_loader.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/byte_reader.h"
#include "runtime/host.h"

namespace halyard::runtime::x86 {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kStubBytes = 16;
constexpr uint64_t kMaxImage = uint64_t{1} << 30;  // PC-relative references reach everywhere in it
enum Protection { kExecute = 0, kReadOnly = 1, kWritable = 2, kNotLoaded = 3 };

uint64_t AlignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// One load. Its destructor frees the arrays, and the mapping unless Finish() handed it over.
class Loader {
 public:
  Loader(ByteSpan object, SymbolResolver resolve, void* context)
      : object_(object), resolve_(resolve), context_(context) {}
  ~Loader() {
    HeapFree(addresses_);
    HeapFree(resolved_);
    if (image_ != nullptr) munmap(image_, image_bytes_);
  }
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  Status Load(const char* entry, LoadedObject* loaded) {
    HY_RETURN_IF_ERROR(ParseHeader());
    HY_RETURN_IF_ERROR(ParseSymbols());
    HY_RETURN_IF_ERROR(LayOut());
    HY_RETURN_IF_ERROR(RelocateAll());
    HY_RETURN_IF_ERROR(Protect());
    for (uint64_t i = 1; i < num_symbols_; ++i) {
      const Elf64_Sym symbol = Symbol(i);
      if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL ||
          strcmp(Name(symbol), entry) != 0) {
        continue;
      }
      uint64_t address = 0;
      HY_RETURN_IF_ERROR(Address(i, &address));
      loaded->entry = reinterpret_cast<void*>(address);
      loaded->mapping = image_;
      loaded->mapping_bytes = image_bytes_;
      image_ = nullptr;
      return Status();
    }
    return MakeStatus(Code::kNotFound, "object code: no symbol %s", entry);
  }

 private:
  Status Bad(const char* what, uint64_t index) {
    return MakeStatus(Code::kDataLoss, "object code: %s (%llu)", what,
                      static_cast<unsigned long long>(index));
  }
  Elf64_Shdr Section(uint64_t i) const {
    return LoadUnaligned<Elf64_Shdr>(object_.data + header_.e_shoff + i * sizeof(Elf64_Shdr));
  }
  Elf64_Sym Symbol(uint64_t i) const {
    return LoadUnaligned<Elf64_Sym>(object_.data + symtab_.sh_offset + i * sizeof(Elf64_Sym));
  }
  const char* Name(const Elf64_Sym& symbol) const {
    return reinterpret_cast<const char*>(object_.data) + strtab_.sh_offset + symbol.st_name;
  }

  Status ParseHeader() {
    if (object_.size < sizeof(Elf64_Ehdr)) return Bad("shorter than an ELF header", object_.size);
    header_ = LoadUnaligned<Elf64_Ehdr>(object_.data);
    if (memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 || header_.e_ident[EI_CLASS] != ELFCLASS64 ||
        header_.e_ident[EI_DATA] != ELFDATA2LSB || header_.e_machine != EM_X86_64 ||
        header_.e_type != ET_REL || header_.e_shentsize != sizeof(Elf64_Shdr)) {
      return Bad("not an ELF64 x86-64 relocatable", header_.e_type);
    }
    if (header_.e_shnum == 0 ||
        !InRange(header_.e_shoff, uint64_t{header_.e_shnum} * sizeof(Elf64_Shdr), object_.size)) {
      return Bad("section headers lie outside", header_.e_shoff);
    }
    for (uint64_t i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr s = Section(i);
      if (s.sh_type == SHT_NULL || s.sh_type == SHT_NOBITS) continue;
      if (!InRange(s.sh_offset, s.sh_size, object_.size)) return Bad("section lies outside", i);
    }
    return Status();
  }

  Status ParseSymbols() {
    for (uint64_t i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr s = Section(i);
      if (s.sh_type != SHT_SYMTAB) continue;
      if (symtab_index_ != 0) return Bad("second symbol table", i);
      symtab_index_ = i;
      symtab_ = s;
    }
    if (symtab_index_ == 0) return Bad("no symbol table", 0);
    if (symtab_.sh_entsize != sizeof(Elf64_Sym) || symtab_.sh_link >= header_.e_shnum) {
      return Bad("malformed symbol table", symtab_index_);
    }
    strtab_ = Section(symtab_.sh_link);
    if (strtab_.sh_type != SHT_STRTAB || strtab_.sh_size == 0 ||
        object_.data[strtab_.sh_offset + strtab_.sh_size - 1] != 0) {
      return Bad("malformed string table", symtab_.sh_link);
    }
    num_symbols_ = symtab_.sh_size / sizeof(Elf64_Sym);
    for (uint64_t i = 0; i < num_symbols_; ++i) {
      const Elf64_Sym symbol = Symbol(i);
      if (symbol.st_name >= strtab_.sh_size) return Bad("symbol's name lies outside", i);
      if (symbol.st_shndx >= header_.e_shnum && symbol.st_shndx != SHN_ABS) {
        return Bad("symbol of an unknown section", i);
      }
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_TLS || type == STT_GNU_IFUNC) return Bad("symbol of an unsupported type", i);
    }
    return Status();
  }

  // Unwind tables are left out, because no exception passes through a kernel. The place and size in
  // a null section mean nothing, and are not checked.
  static Protection Classify(const Elf64_Shdr& s) {
    if ((s.sh_flags & SHF_ALLOC) == 0 || s.sh_type == SHT_X86_64_UNWIND || s.sh_type == SHT_NULL)
      return kNotLoaded;
    if ((s.sh_flags & SHF_EXECINSTR) != 0) return kExecute;
    return (s.sh_flags & SHF_WRITE) != 0 ? kWritable : kReadOnly;
  }

  // The image consists of code, then a stub for each symbol; constants, then a GOT slot for each
  // symbol; and data.
  Status LayOut() {
    addresses_ = static_cast<uint64_t*>(HeapAllocateZeroed(header_.e_shnum, sizeof(uint64_t)));
    resolved_ = static_cast<uint64_t*>(HeapAllocateZeroed(num_symbols_ + 1, sizeof(uint64_t)));
    if (addresses_ == nullptr || resolved_ == nullptr) {
      return MakeStatus(Code::kResourceExhausted, "object code: no memory for %llu symbols",
                        static_cast<unsigned long long>(num_symbols_));
    }
    uint64_t at = 0;
    for (int protection = kExecute; protection <= kWritable; ++protection) {
      starts_[protection] = at;
      for (uint64_t i = 0; i < header_.e_shnum; ++i) {
        const Elf64_Shdr s = Section(i);
        if (Classify(s) != protection) continue;
        if (s.sh_type == SHT_INIT_ARRAY || s.sh_type == SHT_FINI_ARRAY ||
            (s.sh_flags & SHF_TLS) != 0) {
          return Bad("section of an unsupported type", i);
        }
        const uint64_t alignment = s.sh_addralign == 0 ? 1 : s.sh_addralign;
        if (alignment > kPage || (alignment & (alignment - 1)) != 0)
          return Bad("section's alignment", i);
        at = AlignUp(at, alignment);
        addresses_[i] = at;
        if (s.sh_size > kMaxImage) return Bad("section too large", i);
        at += s.sh_size;
        if (at > kMaxImage) return Bad("over 1 GiB", i);
      }
      if (protection == kExecute) {
        stubs_ = AlignUp(at, kStubBytes);
        at = stubs_ + num_symbols_ * kStubBytes;
      } else if (protection == kReadOnly) {
        got_ = AlignUp(at, 8);
        at = got_ + num_symbols_ * 8;
      }
      at = AlignUp(at, kPage);
      if (at > kMaxImage) return Bad("over 1 GiB", header_.e_shnum);
    }
    starts_[3] = image_bytes_ = at;
    void* image =
        mmap(nullptr, image_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (image == MAP_FAILED) {
      return MakeStatus(Code::kResourceExhausted, "object code: no memory for %llu bytes of code",
                        static_cast<unsigned long long>(image_bytes_));
    }
    image_ = static_cast<uint8_t*>(image);
    for (uint64_t i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr s = Section(i);
      if (Classify(s) == kNotLoaded) continue;
      if (s.sh_type != SHT_NOBITS)
        memcpy(image_ + addresses_[i], object_.data + s.sh_offset, s.sh_size);
      addresses_[i] += reinterpret_cast<uint64_t>(image_);
    }
    return Status();
  }

  // Returns the value of symbol i. Imports are resolved once, on first use.
  Status Address(uint64_t i, uint64_t* address) {
    const Elf64_Sym symbol = Symbol(i);
    if (symbol.st_shndx == SHN_ABS) {
      *address = symbol.st_value;
      return Status();
    }
    if (symbol.st_shndx != SHN_UNDEF) {
      const Elf64_Shdr section = Section(symbol.st_shndx);
      if (Classify(section) == kNotLoaded)
        return Bad("reference to a section that is not loaded", i);
      if (symbol.st_value > section.sh_size) return Bad("symbol outside its section", i);
      *address = addresses_[symbol.st_shndx] + symbol.st_value;
      return Status();
    }
    if (i == 0) {
      *address = 0;
      return Status();
    }
    if (resolved_[i] == 0) {
      const char* name = Name(symbol);
      resolved_[i] = reinterpret_cast<uint64_t>(resolve_(name, context_));
      if (resolved_[i] == 0 && ELF64_ST_BIND(symbol.st_info) != STB_WEAK) {
        return MakeStatus(Code::kNotFound,
                          "object code: imports %s, which the runtime does not have", name);
      }
    }
    *address = resolved_[i];
    return Status();
  }

  // Returns the address at which code with a reach of 2 GiB calls symbol i: that of the symbol if
  // it is in the image, or else that of a stub `jmp *0(%rip)`.
  uint64_t CallTarget(uint64_t i, uint64_t address) {
    if (Symbol(i).st_shndx != SHN_UNDEF) return address;
    uint8_t* stub = image_ + stubs_ + i * kStubBytes;
    const uint8_t jump[6] = {0xFF, 0x25, 0, 0, 0, 0};
    memcpy(stub, jump, sizeof(jump));
    memcpy(stub + sizeof(jump), &address, sizeof(address));
    return reinterpret_cast<uint64_t>(stub);
  }

  uint64_t GotSlot(uint64_t i, uint64_t address) {
    uint8_t* slot = image_ + got_ + i * 8;
    memcpy(slot, &address, sizeof(address));
    return reinterpret_cast<uint64_t>(slot);
  }

  Status Store32(uint64_t place, uint64_t value, bool is_signed, const char* type) {
    const bool fits = is_signed ? static_cast<int64_t>(value) == static_cast<int32_t>(value)
                                : value == static_cast<uint32_t>(value);
    if (!fits) {
      return MakeStatus(Code::kUnimplemented, "object code: %s does not reach its target", type);
    }
    const uint32_t low = static_cast<uint32_t>(value);
    memcpy(reinterpret_cast<void*>(place), &low, sizeof(low));
    return Status();
  }

  Status RelocateAll() {
    for (uint64_t i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr s = Section(i);
      if (s.sh_type != SHT_RELA && s.sh_type != SHT_REL) continue;
      if (s.sh_info >= header_.e_shnum) return Bad("relocations of an unknown section", i);
      const Elf64_Shdr target = Section(s.sh_info);
      if (Classify(target) == kNotLoaded) continue;
      if (s.sh_type == SHT_REL || s.sh_entsize != sizeof(Elf64_Rela) ||
          s.sh_link != symtab_index_ || target.sh_type == SHT_NOBITS) {
        return Bad("malformed relocation section", i);
      }
      for (uint64_t k = 0; k < s.sh_size / sizeof(Elf64_Rela); ++k) {
        const auto rela =
            LoadUnaligned<Elf64_Rela>(object_.data + s.sh_offset + k * sizeof(Elf64_Rela));
        if (ELF64_R_SYM(rela.r_info) >= num_symbols_)
          return Bad("relocation of an unknown symbol", k);
        const uint32_t type = ELF64_R_TYPE(rela.r_info);
        const uint64_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
        if (!InRange(rela.r_offset, width, target.sh_size))
          return Bad("relocation lies outside", k);
        HY_RETURN_IF_ERROR(Relocate(addresses_[s.sh_info] + rela.r_offset, rela));
      }
    }
    return Status();
  }

  // S, A, P, G as in the psABI's table of relocation types.
  Status Relocate(uint64_t place, const Elf64_Rela& rela) {
    const uint64_t i = ELF64_R_SYM(rela.r_info);
    const uint64_t addend = static_cast<uint64_t>(rela.r_addend);
    const uint32_t type = ELF64_R_TYPE(rela.r_info);
    if (type == R_X86_64_NONE) return Status();
    uint64_t symbol = 0;
    HY_RETURN_IF_ERROR(Address(i, &symbol));
    switch (type) {
      case R_X86_64_64:
      case R_X86_64_PC64: {
        const uint64_t value = symbol + addend - (type == R_X86_64_PC64 ? place : 0);
        memcpy(reinterpret_cast<void*>(place), &value, sizeof(value));
        return Status();
      }
      case R_X86_64_32:
        return Store32(place, symbol + addend, false, "R_X86_64_32");
      case R_X86_64_32S:
        return Store32(place, symbol + addend, true, "R_X86_64_32S");
      case R_X86_64_PC32:
        return Store32(place, symbol + addend - place, true, "R_X86_64_PC32");
      case R_X86_64_PLT32:
        return Store32(place, CallTarget(i, symbol) + addend - place, true, "R_X86_64_PLT32");
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        return Store32(place, GotSlot(i, symbol) + addend - place, true, "R_X86_64_GOTPCREL");
      default:
        return MakeStatus(Code::kUnimplemented, "object code: relocation type %u is not supported",
                          type);
    }
  }

  Status Protect() {
    const int flags[3] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    for (int i = 0; i < 3; ++i) {
      if (starts_[i] == starts_[i + 1]) continue;
      if (mprotect(image_ + starts_[i], starts_[i + 1] - starts_[i], flags[i]) != 0) {
        return MakeStatus(Code::kFailedPrecondition,
                          "object code: the system does not let memory become executable: %s",
                          strerror(errno));
      }
    }
    return Status();
  }

  const ByteSpan object_;
  const SymbolResolver resolve_;
  void* const context_;
  Elf64_Ehdr header_ = {};
  uint64_t symtab_index_ = 0, num_symbols_ = 0;
  Elf64_Shdr symtab_ = {}, strtab_ = {};
  uint64_t* addresses_ = nullptr;  // of each section
  uint64_t* resolved_ = nullptr;   // of each import
  uint8_t* image_ = nullptr;
  uint64_t image_bytes_ = 0, stubs_ = 0, got_ = 0;
  uint64_t starts_[4] = {};
};

}  // namespace

Status LoadObject(ByteSpan object, const char* entry, SymbolResolver resolve, void* context,
                  LoadedObject* loaded) {
  return Loader(object, resolve, context).Load(entry, loaded);
}

void UnloadObject(LoadedObject* loaded) {
  if (loaded->mapping != nullptr) munmap(loaded->mapping, loaded->mapping_bytes);
  *loaded = LoadedObject();
}

}  // namespace halyard::runtime::x86
