// Kernels of attention as text, for tests.
#ifndef HALYARD_TESTS_SCHEDULES_ATTENTION_ATTENTION_TEXT_H_
#define HALYARD_TESTS_SCHEDULES_ATTENTION_ATTENTION_TEXT_H_

#include <cstdint>
#include <string>

namespace halyard::testing {

struct Attention {
  std::string name;
  int64_t batch = 2, heads = 3, queries = 40, keys = 50, head = 16, value = 24;
  std::string type = "f32";
  bool causal = false, bias = false, mask = false;
  bool heads_inside = false;    // [batch, place, head, element], as JAX has it
  bool guard = false;           // a row's maximum that is not finite counts as 0
  bool narrow_softmax = false;  // in the narrow type itself
  int64_t group = 1;            // heads of queries for each of keys
  double tolerance = 1e-5;
};

// Returns the kernel as the fusion pass would write it. Scores are [batch, heads, (group,) queries,
// keys].
std::string KernelText(const Attention& a);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SCHEDULES_ATTENTION_ATTENTION_TEXT_H_
