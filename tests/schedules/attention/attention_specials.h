// Attention of infinities, NaN and rows that see no key, compared with the evaluator.
#ifndef HALYARD_TESTS_SCHEDULES_ATTENTION_ATTENTION_SPECIALS_H_
#define HALYARD_TESTS_SCHEDULES_ATTENTION_ATTENTION_SPECIALS_H_

#include <cstdint>
#include <string>

#include "runtime/backend.h"
#include "tests/schedules/attention/attention_text.h"

namespace halyard::testing {

// `attention` (at least two of batch × heads, with a mask) with the schedule that `device` has for
// it. Head 0: a row without a key; NaN in a query; infinite queries. Head 1: infinite and NaN
// values, of which some rows see none. Every fifth row sees no key before `first_key`.
void CheckSpecials(const Attention& attention, int64_t first_key, runtime::Device& device,
                   const std::string& schedule = "");

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SCHEDULES_ATTENTION_ATTENTION_SPECIALS_H_
