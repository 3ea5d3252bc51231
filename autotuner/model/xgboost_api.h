// XGBoost's C API. It is loaded when a model is first trained or used, because the library takes
// longer to load than a cached program, and only tuning needs it.
#ifndef HALYARD_AUTOTUNER_MODEL_XGBOOST_API_H_
#define HALYARD_AUTOTUNER_MODEL_XGBOOST_API_H_

#include <xgboost/c_api.h>

#include "absl/status/status.h"

namespace halyard::autotuner {

#define HALYARD_XGBOOST_FUNCTIONS(V) \
  V(XGBoosterCreate)                 \
  V(XGBoosterFree)                   \
  V(XGBoosterGetNumFeature)          \
  V(XGBoosterLoadModelFromBuffer)    \
  V(XGBoosterPredict)                \
  V(XGBoosterSaveModelToBuffer)      \
  V(XGBoosterSetParam)               \
  V(XGBoosterUpdateOneIter)          \
  V(XGDMatrixCreateFromMat)          \
  V(XGDMatrixFree)                   \
  V(XGDMatrixSetFloatInfo)           \
  V(XGBGetLastError)

struct XgboostApi {
#define HALYARD_MEMBER(name) decltype(&::name) name = nullptr;
  HALYARD_XGBOOST_FUNCTIONS(HALYARD_MEMBER)
#undef HALYARD_MEMBER
};

// Returns kNotFound if the library is not installed. Otherwise, `*api` is valid until the process
// ends.
absl::Status LoadXgboost(const XgboostApi** api);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MODEL_XGBOOST_API_H_
