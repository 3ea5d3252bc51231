/* The same with the shared runtime, and the model from a bundle, whose path is the argument. */
#include <halyard_rt.h>
#include <stdio.h>

int main(int argc, char** argv) {
  static float images[32 * 64], logits[32 * 10];
  const void* arguments[1] = {images};
  void* results[1] = {logits};
  hy_program* program = NULL;
  hy_status status = hy_program_choose_file(argc > 1 ? argv[1] : NULL, NULL, &program);
  int i;
  for (i = 0; i < 32 * 64; ++i) images[i] = (float)(i % 17) / 17.0f;
  if (status == NULL) status = hy_run(program, arguments, results);
  if (status != NULL) {
    fprintf(stderr, "bundled: %s\n", hy_status_message(status));
    hy_status_free(status);
    return 1;
  }
  for (i = 0; i < 32 * 10; ++i) printf("%.3f\n", (double)logits[i]);
  hy_program_free(program);
  return 0;
}
