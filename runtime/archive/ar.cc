#include "runtime/archive/ar.h"

#include <elf.h>

#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace halyard {
namespace {

constexpr absl::string_view kMagic = "!<arch>\n";
constexpr size_t kHeaderBytes = 60;
constexpr uint64_t kLargestMember = 9'999'999'998;  // sizes have ten decimal digits

template <typename... Args>
absl::Status Malformed(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("archive: ", args...));
}

template <typename T>
bool Load(absl::string_view bytes, uint64_t offset, T* value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  memcpy(value, bytes.data() + offset, sizeof(T));
  return true;
}

// Returns the names of the global symbols that an object defines.
absl::StatusOr<std::vector<std::string>> DefinedSymbols(const ArchiveMember& member) {
  const absl::string_view object = member.data;
  Elf64_Ehdr header;
  if (!Load(object, 0, &header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr)) {
    return Malformed(member.name, " is not an ELF64 object");
  }
  std::vector<std::string> names;
  for (int i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section, strings;
    if (!Load(object, header.e_shoff + i * sizeof(section), &section))
      return Malformed(member.name, ": section headers");
    if (section.sh_type != SHT_SYMTAB) continue;
    if (!Load(object, header.e_shoff + section.sh_link * sizeof(strings), &strings) ||
        strings.sh_offset > object.size() || strings.sh_size > object.size() - strings.sh_offset) {
      return Malformed(member.name, ": string table");
    }
    const absl::string_view text = object.substr(strings.sh_offset, strings.sh_size);
    for (uint64_t k = 0; k < section.sh_size / sizeof(Elf64_Sym); ++k) {
      Elf64_Sym symbol;
      if (!Load(object, section.sh_offset + k * sizeof(symbol), &symbol) ||
          symbol.st_name >= text.size()) {
        if (section.sh_size == 0) break;
        return Malformed(member.name, ": symbol ", k);
      }
      if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || symbol.st_shndx == SHN_UNDEF) continue;
      const size_t end = text.find('\0', symbol.st_name);
      if (end == absl::string_view::npos) return Malformed(member.name, ": symbol ", k);
      names.emplace_back(text.substr(symbol.st_name, end - symbol.st_name));
    }
  }
  return names;
}

void AppendHeader(absl::string_view name, size_t size, std::string* out) {
  absl::StrAppendFormat(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "100644", size);
}

void AppendPadded(absl::string_view data, std::string* out) {
  out->append(data.data(), data.size());
  if (out->size() % 2 != 0) out->push_back('\n');
}

void AppendBigEndian(uint64_t value, uint64_t width, std::string* out) {
  for (uint64_t i = width; i > 0; --i) out->push_back(static_cast<char>(value >> (8 * (i - 1))));
}

uint64_t PaddedSize(uint64_t size) { return kHeaderBytes + size + size % 2; }

}  // namespace

absl::StatusOr<std::vector<ArchiveMember>> ReadArchive(absl::string_view archive) {
  if (archive.substr(0, kMagic.size()) != kMagic) return Malformed("not an archive");
  std::vector<ArchiveMember> members;
  absl::string_view long_names;
  size_t at = kMagic.size();
  while (at < archive.size()) {
    if (archive.size() - at < kHeaderBytes) return Malformed("truncated at ", at);
    const absl::string_view header = archive.substr(at, kHeaderBytes);
    uint64_t size = 0;
    if (header.substr(58) != "`\n" ||
        !absl::SimpleAtoi(absl::StripAsciiWhitespace(header.substr(48, 10)), &size)) {
      return Malformed("malformed header at ", at);
    }
    at += kHeaderBytes;
    if (size > archive.size() - at) return Malformed("truncated at ", at);
    const absl::string_view data = archive.substr(at, size);
    at += size + size % 2;
    absl::string_view name = absl::StripTrailingAsciiWhitespace(header.substr(0, 16));
    if (name == "/" || name == "/SYM64/") continue;
    if (name == "//") {
      long_names = data;
      continue;
    }
    uint64_t offset = 0;
    if (name.size() > 1 && name[0] == '/') {
      if (!absl::SimpleAtoi(name.substr(1), &offset) || offset >= long_names.size()) {
        return Malformed("malformed name at ", at);
      }
      name = long_names.substr(offset, long_names.find('\n', offset) - offset);
    }
    if (!name.empty() && name.back() == '/') name.remove_suffix(1);
    members.push_back({std::string(name), std::string(data)});
  }
  return members;
}

absl::StatusOr<std::string> WriteArchive(const std::vector<ArchiveMember>& members,
                                         uint64_t largest_offset) {
  std::string long_names, index_names;
  std::vector<std::string> header_names;
  std::vector<size_t> owners;  // the member of each symbol
  for (size_t i = 0; i < members.size(); ++i) {
    absl::StatusOr<std::vector<std::string>> symbols = DefinedSymbols(members[i]);
    if (!symbols.ok()) return symbols.status();
    for (const std::string& symbol : *symbols) {
      owners.push_back(i);
      index_names.append(symbol.c_str(), symbol.size() + 1);
    }
    if (members[i].name.size() < 16) {
      header_names.push_back(members[i].name + "/");
    } else {
      header_names.push_back(absl::StrCat("/", long_names.size()));
      absl::StrAppend(&long_names, members[i].name, "/\n");
    }
  }
  // Some readers assume that the sizes of tables are even, as GNU's `ar` writes them.
  if (index_names.size() % 2 != 0) index_names.push_back('\0');
  if (long_names.size() % 2 != 0) long_names.push_back('\n');
  // Offsets have 32 bits as long as all of them fit.
  uint64_t width = 4, index_size = 0, at = 0;
  std::vector<uint64_t> offsets;
  while (true) {
    index_size = width * (1 + owners.size()) + index_names.size();
    at = kMagic.size() + PaddedSize(index_size) +
         (long_names.empty() ? 0 : PaddedSize(long_names.size()));
    offsets.clear();
    for (const ArchiveMember& member : members) {
      offsets.push_back(at);
      at += PaddedSize(member.data.size());
    }
    if (offsets.empty() || offsets.back() <= largest_offset || width == 8) break;
    width = 8;
  }
  for (const ArchiveMember& member : members) {
    if (member.data.size() > kLargestMember) return Malformed(member.name, " has over 9.9 GB");
  }

  std::string out(kMagic);
  out.reserve(at);
  AppendHeader(width == 4 ? "/" : "/SYM64/", index_size, &out);
  std::string index;
  AppendBigEndian(owners.size(), width, &index);
  for (size_t owner : owners) AppendBigEndian(offsets[owner], width, &index);
  AppendPadded(index + index_names, &out);
  if (!long_names.empty()) {
    AppendHeader("//", long_names.size(), &out);
    AppendPadded(long_names, &out);
  }
  for (size_t i = 0; i < members.size(); ++i) {
    AppendHeader(header_names[i], members[i].data.size(), &out);
    AppendPadded(members[i].data, &out);
  }
  return out;
}

}  // namespace halyard
