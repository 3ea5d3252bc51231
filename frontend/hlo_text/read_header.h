// Reads what comes before the first computation: the `HloModule` line and the tables of source
// places.
#ifndef HALYARD_FRONTEND_HLO_TEXT_READ_HEADER_H_
#define HALYARD_FRONTEND_HLO_TEXT_READ_HEADER_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/hlo/ir/module.h"
#include "frontend/hlo_text/cursor.h"

namespace halyard::hlo_text {

// A path of tuple indices, as in `{0, 1}`.
using ShapeIndex = std::vector<int64_t>;

// The parts of the header line that mean something to Halyard; the rest is skipped. ApplyHeader
// resolves shape indices, once the entry's shapes are known.
struct Header {
  struct Alias {
    size_t offset = 0;
    ShapeIndex result;
    int64_t parameter = 0;
    ShapeIndex parameter_index;
    bool must = false;
  };
  struct Donor {
    size_t offset = 0;
    int64_t parameter = 0;
  };
  std::string name;
  std::vector<Alias> aliases;
  std::vector<Donor> donors;
  bool has_layout = false;  // entry_computation_layout
  size_t layout_offset = 0;
  std::vector<hlo::Shape> parameters;
  hlo::Shape result;
  int64_t num_replicas = 1, num_partitions = 1;
};

// FileNames, FunctionNames, FileLocations and StackFrames, which newer XLA writes instead of
// source_file in each metadata.
class SourceTables {
 public:
  bool Read(Cursor& cursor);
  // Returns where frame `stack_frame_id` is, or null if the tables do not say.
  const hlo::SourceLocation* Find(int64_t stack_frame_id) const;

 private:
  bool ReadTable(Cursor& cursor, absl::string_view table);

  std::unordered_map<int64_t, std::string> files_;
  std::unordered_map<int64_t, hlo::SourceLocation> locations_;
  std::unordered_map<int64_t, int64_t> frames_;
};

bool ReadHeader(Cursor& cursor, Header* header);

// Checks the header against the entry's shapes, and sets the module's aliases, donors and counts.
bool ApplyHeader(Cursor& cursor, const Header& header, hlo::Module* module);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_READ_HEADER_H_
