#include "frontend/hlo_text/parser.h"

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/cursor.h"
#include "frontend/hlo_text/read_computation.h"
#include "frontend/hlo_text/read_header.h"

namespace halyard::hlo_text {
namespace {

bool ReadModule(Cursor& cursor, std::unique_ptr<hlo::Module>* module) {
  Header header;
  SourceTables tables;
  if (!ReadHeader(cursor, &header) || !tables.Read(cursor)) return false;
  *module = std::make_unique<hlo::Module>(header.name);
  ComputationReader computations(cursor, tables, module->get());
  while (!cursor.AtEnd()) {
    if (!computations.Read()) return false;
  }
  if (!cursor.status().ok()) return false;  // an unclosed comment
  const auto& all = (*module)->computations();
  if (all.empty()) return cursor.Fail("the module has no computation");
  if ((*module)->entry() == nullptr) {
    if (all.size() > 1) return cursor.Fail("no computation is marked ENTRY");
    (*module)->set_entry(all.front().get());
  }
  return ApplyHeader(cursor, header, module->get());
}

}  // namespace

absl::StatusOr<std::unique_ptr<hlo::Module>> ParseModule(absl::string_view text,
                                                         absl::string_view filename) {
  Cursor cursor(text, filename);
  std::unique_ptr<hlo::Module> module;
  if (!ReadModule(cursor, &module)) return cursor.status();
  if (absl::Status status = hlo::VerifyModule(*module); !status.ok()) return status;
  return module;
}

}  // namespace halyard::hlo_text
