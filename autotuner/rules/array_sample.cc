#include "autotuner/rules/array_sample.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace halyard::autotuner {

namespace {

// Copies the sample's elements of dimension `d` and those after it, whose first element is at
// `from`.
void CopySample(const char* from, const ArraySample& sample, size_t d, int64_t stride, char** to) {
  if (d == sample.dims.size()) {
    memcpy(*to, from, static_cast<size_t>(stride));
    *to += stride;
    return;
  }
  // From here on, all of the array is in the sample.
  const bool rest =
      std::all_of(sample.indices.begin() + static_cast<int64_t>(d), sample.indices.end(),
                  [](const auto& list) { return list.empty(); });
  if (rest) {
    memcpy(*to, from, static_cast<size_t>(stride));
    *to += stride;
    return;
  }
  const int64_t inner = stride / sample.dims[d];
  if (sample.indices[d].empty()) {
    for (int64_t i = 0; i < sample.dims[d]; ++i)
      CopySample(from + i * inner, sample, d + 1, inner, to);
  } else {
    for (int64_t i : sample.indices[d]) CopySample(from + i * inner, sample, d + 1, inner, to);
  }
}

}  // namespace

bool ArraySample::IsWhole() const {
  return std::all_of(indices.begin(), indices.end(), [](const auto& list) { return list.empty(); });
}

int64_t ArraySample::Elements() const {
  int64_t count = 1;
  for (size_t d = 0; d < dims.size(); ++d)
    count *= indices[d].empty() ? dims[d] : static_cast<int64_t>(indices[d].size());
  return count;
}

int64_t ArraySample::WholeBytes() const {
  int64_t bytes = element_bytes;
  for (int64_t dim : dims) bytes *= dim;
  return bytes;
}

std::string SampleOf(absl::string_view whole, const ArraySample& sample) {
  if (sample.IsWhole()) return std::string(whole);
  std::string part(static_cast<size_t>(sample.Elements() * sample.element_bytes), '\0');
  char* to = part.data();
  if (!part.empty()) CopySample(whole.data(), sample, 0, sample.WholeBytes(), &to);
  return part;
}

std::vector<int64_t> SpreadIndices(int64_t size, int64_t count) {
  std::vector<int64_t> indices;
  uint64_t state = 0x9e3779b97f4a7c15;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t begin = i * size / count, end = (i + 1) * size / count;
    state = state * 6364136223846793005u + 1442695040888963407u;
    indices.push_back(
        begin + static_cast<int64_t>((state >> 33) %
                                     static_cast<uint64_t>(std::max<int64_t>(1, end - begin))));
  }
  if (!indices.empty()) indices.front() = 0;
  if (indices.size() > 1) indices.back() = size - 1;
  return indices;
}

std::string SampleText(const ArraySample& sample) {
  std::string text = absl::StrCat(sample.element_bytes, " ", sample.dims.size());
  for (size_t d = 0; d < sample.dims.size(); ++d) {
    absl::StrAppend(&text, " ", sample.dims[d], " ", sample.indices[d].size(),
                    sample.indices[d].empty() ? "" : " ", absl::StrJoin(sample.indices[d], " "));
  }
  return text;
}

bool ParseSample(absl::string_view text, ArraySample* sample) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ');
  size_t next = 0;
  const auto read = [&](int64_t most, int64_t* number) {
    return next < words.size() && absl::SimpleAtoi(words[next++], number) && *number >= 0 &&
           *number <= most;
  };
  constexpr int64_t kMostBytes = int64_t{1} << 48;
  *sample = ArraySample();
  int64_t rank = 0;
  if (!read(16, &sample->element_bytes) || sample->element_bytes == 0 || !read(1000, &rank))
    return false;
  int64_t bytes = sample->element_bytes;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t dim = 0, count = 0;
    if (!read(kMostBytes, &dim) || !read(dim, &count)) return false;
    if (dim != 0 && bytes > kMostBytes / dim) return false;
    bytes *= dim;
    std::vector<int64_t> list;
    for (int64_t i = 0, index = 0; i < count; ++i) {
      if (!read(dim - 1, &index) || (i > 0 && index <= list.back())) return false;
      list.push_back(index);
    }
    sample->dims.push_back(dim);
    sample->indices.push_back(std::move(list));
  }
  return next == words.size();
}

}  // namespace halyard::autotuner
