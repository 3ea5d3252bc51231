#include "client/aot/sized_entry.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "lowering/plan/sizes/pad_program.h"
#include "runtime/program/bundle/catalogue_format.h"

namespace halyard {
namespace {

using lowering::PaddedProgram;
using lowering::SizeBox;
using lowering::SizeFunction;

// Makes the programs of one entry, and collects the sizes of its arrays.
class EntryMaker {
 public:
  EntryMaker(const hlo::Module& module, ArgumentSizes sizes)
      : module_(module), sizes_(std::move(sizes)) {}

  absl::StatusOr<SizedEntry> Make(const std::string& name) {
    SizedEntry entry;
    entry.catalogue.name = name;
    int64_t combinations = 1, parts = 1;
    for (const DeclaredSize& size : sizes_.variables) {
      entry.catalogue.variables.push_back({size.name, size.least, size.bounds, size.exact});
      const int64_t values = size.exact ? static_cast<int64_t>(size.bounds.size())
                                        : size.bounds.back() - size.least + 1;
      if (values > kMaxSizeCombinations / combinations) {
        return absl::InvalidArgumentError(absl::StrCat("more than ", kMaxSizeCombinations,
                                                       " combinations of sizes; declare fewer"));
      }
      combinations *= values;
      parts *= static_cast<int64_t>(size.bounds.size());
      values_.push_back(entry.catalogue.variables.back().Values());
    }
    if (sizes_.variables.size() > runtime::catalogue_format::kMaxVariables) {
      return absl::InvalidArgumentError(
          absl::StrCat("more than ", runtime::catalogue_format::kMaxVariables, " sizes"));
    }
    for (int64_t part = 0; part < parts; ++part) {
      const SizeBox box = BoxOf(part);
      absl::StatusOr<PaddedProgram> padded = Padded(box, hlo::FoldedArrays::kOfStatedSizes);
      // Sizes may follow from arrays of variable size, which are folded if they are small.
      if (padded.status().code() == absl::StatusCode::kUnimplemented) {
        absl::StatusOr<PaddedProgram> other = Padded(box, hlo::FoldedArrays::kAll);
        if (other.ok()) padded = std::move(other);
      }
      if (!padded.ok()) return Explained(padded.status());
      Collect(box, padded->arguments, combinations, &arguments_);
      Collect(box, padded->results, combinations, &results_);
      entry.modules.push_back(std::move(padded->module));
    }
    entry.catalogue.arguments = SizesOf(entry.catalogue, &arguments_);
    entry.catalogue.results = SizesOf(entry.catalogue, &results_);
    for (const auto* arrays : {&entry.catalogue.arguments, &entry.catalogue.results}) {
      for (const auto& array : *arrays) {
        if (array.size() <= runtime::catalogue_format::kMaxRank) continue;
        return absl::InvalidArgumentError(absl::StrCat("an array with variable sizes has at most ",
                                                       runtime::catalogue_format::kMaxRank,
                                                       " dimensions"));
      }
    }
    return entry;
  }

 private:
  using Tables = std::vector<std::vector<SizeFunction>>;  // by array and dimension

  absl::StatusOr<PaddedProgram> Padded(const SizeBox& box, hlo::FoldedArrays folded) const {
    return lowering::PadProgram(box, [&](const std::vector<int64_t>& sizes) {
      return hlo::SpecializeForShapes(module_, sizes_.Shapes(module_, sizes), folded);
    });
  }

  // The sizes that part `part` serves.
  SizeBox BoxOf(int64_t part) const {
    SizeBox box;
    for (size_t i = sizes_.variables.size(); i-- > 0;) {
      const DeclaredSize& size = sizes_.variables[i];
      const size_t at = static_cast<size_t>(part) % size.bounds.size();
      part /= static_cast<int64_t>(size.bounds.size());
      box.names.insert(box.names.begin(), size.name);
      box.high.insert(box.high.begin(), size.bounds[at]);
      box.low.insert(box.low.begin(), size.exact ? size.bounds[at]
                                      : at == 0  ? size.least
                                                 : size.bounds[at - 1] + 1);
    }
    return box;
  }

  void Collect(const SizeBox& box, const Tables& from, int64_t combinations, Tables* to) const {
    if (to->empty()) {
      for (const auto& array : from)
        to->emplace_back(array.size(), SizeFunction(static_cast<size_t>(combinations), 0));
    }
    for (int64_t k = 0; k < box.Count(); ++k) {
      const std::vector<int64_t> sizes = box.At(k);
      size_t index = 0;
      for (size_t i = 0; i < sizes.size(); ++i) {
        const auto at = std::lower_bound(values_[i].begin(), values_[i].end(), sizes[i]);
        index = index * values_[i].size() + static_cast<size_t>(at - values_[i].begin());
      }
      for (size_t array = 0; array < from.size(); ++array) {
        for (size_t d = 0; d < from[array].size(); ++d)
          (*to)[array][d][index] = from[array][d][static_cast<size_t>(k)];
      }
    }
  }

  static std::vector<std::vector<CatalogueSpec::Size>> SizesOf(const CatalogueSpec::Entry& entry,
                                                               Tables* tables) {
    std::vector<std::vector<CatalogueSpec::Size>> sizes;
    for (auto& array : *tables) {
      auto& of_array = sizes.emplace_back();
      for (SizeFunction& table : array) of_array.push_back(SizeFrom(entry, std::move(table)));
    }
    return sizes;
  }

  absl::Status Explained(const absl::Status& status) const {
    if (status.code() != absl::StatusCode::kUnimplemented) return status;
    for (const DeclaredSize& size : sizes_.variables) {
      if (size.exact || size.least == size.bounds.back()) continue;
      return absl::Status(
          status.code(),
          absl::StrCat(status.message(), " (a list, as in --dim=", size.name, ":", size.least, ",",
                       size.bounds.back(), ", has a program for each of its sizes)"));
    }
    return status;
  }

  const hlo::Module& module_;
  const ArgumentSizes sizes_;
  std::vector<std::vector<int64_t>> values_;  // of each variable
  Tables arguments_, results_;
};

}  // namespace

absl::StatusOr<SizedEntry> MakeSizedEntry(const std::string& name, const hlo::Module& module,
                                          absl::Span<const DeclaredSize> declared) {
  absl::StatusOr<ArgumentSizes> sizes = FindArgumentSizes(module, declared);
  if (!sizes.ok()) return sizes.status();
  std::set<std::string> places = std::move(sizes->places);
  absl::StatusOr<SizedEntry> entry = EntryMaker(module, *std::move(sizes)).Make(name);
  if (entry.ok()) entry->places = std::move(places);
  return entry;
}

}  // namespace halyard
