/* Classifies made-up images on the CPU, with the model that is linked in; prints the logits. */
#include <stdio.h>

#include "digits.h"

int main(void) {
  static float images[32 * 64], logits[32 * 10];
  digits_model* model = NULL;
  hy_status status = digits_create(0, &model);
  int i;
  for (i = 0; i < 32 * 64; ++i) images[i] = (float)(i % 17) / 17.0f;
  if (status == NULL) status = digits_run(model, images, logits);
  if (status != NULL) {
    fprintf(stderr, "linked: %s\n", hy_status_message(status));
    hy_status_free(status);
    return 1;
  }
  for (i = 0; i < 32 * 10; ++i) printf("%.3f\n", (double)logits[i]);
  digits_destroy(model);
  return 0;
}
