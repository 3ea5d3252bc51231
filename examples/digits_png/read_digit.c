/* Reads a picture of a handwritten digit (PNG, of any size and colour) and prints the digit.
 *
 *   read_digit PICTURE */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"

enum { kSide = 8 }; /* the network sees 8 x 8 points */

/* Reads a PNG as grey values, which the caller frees. Returns NULL after a message on an error. */
static png_byte* read_grey(const char* path, png_image* image) {
  png_byte* pixels = NULL;
  memset(image, 0, sizeof(*image));
  image->version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(image, path)) {
    image->format = PNG_FORMAT_GRAY;
    pixels = malloc(PNG_IMAGE_SIZE(*image));
    if (pixels != NULL && png_image_finish_read(image, NULL, pixels, 0, NULL)) return pixels;
  }
  fprintf(stderr, "%s: %s\n", path, image->message[0] == 0 ? "no memory" : image->message);
  png_image_free(image);
  free(pixels);
  return NULL;
}

/* The mean of the pixels that lie in one of the 8 x 8 squares, from 0 to 255. */
static float mean_of_square(const png_byte* pixels, const png_image* image, int row, int column) {
  const size_t width = image->width, height = image->height;
  const size_t top = row * height / kSide, left = column * width / kSide;
  size_t bottom = (row + 1) * height / kSide, right = (column + 1) * width / kSide, x, y;
  double sum = 0;
  if (bottom == top) bottom = top + 1; /* small pictures are enlarged */
  if (right == left) right = left + 1;
  for (y = top; y < bottom; ++y)
    for (x = left; x < right; ++x) sum += pixels[y * width + x];
  return (float)(sum / (double)((bottom - top) * (right - left)));
}

/* Light strokes on a dark ground, from 0 to 1, as the network knows them. */
static void shrink(const png_byte* pixels, const png_image* image, float* points) {
  const float corners = mean_of_square(pixels, image, 0, 0) +
                        mean_of_square(pixels, image, 0, kSide - 1) +
                        mean_of_square(pixels, image, kSide - 1, 0) +
                        mean_of_square(pixels, image, kSide - 1, kSide - 1);
  const int dark_on_light = corners / 4 > 127.5f;
  int i;
  for (i = 0; i < kSide * kSide; ++i) {
    const float mean = mean_of_square(pixels, image, i / kSide, i % kSide) / 255;
    points[i] = dark_on_light ? 1 - mean : mean;
  }
}

int main(int argc, char** argv) {
  /* The network takes 32 images at a time. All but the first stay black. */
  static _Alignas(DIGITS_ALIGNMENT) float images[DIGITS_ARG0_COUNT];
  static _Alignas(DIGITS_ALIGNMENT) float logits[DIGITS_RESULT_COUNT];
  digits_model* model = NULL;
  hy_status status;
  png_image image;
  png_byte* pixels;
  int digit, best = 0;
  if (argc != 2) {
    fprintf(stderr, "usage: read_digit PICTURE\n");
    return 2;
  }
  pixels = read_grey(argv[1], &image);
  if (pixels == NULL) return 1;
  shrink(pixels, &image, images);
  free(pixels);

  status = digits_create(1, &model);
  if (status == NULL) status = digits_run(model, images, logits);
  digits_destroy(model);
  if (status != NULL) {
    fprintf(stderr, "read_digit: %s\n", hy_status_message(status));
    hy_status_free(status);
    return 1;
  }
  for (digit = 1; digit < 10; ++digit) {
    if (logits[digit] > logits[best]) best = digit;
  }
  printf("%d\n", best);
  return 0;
}
