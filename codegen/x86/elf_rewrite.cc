#include "codegen/x86/elf_rewrite.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace halyard::lowering {
namespace {

// Lists indices into the symbol table, which this file reorders; only a linker's --icf reads it.
constexpr uint32_t kLlvmAddrsig = 0x6fff4c03;

template <typename... Args>
absl::Status Malformed(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("object file: ", args...));
}

bool IsGlobal(const Elf64_Sym& symbol) { return ELF64_ST_BIND(symbol.st_info) != STB_LOCAL; }

// An object in parts: headers by value, contents in place.
class Object {
 public:
  static absl::StatusOr<Object> Parse(absl::string_view bytes);
  absl::Status Rewrite(absl::string_view entry_from, absl::string_view entry_to);
  std::string Serialize();

 private:
  absl::Status ParseSections(absl::string_view bytes);
  absl::Status ParseSymbols();
  absl::Status RemapRelocations(const std::vector<uint32_t>& new_index);

  Elf64_Ehdr header_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<std::string> contents_;  // of each section; empty for SHT_NOBITS
  size_t symtab_ = 0;
  std::vector<Elf64_Sym> symbols_;
  std::vector<std::string> names_;  // of each symbol
};

absl::StatusOr<Object> Object::Parse(absl::string_view bytes) {
  Object object;
  if (bytes.size() < sizeof(Elf64_Ehdr)) return Malformed("shorter than an ELF header");
  memcpy(&object.header_, bytes.data(), sizeof(Elf64_Ehdr));
  const Elf64_Ehdr& h = object.header_;
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0) return Malformed("no ELF magic");
  if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB ||
      h.e_machine != EM_X86_64 || h.e_type != ET_REL || h.e_shentsize != sizeof(Elf64_Shdr)) {
    return Malformed("not an ELF64 x86-64 relocatable");
  }
  absl::Status status = object.ParseSections(bytes);
  if (status.ok()) status = object.ParseSymbols();
  if (!status.ok()) return status;
  return object;
}

absl::Status Object::ParseSections(absl::string_view bytes) {
  if (header_.e_shnum == 0 || header_.e_shoff > bytes.size() ||
      (bytes.size() - header_.e_shoff) / sizeof(Elf64_Shdr) < header_.e_shnum) {
    return Malformed("section headers at ", header_.e_shoff, " lie outside");
  }
  sections_.resize(header_.e_shnum);
  memcpy(sections_.data(), bytes.data() + header_.e_shoff, header_.e_shnum * sizeof(Elf64_Shdr));
  contents_.resize(sections_.size());
  for (size_t i = 0; i < sections_.size(); ++i) {
    const Elf64_Shdr& s = sections_[i];
    if (s.sh_type == SHT_SYMTAB) {
      if (symtab_ != 0) return Malformed("two symbol tables");
      symtab_ = i;
    }
    if (s.sh_addralign > 4096) return Malformed("section ", i, " is aligned to ", s.sh_addralign);
    if (s.sh_type == SHT_SYMTAB_SHNDX) return Malformed("more sections than are supported");
    if (s.sh_type == SHT_NULL || s.sh_type == SHT_NOBITS) continue;
    if (s.sh_offset > bytes.size() || s.sh_size > bytes.size() - s.sh_offset) {
      return Malformed("section ", i, " lies outside");
    }
    contents_[i].assign(bytes.data() + s.sh_offset, s.sh_size);
  }
  if (symtab_ == 0) return Malformed("no symbol table");
  return absl::OkStatus();
}

absl::Status Object::ParseSymbols() {
  const Elf64_Shdr& s = sections_[symtab_];
  if (s.sh_entsize != sizeof(Elf64_Sym) || s.sh_size % sizeof(Elf64_Sym) != 0 || s.sh_size == 0) {
    return Malformed("symbol table of ", s.sh_size, " bytes");
  }
  if (s.sh_link >= sections_.size() || sections_[s.sh_link].sh_type != SHT_STRTAB) {
    return Malformed("the symbol table has no string table");
  }
  const std::string& strings = contents_[s.sh_link];
  if (strings.empty() || strings.back() != '\0') return Malformed("unterminated string table");
  symbols_.resize(s.sh_size / sizeof(Elf64_Sym));
  memcpy(symbols_.data(), contents_[symtab_].data(), s.sh_size);
  for (size_t i = 0; i < symbols_.size(); ++i) {
    if (symbols_[i].st_name >= strings.size())
      return Malformed("name of symbol ", i, " lies outside");
    names_.emplace_back(strings.c_str() + symbols_[i].st_name);
  }
  return absl::OkStatus();
}

// Symbols keep their order within locals and within globals, and locals come first, as ELF wants.
absl::Status Object::Rewrite(absl::string_view entry_from, absl::string_view entry_to) {
  bool found = false;
  for (size_t i = 1; i < symbols_.size(); ++i) {
    Elf64_Sym& symbol = symbols_[i];
    std::string& name = names_[i];
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_COMMON) return Malformed("common symbol ", name);
    if (IsGlobal(symbol) && symbol.st_shndx != SHN_UNDEF) {
      const bool is_entry = name == entry_from;
      found |= is_entry;
      symbol.st_info = ELF64_ST_INFO(is_entry ? STB_GLOBAL : STB_LOCAL, type);
      symbol.st_other = is_entry ? STV_HIDDEN : STV_DEFAULT;
      if (is_entry) {
        name = std::string(entry_to);
        continue;
      }
      if (name == entry_to) name += ".body";
    }
    if (absl::StartsWith(name, "halide_")) name.replace(0, strlen("halide_"), "hyrt_");
    if (!IsGlobal(symbol))
      name = absl::StrReplaceAll(name, {{"halide", "hyrt"}, {"Halide", "Hyrt"}});
  }
  if (!found) return absl::NotFoundError(absl::StrCat("object file: no global ", entry_from));

  std::vector<uint32_t> order, new_index(symbols_.size());
  for (const bool global : {false, true}) {
    if (global) sections_[symtab_].sh_info = order.size();
    for (uint32_t i = 0; i < symbols_.size(); ++i) {
      if (IsGlobal(symbols_[i]) != global) continue;
      new_index[i] = order.size();
      order.push_back(i);
    }
  }
  std::string strings(1, '\0'), table;
  for (uint32_t i : order) {
    Elf64_Sym symbol = symbols_[i];
    symbol.st_name = names_[i].empty() ? 0 : strings.size();
    if (!names_[i].empty()) strings.append(names_[i].c_str(), names_[i].size() + 1);
    table.append(reinterpret_cast<const char*>(&symbol), sizeof(symbol));
  }
  contents_[symtab_] = std::move(table);

  // LLVM uses one string table for symbols and sections, so the section names move to its end.
  const uint32_t string_section = sections_[symtab_].sh_link;
  if (header_.e_shstrndx == string_section) {
    const std::string old = contents_[string_section];
    for (Elf64_Shdr& s : sections_) {
      if (s.sh_name >= old.size()) return Malformed("a section's name lies outside");
      const char* name = old.c_str() + s.sh_name;
      s.sh_name = *name == '\0' ? 0 : strings.size();
      if (*name != '\0') strings.append(name, strlen(name) + 1);
    }
  }
  contents_[string_section] = std::move(strings);
  return RemapRelocations(new_index);
}

absl::Status Object::RemapRelocations(const std::vector<uint32_t>& new_index) {
  for (size_t i = 0; i < sections_.size(); ++i) {
    Elf64_Shdr& s = sections_[i];
    if (s.sh_type == SHT_REL) return Malformed("section ", i, " is of type SHT_REL");
    if (s.sh_type == SHT_GROUP && s.sh_link == symtab_) {
      if (s.sh_info >= new_index.size())
        return Malformed("signature of group ", i, " lies outside");
      s.sh_info = new_index[s.sh_info];
    }
    if (s.sh_type == kLlvmAddrsig) contents_[i].clear();
    if (s.sh_type != SHT_RELA) continue;
    if (s.sh_entsize != sizeof(Elf64_Rela) || s.sh_size % sizeof(Elf64_Rela) != 0 ||
        s.sh_link != symtab_) {
      return Malformed("relocation section ", i, " is malformed");
    }
    for (size_t at = 0; at < contents_[i].size(); at += sizeof(Elf64_Rela)) {
      Elf64_Rela rela;
      memcpy(&rela, contents_[i].data() + at, sizeof(rela));
      const uint64_t symbol = ELF64_R_SYM(rela.r_info);
      if (symbol >= new_index.size()) return Malformed("relocation of symbol ", symbol);
      rela.r_info = ELF64_R_INFO(uint64_t{new_index[symbol]}, ELF64_R_TYPE(rela.r_info));
      memcpy(contents_[i].data() + at, &rela, sizeof(rela));
    }
  }
  return absl::OkStatus();
}

std::string Object::Serialize() {
  std::string out(sizeof(Elf64_Ehdr), '\0');
  for (size_t i = 1; i < sections_.size(); ++i) {
    Elf64_Shdr& s = sections_[i];
    if (s.sh_type == SHT_NULL) continue;
    const uint64_t alignment = s.sh_addralign == 0 ? 1 : s.sh_addralign;
    out.resize((out.size() + alignment - 1) / alignment * alignment);
    s.sh_offset = out.size();
    if (s.sh_type != SHT_NOBITS) s.sh_size = contents_[i].size();
    out += contents_[i];
  }
  out.resize((out.size() + 7) / 8 * 8);
  header_.e_shoff = out.size();
  out.append(reinterpret_cast<const char*>(sections_.data()),
             sections_.size() * sizeof(Elf64_Shdr));
  memcpy(out.data(), &header_, sizeof(header_));
  return out;
}

}  // namespace

absl::StatusOr<std::string> RewriteSymbols(absl::string_view object, absl::string_view entry_from,
                                           absl::string_view entry_to) {
  absl::StatusOr<Object> parsed = Object::Parse(object);
  if (!parsed.ok()) return parsed.status();
  absl::Status status = parsed->Rewrite(entry_from, entry_to);
  if (!status.ok()) return status;
  return parsed->Serialize();
}

}  // namespace halyard::lowering
