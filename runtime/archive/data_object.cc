#include "runtime/archive/data_object.h"

#include <elf.h>

#include <cstring>
#include <map>
#include <utility>

namespace halyard {
namespace {

enum Section {
  kNull,
  kConstants,
  kLarge,
  kRelocated,
  kRelocations,
  kSymbols,
  kStrings,
  kStackNote,
  kNumSections
};

constexpr uint64_t kShfX8664Large = 0x10000000;

template <typename T>
void Append(const T& value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

uint32_t AddString(const std::string& text, std::string* strings) {
  const uint32_t at = static_cast<uint32_t>(strings->size());
  strings->append(text.c_str(), text.size() + 1);
  return at;
}

// Returns the file: header, sections, section headers. Section names go into `contents[kStrings]`.
std::string Assemble(std::string (&contents)[kNumSections],
                     const uint64_t (&alignments)[kNumSections], uint32_t num_locals) {
  const char* const names[kNumSections] = {
      "",        ".rodata", ".lrodata",       ".data.rel.ro", ".rela.data.rel.ro",
      ".symtab", ".strtab", ".note.GNU-stack"};
  // GNU's linkers place large data by its flag or name, behind all other sections. LLVM's before
  // version 18 know neither. They place whatever is no PROGBITS before .rodata and the code, and of
  // the other types that both accept for data, this is the one that has no meaning by itself.
  const uint32_t types[kNumSections] = {SHT_NULL, SHT_PROGBITS, SHT_X86_64_UNWIND, SHT_PROGBITS,
                                        SHT_RELA, SHT_SYMTAB,   SHT_STRTAB,        SHT_PROGBITS};
  const uint64_t flags[kNumSections] = {
      0, SHF_ALLOC, SHF_ALLOC | kShfX8664Large, SHF_ALLOC | SHF_WRITE, SHF_INFO_LINK, 0, 0, 0};
  Elf64_Shdr headers[kNumSections] = {};
  for (int i = 1; i < kNumSections; ++i)
    headers[i].sh_name = AddString(names[i], &contents[kStrings]);
  std::string out(sizeof(Elf64_Ehdr), '\0');
  size_t all = sizeof(headers) + kNumSections * 4096;
  for (const std::string& bytes : contents) all += bytes.size();
  out.reserve(all);
  for (int i = 1; i < kNumSections; ++i) {
    out.resize((out.size() + alignments[i] - 1) / alignments[i] * alignments[i]);
    headers[i].sh_type = types[i];
    headers[i].sh_flags = flags[i];
    headers[i].sh_offset = out.size();
    headers[i].sh_size = contents[i].size();
    headers[i].sh_addralign = alignments[i];
    out += contents[i];
    contents[i] = std::string();  // large models need the memory
  }
  headers[kRelocations].sh_link = kSymbols;
  headers[kRelocations].sh_info = kRelocated;
  headers[kRelocations].sh_entsize = sizeof(Elf64_Rela);
  headers[kSymbols].sh_link = kStrings;
  headers[kSymbols].sh_info = num_locals;
  headers[kSymbols].sh_entsize = sizeof(Elf64_Sym);
  out.resize((out.size() + 7) / 8 * 8);

  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = out.size();
  header.e_ehsize = sizeof(header);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kNumSections;
  header.e_shstrndx = kStrings;
  memcpy(out.data(), &header, sizeof(header));
  for (const Elf64_Shdr& section : headers) Append(section, &out);
  return out;
}

}  // namespace

std::string WriteDataObject(std::vector<DataSymbol> symbols) {
  std::string contents[kNumSections];
  std::string& strings = contents[kStrings];
  strings.push_back('\0');
  uint64_t alignments[kNumSections] = {0, 1, 1, 8, 8, 8, 1, 1};
  std::map<std::string, uint32_t> numbers;  // of symbols in the table
  std::vector<Elf64_Sym> locals(1), globals;

  std::vector<uint64_t> places;  // of each symbol in its section
  for (DataSymbol& symbol : symbols) {
    const Section section =
        !symbol.pointers.empty() ? kRelocated : (symbol.large ? kLarge : kConstants);
    std::string& data = contents[section];
    data.resize((data.size() + symbol.alignment - 1) / symbol.alignment * symbol.alignment);
    if (symbol.alignment > alignments[section]) alignments[section] = symbol.alignment;
    places.push_back(data.size());
    Elf64_Sym record = {};
    record.st_name = AddString(symbol.name, &strings);
    record.st_info = ELF64_ST_INFO(symbol.global ? STB_GLOBAL : STB_LOCAL, STT_OBJECT);
    record.st_shndx = section;
    record.st_value = data.size();
    record.st_size = symbol.bytes.size();
    (symbol.global ? globals : locals).push_back(record);
    if (data.empty()) {
      data = std::move(symbol.bytes);
    } else {
      data += symbol.bytes;
    }
  }
  // Local symbols are numbered before global ones, and imports come last.
  uint32_t next_local = 1, next_global = static_cast<uint32_t>(locals.size());
  for (const DataSymbol& symbol : symbols)
    numbers[symbol.name] = symbol.global ? next_global++ : next_local++;
  for (size_t i = 0; i < symbols.size(); ++i) {
    for (const DataPointer& pointer : symbols[i].pointers) {
      auto [it, is_new] = numbers.emplace(pointer.symbol, next_global);
      if (is_new) {
        ++next_global;
        Elf64_Sym import = {};
        import.st_name = AddString(pointer.symbol, &strings);
        import.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
        globals.push_back(import);
      }
      const Elf64_Rela rela = {places[i] + pointer.offset,
                               ELF64_R_INFO(uint64_t{it->second}, R_X86_64_64), 0};
      Append(rela, &contents[kRelocations]);
    }
  }
  for (const Elf64_Sym& symbol : locals) Append(symbol, &contents[kSymbols]);
  for (const Elf64_Sym& symbol : globals) Append(symbol, &contents[kSymbols]);

  return Assemble(contents, alignments, static_cast<uint32_t>(locals.size()));
}

}  // namespace halyard
