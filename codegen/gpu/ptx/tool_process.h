// NVIDIA's tools are programs that read and write files: a folder for these, and how to run one.
#ifndef HALYARD_CODEGEN_GPU_PTX_TOOL_PROCESS_H_
#define HALYARD_CODEGEN_GPU_PTX_TOOL_PROCESS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

// A folder in $TMPDIR that is removed with its files at the end.
class WorkFolder {
 public:
  // `files`: the names of all files that may be made in it.
  explicit WorkFolder(std::vector<std::string> files);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  bool ok() const { return !path_.empty(); }
  std::string File(absl::string_view name) const;
  std::vector<std::string> Files() const;  // the paths of all files

 private:
  const std::vector<std::string> files_;
  std::string path_;
};

// Empty if it cannot be read.
std::string ReadToolFile(const std::string& path);

// Runs a program to its end. `output` gets both of its streams; `exit_status` is 128 after a
// signal. kNotFound: it cannot be started. If this process is killed meanwhile, the program ends,
// too, and `folder` is removed.
absl::Status RunTool(const WorkFolder& folder, const std::string& program,
                     const std::vector<std::string>& arguments, const std::string& output,
                     int* exit_status);

// The first executable `name` in $PATH, else where CUDA's toolkit is installed by default; "" if
// there is none.
std::string FindInstalledTool(absl::string_view name);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_TOOL_PROCESS_H_
