/* The model with all its targets. Says why each was taken or not, and runs it. */
#include <stdio.h>

#include "digits_all.h"

int main(void) {
  static float images[DIGITS_ALL_ARG0_COUNT], logits[DIGITS_ALL_RESULT_COUNT];
  digits_all_model* model = NULL;
  hy_status status = digits_all_create(0, &model);
  if (status == NULL) printf("%s\nchosen: %s\n", digits_all_choice(model), digits_all_chosen(model));
  if (status == NULL) status = digits_all_run(model, images, logits);
  if (status != NULL) {
    fprintf(stderr, "chosen: %s\n", hy_status_message(status));
    hy_status_free(status);
    return 1;
  }
  printf("%.3f\n", (double)logits[0]);
  digits_all_destroy(model);
  return 0;
}
