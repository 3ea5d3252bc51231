// Measures MPI's collectives of all its processes, and prints a JSON line for each collective and
// size, as collectives.cc does for Halyard's.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kTrips = 1000, kAllReduce = 0, kAllGather = 1, kAllToAll = 2 };
static const char* const kNames[] = {"all_reduce", "all_gather", "all_to_all"};

static void Call(int collective, const float* from, float* to, int elements, int processes) {
  const int part = elements / processes;
  if (collective == kAllReduce)
    MPI_Allreduce(from, to, elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  if (collective == kAllGather)
    MPI_Allgather(from, part, MPI_FLOAT, to, part, MPI_FLOAT, MPI_COMM_WORLD);
  if (collective == kAllToAll)
    MPI_Alltoall(from, part, MPI_FLOAT, to, part, MPI_FLOAT, MPI_COMM_WORLD);
}

static void Measure(int collective, int bytes, int trips, int repeat) {
  int rank = 0, processes = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const int elements = bytes / (int)sizeof(float);
  float *from = malloc(bytes), *to = malloc(bytes);
  if (from == NULL || to == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < elements; ++i) from[i] = to[i] = 1;
  if (rank == 0) {
    printf("{\"engine\": \"mpi\", \"collective\": \"%s\", \"bytes\": %d, \"us\": [",
           kNames[collective], bytes);
  }
  for (int i = 0; i < repeat + 2; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int t = 0; t < trips; ++t) Call(collective, from, to, elements, processes);
    const double seconds = (MPI_Wtime() - start) / trips;
    if (rank == 0 && i >= 2) printf("%s%g", i == 2 ? "" : ", ", seconds * 1e6);
  }
  if (rank == 0) printf("]}\n");
  free(from);
  free(to);
}

int main(int argc, char** argv) {
  int repeat = 5;
  MPI_Init(&argc, &argv);
  if (argc > 2 || (argc == 2 && (sscanf(argv[1], "--repeat=%d", &repeat) != 1 || repeat < 1))) {
    fprintf(stderr, "usage: %s [--repeat=N]\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int collective = kAllReduce; collective <= kAllToAll; ++collective)
    Measure(collective, 4 << 10, kTrips, repeat);
  for (int collective = kAllReduce; collective <= kAllToAll; ++collective)
    Measure(collective, 64 << 20, 1, repeat);
  MPI_Finalize();
  return 0;
}
