#include "runtime/archive/model_header.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "runtime/archive/c_api_text.h"
#include "runtime/archive/model_structs.h"
#include "runtime/execute/context.h"

namespace halyard {
namespace {

// Returns the C type of an array of an HLO element type; complex elements are pairs.
const char* CType(const std::string& element_type) {
  static const auto* const types = new std::map<std::string, const char*>{
      {"f32", "float"},    {"f64", "double"},    {"c64", "float"},    {"c128", "double"},
      {"s64", "int64_t"},  {"s32", "int32_t"},   {"s16", "int16_t"},  {"s8", "int8_t"},
      {"u64", "uint64_t"}, {"u32", "uint32_t"},  {"u16", "uint16_t"}, {"u8", "uint8_t"},
      {"pred", "uint8_t"}, {"bf16", "uint16_t"}, {"f16", "uint16_t"}, {"s4", "int8_t"},
      {"s2", "int8_t"},    {"u4", "uint8_t"},    {"u2", "uint8_t"},
  };
  auto it = types->find(element_type);
  return it != types->end() ? it->second : "uint8_t";  // the float8 family
}

// "images: argument 0, f32[32,8,8,1], 8192 bytes"
std::string Describe(const std::string& name, const char* kind, size_t number,
                     const ProgramSpec::Value& value) {
  std::string text = absl::StrCat(" *   ", name, ": ", kind, " ", number, ", ", value.element_type,
                                  "[", absl::StrJoin(value.dims, ","), "]");
  if (!value.minor_to_major.empty())
    absl::StrAppend(&text, "{", absl::StrJoin(value.minor_to_major, ","), "}");
  return absl::StrCat(text, ", ", value.bytes, " bytes");
}

// Writes macros, because enumerations of C99 end at INT_MAX, and its constants cannot size an
// array.
void AppendConstants(const std::string& prefix, size_t number, const ProgramSpec::Value& value,
                     std::string* text) {
  const auto define = [&](const std::string& what, int64_t amount) {
    absl::StrAppend(text, "#define ", prefix, "_", what, " ", amount,
                    amount > INT32_MAX ? "LL" : "", "\n");
  };
  int64_t count = 1;
  for (const int64_t dim : value.dims) count *= dim;
  define("INDEX", static_cast<int64_t>(number));
  define("RANK", static_cast<int64_t>(value.dims.size()));
  for (size_t i = 0; i < value.dims.size(); ++i) define(absl::StrCat("DIM_", i), value.dims[i]);
  define("COUNT", count);
  define("BYTES", value.bytes);
}

// The text of the header, in which the $WORDS are replaced.
constexpr char kHeader[] =
    R"(/* Made by Halyard for $TARGET. Build: gcc app.c lib$NAME.a -lm -lpthread
 *
$VALUES
 *
 * Arrays are dense and row-major unless a layout, fastest dimension first, is shown in braces.
 * Those at multiples of $UPPER_ALIGNMENT bytes are used in place, others are copied. */
#ifndef HALYARD_MODEL_$NAME_H_
#define HALYARD_MODEL_$NAME_H_

$API
$CONSTANTS
#ifdef __cplusplus
extern "C" {
#endif

extern const hy_linked_program $NAME_linked;
typedef hy_program $NAME_model; /* what hy_program_... and hy_run_... take, too */

$CREATE/* With options, which may be NULL: a device that models share, an application's threads, memory and
 * devices, custom calls, and more (hy_program_choose_linked). Free with $NAME_destroy. */
static inline hy_status $NAME_create_with(const hy_choose_options* options, $NAME_model** model) {
  return hy_program_choose_linked(&$NAME_linked, options, model);
}
/* Returns the target that runs. Valid as long as the model. */
static inline const char* $NAME_chosen(const $NAME_model* model) {
  return hy_program_target(model);
}
/* Returns a line for each target: why it was chosen, or why not. "" if there is only x86. */
static inline const char* $NAME_choice(const $NAME_model* model) {
  return hy_program_choice(model);
}

/* May be called from several threads at once. The options may be NULL. */
static inline hy_status $NAME_run_with($NAME_model* model, const hy_run_options* options$PARAMETERS) {
  const void* arguments[$NUM_ARGUMENTS];
  void* results[$NUM_RESULTS];
$ASSIGNMENTS  return hy_run_with(model, options, arguments, results);
}
static inline hy_status $NAME_run($NAME_model* model$PARAMETERS) {
  return $NAME_run_with(model, NULL$VALUE_NAMES);
}

$CALLS
static inline void $NAME_destroy($NAME_model* model) { hy_program_free(model); }

#ifdef __cplusplus
}
#endif

$CPP
#endif /* HALYARD_MODEL_$NAME_H_ */
)";

// For a library with one target, x86.
constexpr char kCreate[] =
    R"(/* On this machine's CPU, with so many threads (0: one for each CPU). Free with $NAME_destroy. */
static inline hy_status $NAME_create(int threads, $NAME_model** model) {
  hy_device* device = NULL;
  hy_status status = hy_device_open("x86", 0, threads, &device);
  if (status != NULL) return status;
  status = hy_program_load_linked(device, &$NAME_linked, model);
  hy_device_close(device); /* the model keeps it alive */
  return status;
}

)";

// For a library with other targets.
constexpr char kCreateChoosing[] =
    R"(/* On the best of the targets that this machine has (hy_program_choose_linked); the CPU with so many
 * threads (0: one for each CPU). Free with $NAME_destroy. */
static inline hy_status $NAME_create(int threads, $NAME_model** model) {
  const hy_choose_options options = {sizeof(options), threads, 0, NULL, NULL, NULL, NULL, NULL, 0};
  return hy_program_choose_linked(&$NAME_linked, &options, model);
}

)";
constexpr char kCreateChoosingWithWeights[] =
    R"(/* The same with the path of $NAME.weights, which $NAME_create looks for (hy_program_load_linked). */
static inline hy_status $NAME_create_with_weights(int threads, const char* weights,
                                                  $NAME_model** model) {
  const hy_choose_options options = {sizeof(options), threads, 0, NULL, weights, NULL, NULL, NULL, 0};
  return hy_program_choose_linked(&$NAME_linked, &options, model);
}

)";

constexpr char kCreateWithWeights[] =
    R"(/* The same with the path of $NAME.weights, which $NAME_create looks for (hy_program_load_linked). */
static inline hy_status $NAME_create_with_weights(int threads, const char* weights,
                                                  $NAME_model** model) {
  hy_device* device = NULL;
  hy_status status = hy_device_open("x86", 0, threads, &device);
  if (status != NULL) return status;
  status = hy_program_load_linked_weights(device, &$NAME_linked, weights, model);
  hy_device_close(device);
  return status;
}

)";

// The texts about the values: lists for the comment, the constants and the C declarations.
struct ValueTexts {
  std::vector<std::string> comments;
  std::string parameters, names;  // ", float* x", ", x" and so on
  std::string constants, assignments;
  std::vector<NamedValue> arguments, results;
};

ValueTexts Texts(const std::string& name, const ProgramSpec& program, const ValueNames& names) {
  const std::string upper = absl::AsciiStrToUpper(name);
  ValueTexts texts;
  texts.constants =
      absl::StrCat("#define ", upper, "_ALIGNMENT ", runtime::Context::kHostAlignment, "\n#define ",
                   upper, "_NUM_ARGUMENTS ", program.parameters.size(), "\n#define ", upper,
                   "_NUM_RESULTS ", program.results.size(), "\n");
  const auto add = [&](const ProgramSpec::Value& value, const std::string& c_name, size_t number,
                       bool is_result) {
    const std::string constant = absl::StrCat(upper, "_", absl::AsciiStrToUpper(c_name));
    (is_result ? texts.results : texts.arguments)
        .push_back({c_name, CType(value.element_type), constant + "_BYTES"});
    texts.comments.push_back(Describe(c_name, is_result ? "result" : "argument", number, value));
    absl::StrAppend(&texts.parameters, is_result ? ", " : ", const ", CType(value.element_type),
                    "* ", c_name);
    absl::StrAppend(&texts.names, ", ", c_name);
    AppendConstants(constant, number, value, &texts.constants);
    absl::StrAppend(&texts.assignments, "  ", is_result ? "results[" : "arguments[", number,
                    "] = ", c_name, ";\n");
  };
  const ValueNames c_names =
      CIdentifiers(name, names, program.parameters.size(), program.results.size());
  for (size_t i = 0; i < program.parameters.size(); ++i)
    add(program.parameters[i], c_names.arguments[i], i, false);
  for (size_t i = 0; i < program.results.size(); ++i)
    add(program.results[i], c_names.results[i], i, true);
  if (program.parameters.empty()) texts.assignments += "  arguments[0] = NULL;\n";
  if (program.results.empty()) texts.assignments += "  results[0] = NULL;\n";
  return texts;
}

}  // namespace

std::string ModelHeader(const std::string& name, absl::Span<const ProgramSpec> programs,
                        const ValueNames& names, bool weights_file) {
  const ProgramSpec& program = programs[0];
  const bool chooses = programs.size() > 1 || program.device.kind != runtime::DeviceKind::kX86;
  std::string create = chooses ? kCreateChoosing : kCreate;
  if (weights_file) create += chooses ? kCreateChoosingWithWeights : kCreateWithWeights;
  std::string targets;
  for (const ProgramSpec& each : programs)
    absl::StrAppend(&targets, targets.empty() ? "" : ", ", each.target);
  const ValueTexts texts = Texts(name, program, names);
  const auto at_least_one = [](size_t count) { return absl::StrCat(count == 0 ? 1 : count); };
  return absl::StrReplaceAll(kHeader,
                             {{"$CREATE", absl::StrReplaceAll(create, {{"$NAME", name}})},
                              {"$CALLS", StructsAndCalls(name, texts.arguments, texts.results)},
                              {"$CPP", CppWrapper(name, texts.arguments, texts.results)},
                              {"$NAME", name},
                              {"$UPPER", absl::AsciiStrToUpper(name)},
                              {"$TARGET", targets},
                              {"$VALUES", absl::StrJoin(texts.comments, "\n")},
                              {"$API", kCApiText},
                              {"$CONSTANTS", texts.constants},
                              {"$PARAMETERS", texts.parameters},
                              {"$VALUE_NAMES", texts.names},
                              {"$NUM_ARGUMENTS", at_least_one(program.parameters.size())},
                              {"$NUM_RESULTS", at_least_one(program.results.size())},
                              {"$ASSIGNMENTS", texts.assignments}});
}

}  // namespace halyard
