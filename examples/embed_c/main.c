/* Classifies handwritten digits with a model that Halyard compiled into a library. This program is
 * plain C; see README.md.
 *
 *   digits_c IMAGES LABELS [LOGITS]
 *
 * IMAGES holds 8x8 images as floats between 0 and 1, one after the other. LABELS holds a 32-bit
 * integer for each image. The program writes the logits to LOGITS, ten floats for each image. The
 * exit status is 0 if at least nine of ten images are classified correctly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"

enum { kBatch = 32, kPixels = 64, kClasses = 10 };

static void die(const char* what) {
  fprintf(stderr, "digits_c: %s\n", what);
  exit(2);
}

static void check(hy_status status) {
  if (status == NULL) return;
  fprintf(stderr, "digits_c: error %d: %s\n", hy_status_code(status), hy_status_message(status));
  hy_status_free(status);
  exit(1);
}

/* Reads a whole file, which the caller frees, and sets *bytes to its size. */
static void* read_file(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  long size;
  void* data;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) die(path);
  rewind(file);
  data = malloc((size_t)size + 1);
  if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) die(path);
  fclose(file);
  *bytes = (size_t)size;
  return data;
}

static int largest(const float* values, int count) {
  int best = 0, i;
  for (i = 1; i < count; ++i) {
    if (values[i] > values[best]) best = i;
  }
  return best;
}

static void show(const float* image, int told, int label) {
  int row, column;
  for (row = 0; row < 8; ++row) {
    for (column = 0; column < 8; ++column) {
      const int shade = (int)(image[8 * row + column] * 4.0f + 0.5f);
      printf("%c%c",
             " .+*#"[shade < 0   ? 0
                     : shade > 4 ? 4
                                 : shade],
             " .+*#"[shade < 0   ? 0
                     : shade > 4 ? 4
                                 : shade]);
    }
    printf(row == 3 ? "   told: %d, is: %d\n" : "\n", told, label);
  }
}

int main(int argc, char** argv) {
  size_t image_bytes, label_bytes, count, first, i;
  const float* images;
  const int32_t* labels;
  float* logits;
  size_t right = 0;
  digits_model* model = NULL;
  if (argc < 3) die("usage: digits_c IMAGES LABELS [LOGITS]");
  images = (const float*)read_file(argv[1], &image_bytes);
  labels = (const int32_t*)read_file(argv[2], &label_bytes);
  count = label_bytes / sizeof(int32_t);
  if (count == 0 || image_bytes != count * kPixels * sizeof(float))
    die("images and labels do not match");
  logits = (float*)calloc(count * kClasses, sizeof(float));
  if (logits == NULL) die("no memory");

  check(digits_create(0, &model));
  for (first = 0; first < count; first += kBatch) {
    /* The last batch is filled up with zeros. */
    static float batch[kBatch * kPixels], answer[kBatch * kClasses];
    const size_t n = count - first < kBatch ? count - first : kBatch;
    memset(batch, 0, sizeof(batch));
    memcpy(batch, images + first * kPixels, n * kPixels * sizeof(float));
    check(digits_run(model, batch, answer));
    memcpy(logits + first * kClasses, answer, n * kClasses * sizeof(float));
  }
  digits_destroy(model);

  for (i = 0; i < count; ++i) {
    const int told = largest(logits + i * kClasses, kClasses);
    right += told == labels[i];
    if (i < 2) show(images + i * kPixels, told, (int)labels[i]);
  }
  printf("%lu of %lu images told right\n", (unsigned long)right, (unsigned long)count);
  if (argc > 3) {
    FILE* file = fopen(argv[3], "wb");
    if (file == NULL || fwrite(logits, sizeof(float), count * kClasses, file) != count * kClasses ||
        fclose(file) != 0) {
      die(argv[3]);
    }
  }
  free((void*)images);
  free((void*)labels);
  free(logits);
  return 10 * right >= 9 * count ? 0 : 1;
}
