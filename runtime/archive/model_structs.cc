#include "runtime/archive/model_structs.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/archive/c_api_text.h"
#include "runtime/archive/c_names.h"

namespace halyard {
namespace {

constexpr char kCalls[] =
    R"(/* The arguments and results by name. */
typedef struct $NAME_arguments {
$ARGUMENT_FIELDS} $NAME_arguments;
typedef struct $NAME_results {
$RESULT_FIELDS} $NAME_results;

/* The same as $NAME_run_with, by name. */
static inline hy_status $NAME_call($NAME_model* model, const hy_run_options* options,
                                   const $NAME_arguments* arguments, const $NAME_results* results) {
  const void* in[$NUM_ARGUMENTS];
  void* out[$NUM_RESULTS];
  if (arguments == NULL || results == NULL)
    return hy_status_new(HY_INVALID_ARGUMENT, "$NAME_call: arguments or results is NULL");
$FILL  return hy_run_with(model, options, in, out);
}
/* Starts a run (hy_run_async), which calls done(user, status) when it has ended. The arrays must
 * stay until then; the structs need not. */
static inline hy_status $NAME_call_async($NAME_model* model, const hy_run_options* options,
                                         const $NAME_arguments* arguments,
                                         const $NAME_results* results, hy_done done, void* user) {
  const void* in[$NUM_ARGUMENTS];
  void* out[$NUM_RESULTS];
  if (arguments == NULL || results == NULL)
    return hy_status_new(HY_INVALID_ARGUMENT, "$NAME_call_async: arguments or results is NULL");
$FILL  return hy_run_async(model, options, in, out, done, user);
}
)";

constexpr char kClass[] =
    R"(#if defined(__cplusplus) && __cplusplus >= 201703L
$API
namespace hy {
namespace models {

// The model as an owner (hy::Program), whose functions check the sizes of arrays.
class $CLASS : public hy::Program {
 public:
  struct Arguments {
$ARGUMENT_FIELDS  };
  struct Results {
$RESULT_FIELDS  };

  $CLASS() = default;
  explicit $CLASS(hy::Program&& program) : hy::Program(std::move(program)) {}
  // As $NAME_create_with.
  static hy::Result<$CLASS> Create(const hy_choose_options* options = nullptr) {
    hy::Result<hy::Program> program = hy::Program::Choose($NAME_linked, options);
    if (!program) return program.take_status();
    return $CLASS(*std::move(program));
  }
  hy::Status Run(const Arguments& arguments, const Results& results,
                 const hy_run_options* options = nullptr) {
    const void* in[$NUM_ARGUMENTS];
    void* out[$NUM_RESULTS];
    hy::Status status = Fill(arguments, results, in, out);
    return status.ok() ? hy::Status(hy_run_with(get(), options, in, out)) : std::move(status);
  }
  // Calls done(hy::Status) when the run has ended (hy_run_async).
  template <typename Done>
  hy::Status RunAsync(const Arguments& arguments, const Results& results, Done done,
                      const hy_run_options* options = nullptr) {
    const void* in[$NUM_ARGUMENTS];
    void* out[$NUM_RESULTS];
    hy::Status status = Fill(arguments, results, in, out);
    if (!status.ok()) return status;
    return hy::RunAsync(get(), options, in, out, std::move(done));
  }

 private:
  static hy::Status Fill(const Arguments& arguments, const Results& results, const void** in,
                         void** out) {
    (void)arguments, (void)results;
$FILL    return hy::Status();
  }
};

}  // namespace models
}  // namespace hy
#endif
)";

std::string AtLeastOne(size_t count) { return absl::StrCat(count == 0 ? 1 : count); }

// Returns the name of the class. hy::models:: keeps it apart from everything else.
std::string ClassName(const std::string& name) {
  for (const char* own :
       {"Arguments", "Results", "Create", "Run", "RunAsync", "Fill", "hy", "std"}) {
    if (name == own) return name + "_";
  }
  return IsKeyword(name) ? name + "_" : name;
}

}  // namespace

std::string StructsAndCalls(const std::string& name, const std::vector<NamedValue>& arguments,
                            const std::vector<NamedValue>& results) {
  std::string argument_fields, result_fields, fill;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const NamedValue& value = arguments[i];
    absl::StrAppend(&argument_fields, "  const ", value.type, "* ", value.name, ";\n");
    absl::StrAppend(&fill, "  in[", i, "] = arguments->", value.name, ";\n");
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const NamedValue& value = results[i];
    absl::StrAppend(&result_fields, "  ", value.type, "* ", value.name, ";\n");
    absl::StrAppend(&fill, "  out[", i, "] = results->", value.name, ";\n");
  }
  // C has no structs without fields.
  if (arguments.empty()) {
    argument_fields = "  int none;\n";
    fill += "  in[0] = NULL;\n";
  }
  if (results.empty()) {
    result_fields = "  int none;\n";
    fill += "  out[0] = NULL;\n";
  }
  return absl::StrReplaceAll(kCalls, {{"$NAME", name},
                                      {"$ARGUMENT_FIELDS", argument_fields},
                                      {"$RESULT_FIELDS", result_fields},
                                      {"$NUM_ARGUMENTS", AtLeastOne(arguments.size())},
                                      {"$NUM_RESULTS", AtLeastOne(results.size())},
                                      {"$FILL", fill}});
}

std::string CppWrapper(const std::string& name, const std::vector<NamedValue>& arguments,
                       const std::vector<NamedValue>& results) {
  std::string argument_fields, result_fields, fill;
  const auto add = [&](const NamedValue& value, size_t i, bool is_result) {
    const char* owner = is_result ? "results." : "arguments.";
    absl::StrAppend(is_result ? &result_fields : &argument_fields, "    hy::Span<",
                    is_result ? "" : "const ", value.type, "> ", value.name, ";  // ",
                    value.constant, "\n");
    absl::StrAppend(&fill, "    if (hy::BytesOf(", owner, value.name, ") != ", value.constant,
                    ")\n      return hy::Status(HY_INVALID_ARGUMENT, \"", name, ": ", value.name,
                    " has not ", value.constant, "\");\n");
    absl::StrAppend(&fill, "    ", is_result ? "out[" : "in[", i, "] = ", owner, value.name,
                    ".data();\n");
  };
  for (size_t i = 0; i < arguments.size(); ++i) add(arguments[i], i, false);
  for (size_t i = 0; i < results.size(); ++i) add(results[i], i, true);
  if (arguments.empty()) fill += "    in[0] = nullptr;\n";
  if (results.empty()) fill += "    out[0] = nullptr;\n";
  return absl::StrReplaceAll(kClass, {{"$NAME", name},
                                      {"$CLASS", ClassName(name)},
                                      {"$API", kCppApiText},
                                      {"$ARGUMENT_FIELDS", argument_fields},
                                      {"$RESULT_FIELDS", result_fields},
                                      {"$NUM_ARGUMENTS", AtLeastOne(arguments.size())},
                                      {"$NUM_RESULTS", AtLeastOne(results.size())},
                                      {"$FILL", fill}});
}

}  // namespace halyard
