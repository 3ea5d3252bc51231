/* Classifies made-up images with the model NAME, which is linked in; prints the logits. */
#include <stdio.h>

#include HEADER

#define JOINED(name, part) name##part
#define JOIN(name, part) JOINED(name, part)
#define MODEL(part) JOIN(NAME, part)

int main(void) {
  static float images[32 * 64], logits[32 * 10];
  MODEL(_model)* model = NULL;
  hy_status status = MODEL(_create)(0, &model);
  int i;
  for (i = 0; i < 32 * 64; ++i) images[i] = (float)(i % 17) / 17.0f;
  if (status == NULL) status = MODEL(_run)(model, images, logits);
  if (status != NULL) {
    fprintf(stderr, "linked: %s\n", hy_status_message(status));
    hy_status_free(status);
    return 1;
  }
  for (i = 0; i < 32 * 10; ++i) printf("%.3f\n", (double)logits[i]);
  MODEL(_destroy)(model);
  return 0;
}
