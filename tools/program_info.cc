#include "tools/program_info.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "runtime/absl_status.h"
#include "runtime/program/bundle/bundle.h"

namespace halyard::tools {
namespace {

using runtime::Bundle;
using runtime::Catalogue;
using runtime::Program;
using runtime::program_format::ValueRecord;

std::string Count(uint64_t number, const char* what) {
  return absl::StrCat(number, " ", what, number == 1 ? "" : "s");
}

std::string ValueLine(const Program& program, const ValueRecord& value) {
  const auto text = [&](const runtime::program_format::Range& range) {
    const runtime::StringSpan span = program.String(range);
    return std::string(span.data, span.size);
  };
  std::string line = absl::StrCat(text(value.name), ": ", text(value.element_type), "[");
  for (uint32_t i = 0; i < value.rank; ++i)
    absl::StrAppend(&line, i == 0 ? "" : ",", program.dims(value)[i]);
  return absl::StrCat(line, "], ", value.bytes, " bytes\n");
}

// The last parameters of a catalogue's parts are the sizes, which runs do not give as arguments.
std::string ValueLines(const Program& program, uint64_t num_arguments, const char* indent) {
  std::string lines;
  for (uint32_t i = 0; i < num_arguments; ++i)
    absl::StrAppend(&lines, indent, ValueLine(program, program.parameter(i)));
  for (uint32_t i = 0; i < program.num_results(); ++i)
    absl::StrAppend(&lines, indent, ValueLine(program, program.result(i)));
  return lines;
}

// Says which values a size has, and for which there are programs.
std::string SizeLine(const Catalogue& catalogue, const Catalogue::Variable& size) {
  constexpr uint64_t kMostListed = 32;
  std::string bounds;
  for (uint64_t i = 0; i < size.num_bounds && i < kMostListed; ++i)
    absl::StrAppend(&bounds, i == 0 ? "" : ", ", catalogue.bounds(size)[i]);
  if (size.num_bounds > kMostListed) absl::StrAppend(&bounds, ", ..., ", catalogue.most(size));
  const std::string name = catalogue.name(size.name);
  if (size.exact != 0) return absl::StrCat("  size ", name, ": one of ", bounds, "\n");
  return absl::StrCat("  size ", name, ": ", size.least, "..", catalogue.most(size),
                      ", with programs for ", bounds, "\n");
}

// `last` is the entry's program for its largest sizes.
std::string EntryLines(const Catalogue& catalogue, const Catalogue::Entry& entry,
                       const Program& last) {
  std::string lines = absl::StrCat(
      "entry ", catalogue.name(entry.name), ": ", Count(catalogue.num_parts(entry), "program"),
      entry.num_variables == 0 ? "" : ", here with the largest sizes", "\n");
  for (uint64_t i = 0; i < entry.num_variables; ++i)
    absl::StrAppend(&lines, SizeLine(catalogue, catalogue.variable(entry, i)));
  return absl::StrCat(lines, ValueLines(last, entry.num_arguments, "  "));
}

// The programs of a target share their constants, and one runs at a time.
std::string TargetLine(const Bundle& bundle, uint32_t target, uint32_t num_parts) {
  uint64_t kernels = 0, kernel_bytes = 0, most_constants = 0, most_temporaries = 0;
  for (uint32_t part = 0; part < num_parts; ++part) {
    const Program& program = *bundle.part(target, part);
    kernels += program.num_kernels();
    for (uint32_t i = 0; i < program.num_kernels(); ++i)
      kernel_bytes += program.kernel(i).object.bytes;
    uint64_t constants = 0;
    for (uint32_t i = 0; i < program.num_constants(); ++i) constants += program.constant(i).size;
    most_constants = std::max(most_constants, constants);
    most_temporaries = std::max<uint64_t>(
        most_temporaries, program.device_arena_bytes() + program.host_arena_bytes());
  }
  const Program& first = *bundle.part(target);
  return absl::StrCat(first.target().data, ": for ", first.device().name, "; ", kernels,
                      " kernels of ", kernel_bytes, " bytes, constants ", most_constants,
                      " bytes, temporaries ", most_temporaries, " bytes\n");
}

}  // namespace

absl::StatusOr<std::string> DescribeProgramFile(const std::string& file) {
  Bundle bundle;
  if (absl::Status s = ToAbsl(bundle.Open(file.c_str())); !s.ok()) return s;
  const Catalogue* catalogue = bundle.catalogue();
  const uint32_t num_parts =
      catalogue == nullptr ? 1 : static_cast<uint32_t>(catalogue->parts_of_target());
  const Program& first = *bundle.part(0);
  std::string lines = absl::StrCat(
      first.name().data, ": format ", runtime::program_format::kVersion, ", ",
      Count(bundle.size(), "target"),
      catalogue == nullptr ? "" : absl::StrCat(", each with ", Count(num_parts, "program")), "\n");
  if (catalogue == nullptr) absl::StrAppend(&lines, ValueLines(first, first.num_parameters(), ""));
  uint32_t end = 0;  // of the entry's parts
  for (uint32_t e = 0; catalogue != nullptr && e < catalogue->num_entries(); ++e) {
    const Catalogue::Entry& entry = catalogue->entry(e);
    end += static_cast<uint32_t>(catalogue->num_parts(entry));
    absl::StrAppend(&lines, EntryLines(*catalogue, entry, *bundle.part(0, end - 1)));
  }
  for (uint32_t target = 0; target < bundle.size(); ++target)
    absl::StrAppend(&lines, TargetLine(bundle, target, num_parts));
  return lines;
}

}  // namespace halyard::tools
