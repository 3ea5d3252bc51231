/* Classifies digits for other processes, over a Unix socket.
 *
 *   server SOCKET [WORKERS]
 *
 * A client sends images, each of 64 floats, and receives ten logits for each, in the order of its
 * images. The network takes 32 images at a time: a worker takes all that are waiting, up to 32, from
 * whichever clients. SIGTERM and SIGINT end the server. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "digits.h"

enum { kBatch = 32, kPixels = 64, kClasses = 10, kMaxWorkers = 64 };

/* An image that waits for its answer. It lies on the stack of its client's thread. */
struct request {
  float image[kPixels], logits[kClasses];
  enum { kWaits, kAnswered, kFailed } state;
  struct request* next;
};

struct client {
  pthread_t thread;
  int socket;
  int done; /* its thread ends */
  struct client* next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
static struct request *first_request, **last_request = &first_request;
static int stopping;

static digits_model* model;

/* Takes up to a batch of waiting requests. Returns how many; 0 when the server stops. */
static int take_requests(struct request** batch) {
  int count = 0;
  pthread_mutex_lock(&lock);
  while (first_request == NULL && !stopping) pthread_cond_wait(&asked, &lock);
  for (; first_request != NULL && count < kBatch; ++count) {
    batch[count] = first_request;
    first_request = first_request->next;
  }
  if (first_request == NULL) last_request = &first_request;
  pthread_mutex_unlock(&lock);
  return count;
}

static void* work(void* unused) {
  _Alignas(DIGITS_ALIGNMENT) float images[kBatch * kPixels] = {0}, logits[kBatch * kClasses];
  struct request* batch[kBatch];
  int count, i;
  (void)unused;
  while ((count = take_requests(batch)) != 0) {
    hy_status status;
    for (i = 0; i < count; ++i)
      memcpy(images + i * kPixels, batch[i]->image, sizeof(batch[i]->image));
    status = digits_run(model, images, logits);
    if (status != NULL) fprintf(stderr, "server: %s\n", hy_status_message(status));
    pthread_mutex_lock(&lock);
    for (i = 0; i < count; ++i) {
      memcpy(batch[i]->logits, logits + i * kClasses, sizeof(batch[i]->logits));
      batch[i]->state = status == NULL ? kAnswered : kFailed;
    }
    pthread_cond_broadcast(&answered);
    pthread_mutex_unlock(&lock);
    hy_status_free(status);
  }
  return NULL;
}

/* Returns whether there is an answer. */
static int ask(struct request* request) {
  request->state = kWaits;
  request->next = NULL;
  pthread_mutex_lock(&lock);
  *last_request = request;
  last_request = &request->next;
  pthread_cond_signal(&asked);
  while (request->state == kWaits) pthread_cond_wait(&answered, &lock);
  pthread_mutex_unlock(&lock);
  return request->state == kAnswered;
}

/* Reads or writes all bytes. Returns 0 at the end or on an error. */
static int transfer(int socket, void* data, size_t bytes, int writes) {
  char* at = data;
  while (bytes > 0) {
    const ssize_t n = writes ? send(socket, at, bytes, MSG_NOSIGNAL) : recv(socket, at, bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    at += n;
    bytes -= (size_t)n;
  }
  return 1;
}

static void* serve(void* argument) {
  struct client* client = argument;
  struct request request;
  while (transfer(client->socket, request.image, sizeof(request.image), 0) && ask(&request) &&
         transfer(client->socket, request.logits, sizeof(request.logits), 1)) {
  }
  shutdown(client->socket, SHUT_RDWR);
  pthread_mutex_lock(&lock);
  client->done = 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* Frees clients that have ended, or all of them. */
static void free_clients(struct client** clients, int all) {
  while (*clients != NULL) {
    struct client* client = *clients;
    int done;
    pthread_mutex_lock(&lock);
    done = client->done;
    pthread_mutex_unlock(&lock);
    if (!done && !all) {
      clients = &client->next;
      continue;
    }
    shutdown(client->socket, SHUT_RDWR);
    pthread_join(client->thread, NULL);
    close(client->socket);
    *clients = client->next;
    free(client);
  }
}

static void add_client(struct client** clients, int socket) {
  struct client* client = calloc(1, sizeof(*client));
  if (client != NULL) {
    client->socket = socket;
    if (pthread_create(&client->thread, NULL, serve, client) == 0) {
      client->next = *clients;
      *clients = client;
      return;
    }
  }
  free(client);
  close(socket); /* the client may try again */
}

static int listen_at(const char* path) {
  struct sockaddr_un address;
  const int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memset(&address, 0, sizeof(address));
  address.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  unlink(path);
  if (socket_ < 0 || bind(socket_, (struct sockaddr*)&address, sizeof(address)) != 0 ||
      listen(socket_, 128) != 0) {
    return -1;
  }
  return socket_;
}

/* Accepts clients until a signal comes. */
static void accept_clients(int listening, int signals, struct client** clients) {
  struct pollfd wanted[2] = {{listening, POLLIN, 0}, {signals, POLLIN, 0}};
  for (;;) {
    if (poll(wanted, 2, -1) < 0 && errno != EINTR) return;
    if (wanted[1].revents != 0) return;
    if (wanted[0].revents != 0) {
      const int socket = accept(listening, NULL, NULL);
      if (socket >= 0) add_client(clients, socket);
    }
    free_clients(clients, 0);
  }
}

int main(int argc, char** argv) {
  pthread_t workers[kMaxWorkers];
  const int wanted = argc > 2 ? atoi(argv[2]) : 2;
  struct client* clients = NULL;
  int num_workers = 0, listening, signals;
  hy_status status;
  sigset_t set;
  if (argc < 2 || wanted < 1 || wanted > kMaxWorkers) {
    fprintf(stderr, "usage: server SOCKET [WORKERS], 1 to 64 of them\n");
    return 2;
  }
  /* Each worker computes a batch by itself, so the model has no threads of its own. */
  status = digits_create(1, &model);
  if (status != NULL) {
    fprintf(stderr, "server: %s\n", hy_status_message(status));
    hy_status_free(status);
    return 1;
  }
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, NULL); /* threads inherit this */
  signals = signalfd(-1, &set, SFD_CLOEXEC);
  listening = listen_at(argv[1]);
  if (signals < 0 || listening < 0) {
    perror(argv[1]);
    digits_destroy(model);
    return 1;
  }
  while (num_workers < wanted && pthread_create(&workers[num_workers], NULL, work, NULL) == 0)
    ++num_workers;
  if (num_workers != 0) {
    printf("server: %s, %s, %d workers\n", argv[1], digits_chosen(model), num_workers);
    fflush(stdout);
    accept_clients(listening, signals, &clients);
  }

  /* Clients get the answers for which they wait. */
  free_clients(&clients, 1);
  pthread_mutex_lock(&lock);
  stopping = 1;
  pthread_cond_broadcast(&asked);
  pthread_mutex_unlock(&lock);
  while (num_workers > 0) pthread_join(workers[--num_workers], NULL);
  digits_destroy(model);
  close(listening);
  close(signals);
  unlink(argv[1]);
  return 0;
}
