// The template of products whose factors travel through shared memory in stages.
#ifndef HALYARD_SCHEDULES_CONTRACTION_STAGED_H_
#define HALYARD_SCHEDULES_CONTRACTION_STAGED_H_

#include "schedules/registry.h"

namespace halyard::schedules {

extern const Template kContractionStagedTemplate;

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_STAGED_H_
