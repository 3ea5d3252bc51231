/* The same with Vulkan, and the model from a file. */
#include <halyard_rt.h>
#include <stdio.h>

int main(void) {
  static float images[32 * 64], logits[32 * 10];
  const void* arguments[1] = {images};
  void* results[1] = {logits};
  hy_device* device = NULL;
  hy_program* program = NULL;
  hy_status status = hy_device_open("vulkan", 0, 0, &device);
  int i;
  for (i = 0; i < 32 * 64; ++i) images[i] = (float)(i % 17) / 17.0f;
  if (status == NULL) status = hy_program_load_file(device, PROGRAM, &program);
  if (status == NULL) status = hy_run(program, arguments, results);
  if (status != NULL) {
    fprintf(stderr, "loaded: %s\n", hy_status_message(status));
    hy_status_free(status);
    return 1;
  }
  for (i = 0; i < 32 * 10; ++i) printf("%.3f\n", (double)logits[i]);
  hy_program_free(program);
  hy_device_close(device);
  return 0;
}
