/* Loads the server, and checks each of its answers.
 *
 *   load SOCKET CLIENTS IMAGES_EACH
 *
 * The clients, threads of this process, send made-up images. What the answers must be, this process
 * computes with the same library. Prints one line; exit status 1 if any answer is wrong or missing. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "digits.h"

enum { kBatch = 32, kPixels = 64, kClasses = 10, kImages = 256 };

static float images[kImages * kPixels], wanted[kImages * kClasses];
static const char* path;
static int images_each;

struct result {
  pthread_t thread;
  unsigned seed;
  long right, wrong, missing;
};

static int connect_to_server(void) {
  struct sockaddr_un address;
  const int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  memset(&address, 0, sizeof(address));
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
  if (socket_ >= 0 && connect(socket_, (struct sockaddr*)&address, sizeof(address)) == 0)
    return socket_;
  if (socket_ >= 0) close(socket_);
  return -1;
}

static int receive_all(int socket, void* data, size_t bytes) {
  return recv(socket, data, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

static void* send_images(void* argument) {
  struct result* result = argument;
  const int socket = connect_to_server();
  int i;
  for (i = 0; i < images_each; ++i) {
    const int image = rand_r(&result->seed) % kImages;
    float logits[kClasses];
    if (socket < 0 ||
        send(socket, images + image * kPixels, kPixels * sizeof(float), MSG_NOSIGNAL) !=
            kPixels * (ssize_t)sizeof(float) ||
        !receive_all(socket, logits, sizeof(logits))) {
      result->missing += images_each - i;
      break;
    }
    if (memcmp(logits, wanted + image * kClasses, sizeof(logits)) == 0) {
      ++result->right;
    } else {
      ++result->wrong;
    }
  }
  if (socket >= 0) close(socket);
  return NULL;
}

static void compute_answers(void) {
  digits_model* model = NULL;
  hy_status status = digits_create(0, &model);
  unsigned seed = 1;
  int i;
  for (i = 0; i < kImages * kPixels; ++i) images[i] = (float)(rand_r(&seed) % 17) / 16;
  for (i = 0; i < kImages && status == NULL; i += kBatch)
    status = digits_run(model, images + i * kPixels, wanted + i * kClasses);
  digits_destroy(model);
  if (status == NULL) return;
  fprintf(stderr, "load: %s\n", hy_status_message(status));
  exit(1);
}

int main(int argc, char** argv) {
  const int clients = argc == 4 ? atoi(argv[2]) : 0;
  struct result* results = calloc((size_t)(clients > 0 ? clients : 1), sizeof(*results));
  long right = 0, wrong = 0, missing = 0;
  struct timespec begin, end;
  double seconds;
  int i, started = 0;
  if (clients < 1 || results == NULL) {
    fprintf(stderr, "usage: load SOCKET CLIENTS IMAGES_EACH\n");
    return 2;
  }
  path = argv[1];
  images_each = atoi(argv[3]);
  compute_answers();
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (; started < clients; ++started) {
    results[started].seed = (unsigned)started;
    if (pthread_create(&results[started].thread, NULL, send_images, &results[started]) != 0) break;
  }
  for (i = 0; i < started; ++i) {
    pthread_join(results[i].thread, NULL);
    right += results[i].right;
    wrong += results[i].wrong;
    missing += results[i].missing;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  printf("%d clients: %ld answers right, %ld wrong, %ld missing; %.0f per second\n", started, right,
         wrong, missing, (double)right / seconds);
  free(results);
  return wrong == 0 && missing == 0 && right == (long)clients * images_each ? 0 : 1;
}
