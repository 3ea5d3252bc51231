#include "runtime/archive/entries_header.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "runtime/archive/c_api_text.h"
#include "runtime/archive/model_header.h"
#include "runtime/execute/context.h"

namespace halyard {
namespace {

using Size = CatalogueSpec::Size;

// The text of the header, in which the $WORDS are replaced.
constexpr char kEntriesHeader[] =
    R"(/* Made by Halyard for $TARGETS. Build: gcc app.c lib$NAME.a -lm -lpthread
 *
$VALUES
 *
 * Arrays are dense and row-major. Those at multiples of $UPPER_ALIGNMENT bytes are used in place
 * where the program is compiled for the sizes of the run; others are copied. */
#ifndef HALYARD_MODEL_$NAME_H_
#define HALYARD_MODEL_$NAME_H_

$API
#define $UPPER_ALIGNMENT $ALIGNMENT
$CONSTANTS
#ifdef __cplusplus
extern "C" {
#endif

extern const hy_linked_program $NAME_linked;
typedef hy_program $NAME_model; /* hy_program_entry finds its entries */

/* On the best of the targets that this machine has (hy_program_choose_linked); the CPU with so many
 * threads (0: one for each CPU). Free with $NAME_destroy. */
static inline hy_status $NAME_create(int threads, $NAME_model** model) {
  const hy_choose_options options = {sizeof(options), threads, 0, NULL, NULL, NULL, NULL, NULL, 0};
  return hy_program_choose_linked(&$NAME_linked, &options, model);
}
/* The same with options, such as a device to share, which may be NULL. */
static inline hy_status $NAME_create_with(const hy_choose_options* options, $NAME_model** model) {
  return hy_program_choose_linked(&$NAME_linked, options, model);
}
$WITH_WEIGHTS/* Returns the target that runs. Valid as long as the model. */
static inline const char* $NAME_chosen(const $NAME_model* model) {
  return hy_program_target(model);
}
/* Returns a line for each target: why it was chosen, or why not. */
static inline const char* $NAME_choice(const $NAME_model* model) {
  return hy_program_choice(model);
}
$ENTRIES
static inline void $NAME_destroy($NAME_model* model) { hy_program_free(model); }

#ifdef __cplusplus
}
#endif

#endif /* HALYARD_MODEL_$NAME_H_ */
)";

constexpr char kWithWeights[] =
    R"(/* The same with the path of $NAME.weights, which $NAME_create looks for. */
static inline hy_status $NAME_create_with_weights(int threads, const char* weights,
                                                  $NAME_model** model) {
  const hy_choose_options options = {sizeof(options), threads, 0, NULL, weights, NULL, NULL, NULL, 0};
  return hy_program_choose_linked(&$NAME_linked, &options, model);
}
)";

// The functions of one entry.
constexpr char kEntry[] =
    R"($SIZES_STRUCT
/* May be called from several threads at once. The options may be NULL. */
static inline hy_status $P_run_with($NAME_model* model, const hy_run_options* options$SIZES_PARAMETER$PARAMETERS) {
  const void* arguments[$NUM_ARGUMENTS];
  void* results[$NUM_RESULTS];
  hy_program* entry = NULL;
$ASSIGNMENTS  hy_status status = hy_program_entry(model, "$ENTRY", &entry);
  if (status != NULL) return status;
  return hy_run_sized(entry, options, $SIZES, arguments, results);
}
static inline hy_status $P_run($NAME_model* model$SIZE_PARAMETERS$PARAMETERS) {
$SET_SIZES  return $P_run_with(model, NULL$SIZES_ARGUMENT$VALUE_NAMES);
}
)";

// One entry's part of the header.
class EntryText {
 public:
  EntryText(const std::string& name, const std::string& prefix, const CatalogueSpec::Entry& entry,
            const ProgramSpec& largest, const ValueNames& names)
      : name_(name),
        prefix_(prefix),
        upper_(absl::AsciiStrToUpper(prefix)),
        entry_(entry),
        largest_(largest) {
    // Sizes are parameters of the functions, too, so their names must differ from the others.
    ValueNames all;
    for (const auto& variable : entry.variables) all.arguments.push_back(variable.name);
    for (size_t i = 0; i < entry.arguments.size(); ++i)
      all.arguments.push_back(i < names.arguments.size() ? names.arguments[i] : "");
    all.results = names.results;
    for (size_t i = 0; i < all.arguments.size(); ++i) {
      if (all.arguments[i].empty())
        all.arguments[i] = absl::StrCat("arg", i - entry.variables.size());
    }
    const ValueNames c_names = CIdentifiers(name, all, all.arguments.size(), entry.results.size());
    sizes_.assign(c_names.arguments.begin(), c_names.arguments.begin() + entry.variables.size());
    arguments_.assign(c_names.arguments.begin() + entry.variables.size(), c_names.arguments.end());
    results_ = c_names.results;
  }

  std::string Functions() const;
  std::string Constants() const;
  std::string Comment() const;

 private:
  std::string Formula(const Size& size) const;
  std::string DimsText(const std::vector<Size>& dims, const ProgramSpec::Value& largest) const;
  void AppendValue(const std::string& name, size_t number, const std::vector<Size>& dims,
                   const ProgramSpec::Value& largest, std::string* text) const;
  static bool IsFixed(const Size& size) {
    for (size_t i = 1; i < size.linear.size(); ++i) {
      if (size.linear[i] != 0) return false;
    }
    return !size.linear.empty();
  }

  const std::string& name_;
  const std::string prefix_, upper_;
  const CatalogueSpec::Entry& entry_;
  const ProgramSpec& largest_;
  std::vector<std::string> sizes_, arguments_, results_;
};

// "(batch) * 2 + 1"; "" if the size is no such sum.
std::string EntryText::Formula(const Size& size) const {
  if (size.linear.empty()) return "";
  std::vector<std::string> terms;
  for (size_t i = 1; i < size.linear.size(); ++i) {
    if (size.linear[i] == 0) continue;
    const std::string value = absl::StrCat("(int64_t)(", sizes_[i - 1], ")");
    terms.push_back(size.linear[i] == 1 ? value : absl::StrCat(value, " * ", size.linear[i]));
  }
  if (size.linear[0] != 0 || terms.empty()) terms.push_back(absl::StrCat(size.linear[0]));
  return absl::StrJoin(terms, " + ");
}

std::string EntryText::DimsText(const std::vector<Size>& dims,
                                const ProgramSpec::Value& largest) const {
  std::vector<std::string> texts;
  for (size_t d = 0; d < dims.size(); ++d) {
    const std::string formula = Formula(dims[d]);
    texts.push_back(IsFixed(dims[d])  ? absl::StrCat(largest.dims[d])
                    : formula.empty() ? absl::StrCat("<=", largest.dims[d])
                                      : absl::StrReplaceAll(formula, {{"(int64_t)", ""}}));
  }
  return absl::StrCat(largest.element_type, "[", absl::StrJoin(texts, ", "), "]");
}

std::string EntryText::Comment() const {
  std::string text;
  if (entry_.variables.empty()) {
    absl::StrAppend(&text, " * ", prefix_, "_run:\n");
  } else {
    std::vector<std::string> sizes;
    for (const auto& variable : entry_.variables) {
      sizes.push_back(variable.exact ? absl::StrCat(variable.name, " one of ",
                                                    absl::StrJoin(variable.bounds, ", "))
                                     : absl::StrCat(variable.name, " from ", variable.least, " to ",
                                                    variable.bounds.back()));
    }
    absl::StrAppend(&text, " * ", prefix_, "_run, ", absl::StrJoin(sizes, "; "), ":\n");
  }
  for (size_t i = 0; i < arguments_.size(); ++i) {
    absl::StrAppend(&text, " *   ", arguments_[i], ": argument ", i, ", ",
                    DimsText(entry_.arguments[i], largest_.parameters[i]), "\n");
  }
  for (size_t i = 0; i < results_.size(); ++i) {
    absl::StrAppend(&text, " *   ", results_[i], ": result ", i, ", ",
                    DimsText(entry_.results[i], largest_.results[i]), "\n");
  }
  return text;
}

// Numbers that follow from sizes are macros with the sizes as parameters.
void EntryText::AppendValue(const std::string& name, size_t number, const std::vector<Size>& dims,
                            const ProgramSpec::Value& largest, std::string* text) const {
  const std::string prefix = absl::StrCat(upper_, "_", absl::AsciiStrToUpper(name));
  const auto define = [&](const std::string& what, const std::string& value) {
    absl::StrAppend(text, "#define ", prefix, "_", what, " ", value, "\n");
  };
  const auto number_text = [](int64_t value) {
    return absl::StrCat(value, value > INT32_MAX ? "LL" : "");
  };
  const std::string parameters = absl::StrCat("(", absl::StrJoin(sizes_, ", "), ")");
  define("INDEX", absl::StrCat(number));
  define("RANK", absl::StrCat(dims.size()));
  int64_t fixed = 1, most = 1;
  bool all_fixed = true, all_known = true;
  std::string product;
  for (size_t d = 0; d < dims.size(); ++d) {
    most *= largest.dims[d];
    const std::string formula = Formula(dims[d]);
    if (IsFixed(dims[d])) {
      fixed *= largest.dims[d];
      define(absl::StrCat("DIM_", d), number_text(largest.dims[d]));
      continue;
    }
    all_fixed = false;
    all_known = all_known && !formula.empty();
    if (formula.empty()) continue;
    define(absl::StrCat("DIM_", d, parameters), absl::StrCat("(", formula, ")"));
    absl::StrAppend(&product, product.empty() ? "" : " * ", "(", formula, ")");
  }
  const int64_t each = most == 0 ? 1 : largest.bytes / most;
  if (all_fixed) {
    define("COUNT", number_text(fixed));
    define("BYTES", number_text(largest.bytes));
    return;
  }
  if (all_known) {
    define(absl::StrCat("COUNT", parameters), absl::StrCat("(", product, " * ", fixed, ")"));
    define(absl::StrCat("BYTES", parameters), absl::StrCat("(", product, " * ", fixed * each, ")"));
  }
  define("MAX_COUNT", number_text(most));
  define("MAX_BYTES", number_text(largest.bytes));
}

std::string EntryText::Constants() const {
  std::string text = absl::StrCat("#define ", upper_, "_NUM_ARGUMENTS ", arguments_.size(),
                                  "\n#define ", upper_, "_NUM_RESULTS ", results_.size(), "\n");
  for (size_t i = 0; i < sizes_.size(); ++i) {
    const CatalogueSpec::Variable& variable = entry_.variables[i];
    const std::string prefix = absl::StrCat(upper_, "_", absl::AsciiStrToUpper(sizes_[i]));
    absl::StrAppend(&text, "#define ", prefix, "_LEAST ",
                    variable.exact ? variable.bounds[0] : variable.least, "\n#define ", prefix,
                    "_MOST ", variable.bounds.back(), "\n");
  }
  for (size_t i = 0; i < arguments_.size(); ++i)
    AppendValue(arguments_[i], i, entry_.arguments[i], largest_.parameters[i], &text);
  for (size_t i = 0; i < results_.size(); ++i)
    AppendValue(results_[i], i, entry_.results[i], largest_.results[i], &text);
  return text;
}

std::string EntryText::Functions() const {
  std::string parameters, value_names, assignments, size_parameters, set_sizes, structure;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    absl::StrAppend(&parameters, ", const ", CType(largest_.parameters[i].element_type), "* ",
                    arguments_[i]);
    absl::StrAppend(&value_names, ", ", arguments_[i]);
    absl::StrAppend(&assignments, "  arguments[", i, "] = ", arguments_[i], ";\n");
  }
  for (size_t i = 0; i < results_.size(); ++i) {
    absl::StrAppend(&parameters, ", ", CType(largest_.results[i].element_type), "* ", results_[i]);
    absl::StrAppend(&value_names, ", ", results_[i]);
    absl::StrAppend(&assignments, "  results[", i, "] = ", results_[i], ";\n");
  }
  if (arguments_.empty()) assignments += "  arguments[0] = NULL;\n";
  if (results_.empty()) assignments += "  results[0] = NULL;\n";
  const bool sized = !sizes_.empty();
  if (sized) {
    structure = absl::StrCat("\n/* The sizes of a run, in the order of hy_run_sized. */\n",
                             "typedef struct ", prefix_, "_sizes {\n");
    set_sizes = absl::StrCat("  ", prefix_, "_sizes chosen;\n");
    for (const std::string& size : sizes_) {
      absl::StrAppend(&structure, "  int64_t ", size, ";\n");
      absl::StrAppend(&size_parameters, ", int64_t ", size);
      absl::StrAppend(&set_sizes, "  chosen.", size, " = ", size, ";\n");
    }
    absl::StrAppend(&structure, "} ", prefix_, "_sizes;");
  }
  const auto at_least_one = [](size_t count) { return absl::StrCat(count == 0 ? 1 : count); };
  return absl::StrReplaceAll(
      kEntry,
      {{"$SIZES_STRUCT", structure},
       {"$SIZES_PARAMETER", sized ? absl::StrCat(", const ", prefix_, "_sizes* sizes") : ""},
       {"$SIZE_PARAMETERS", size_parameters},
       {"$SIZES_ARGUMENT", sized ? ", &chosen" : ""},
       {"$SIZES", sized ? "(const int64_t*)sizes" : "NULL"},
       {"$SET_SIZES", set_sizes},
       {"$PARAMETERS", parameters},
       {"$VALUE_NAMES", value_names},
       {"$NUM_ARGUMENTS", at_least_one(arguments_.size())},
       {"$NUM_RESULTS", at_least_one(results_.size())},
       {"$ASSIGNMENTS", assignments},
       {"$ENTRY", absl::CEscape(entry_.name)},
       {"$NAME", name_},
       {"$P", prefix_}});
}

}  // namespace

std::string EntriesHeader(const std::string& name, absl::Span<const ProgramSpec> parts,
                          const CatalogueSpec& catalogue, absl::Span<const ValueNames> names,
                          bool weights_file) {
  ValueNames entry_names;
  for (const CatalogueSpec::Entry& entry : catalogue.entries)
    entry_names.arguments.push_back(entry.name);
  const ValueNames identifiers = CIdentifiers(name, entry_names, catalogue.entries.size(), 0);
  std::vector<std::string> comments;
  std::string constants, functions, targets;
  size_t part = 0;
  for (size_t i = 0; i < catalogue.entries.size(); ++i) {
    const CatalogueSpec::Entry& entry = catalogue.entries[i];
    size_t count = 1;
    for (const CatalogueSpec::Variable& variable : entry.variables) count *= variable.bounds.size();
    part += count;
    const std::string prefix =
        catalogue.entries.size() == 1 ? name : absl::StrCat(name, "_", identifiers.arguments[i]);
    const EntryText text(name, prefix, entry, parts[part - 1], names[i]);
    comments.push_back(text.Comment());
    constants += text.Constants();
    functions += text.Functions();
  }
  for (size_t k = 0; k < parts.size(); k += part)
    absl::StrAppend(&targets, targets.empty() ? "" : ", ", parts[k].target);
  std::string values = absl::StrJoin(comments, "");
  if (!values.empty()) values.pop_back();
  const std::string with_weights =
      weights_file ? absl::StrReplaceAll(kWithWeights, {{"$NAME", name}}) : "";
  return absl::StrReplaceAll(kEntriesHeader,
                             {{"$TARGETS", targets},
                              {"$VALUES", values},
                              {"$UPPER", absl::AsciiStrToUpper(name)},
                              {"$API", kCApiText},
                              {"$ALIGNMENT", absl::StrCat(runtime::Context::kHostAlignment)},
                              {"$CONSTANTS", constants},
                              {"$WITH_WEIGHTS", with_weights},
                              {"$ENTRIES", functions},
                              {"$NAME", name}});
}

}  // namespace halyard
