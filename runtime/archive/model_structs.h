// The parts of a model's header that call it by the names of its arguments and results: structs for
// C, and a class for C++17.
#ifndef HALYARD_RUNTIME_ARCHIVE_MODEL_STRUCTS_H_
#define HALYARD_RUNTIME_ARCHIVE_MODEL_STRUCTS_H_

#include <string>
#include <vector>

namespace halyard {

// A value as the header has it.
struct NamedValue {
  std::string name;      // a C identifier
  std::string type;      // of its elements: "float"
  std::string constant;  // the macro with its number of bytes
};

// Returns the structs NAME_arguments and NAME_results, and the functions NAME_call and
// NAME_call_async. They follow the type NAME_model and NAME_linked in the header.
std::string StructsAndCalls(const std::string& name, const std::vector<NamedValue>& arguments,
                            const std::vector<NamedValue>& results);

// Returns the class hy::models::NAME with the text of halyard_rt.hpp before it, for compilers of
// C++17 and later. It stands outside of extern "C".
std::string CppWrapper(const std::string& name, const std::vector<NamedValue>& arguments,
                       const std::vector<NamedValue>& results);

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ARCHIVE_MODEL_STRUCTS_H_
