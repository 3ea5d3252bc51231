// Accessors of Instruction, and Provenance.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {
namespace {

// The attribute's value, or a default-constructed one.
template <typename T>
const T& Get(const AttrMap& attrs, Attr attr) {
  static const T kDefault{};
  const AttrValue* value = attrs.Find(attr);
  const T* typed = value == nullptr ? nullptr : std::get_if<T>(value);
  return typed == nullptr ? kDefault : *typed;
}

template <typename T>
void AppendNew(const std::vector<T>& from, std::vector<T>* to) {
  for (const T& item : from) {
    if (std::find(to->begin(), to->end(), item) == to->end()) to->push_back(item);
  }
}

}  // namespace

void Provenance::Unite(const Provenance& other) {
  AppendNew(other.locations, &locations);
  AppendNew(other.op_names, &op_names);
}

std::string Provenance::Place() const {
  if (locations.empty()) return "";
  const SourceLocation& first = locations.front();
  if (first.line == 0) return first.file;  // of a binary file
  return absl::StrCat(first.file, ":", first.line, ":", first.column);
}

bool Instruction::GetBool(Attr attr) const { return Get<bool>(attrs, attr); }
int64_t Instruction::GetInt(Attr attr, int64_t absent) const {
  return Has(attr) ? Get<int64_t>(attrs, attr) : absent;
}
double Instruction::GetFloat(Attr attr, double absent) const {
  return Has(attr) ? Get<double>(attrs, attr) : absent;
}
const std::string& Instruction::GetString(Attr attr) const { return Get<std::string>(attrs, attr); }
const Ints& Instruction::GetInts(Attr attr) const { return Get<Ints>(attrs, attr); }
const IntLists& Instruction::GetIntLists(Attr attr) const { return Get<IntLists>(attrs, attr); }
const Words& Instruction::GetWords(Attr attr) const { return Get<Words>(attrs, attr); }
const Window& Instruction::GetWindow() const { return Get<Window>(attrs, Attr::kWindow); }
const PaddingConfig& Instruction::GetPadding() const {
  return Get<PaddingConfig>(attrs, Attr::kPadding);
}
const SliceDims& Instruction::GetSlice() const { return Get<SliceDims>(attrs, Attr::kSlice); }
const ConvDims& Instruction::GetConvDims() const { return Get<ConvDims>(attrs, Attr::kDimLabels); }

}  // namespace halyard::hlo
