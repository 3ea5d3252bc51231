#include "ranks/mpi_plugin.h"

#include <mpi.h>

#include <cstdio>

namespace {

int Said(int code, char* error, int error_size) {
  if (code == MPI_SUCCESS) return 0;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  snprintf(error, static_cast<size_t>(error_size), "%s", text);
  return code;
}

int Place(HalyardMpiPlace* place) {
  MPI_Comm local = MPI_COMM_NULL;
  if (int code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); code != MPI_SUCCESS)
    return code;
  MPI_Comm_rank(MPI_COMM_WORLD, &place->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place->size);
  if (int code = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, place->rank,
                                     MPI_INFO_NULL, &local);
      code != MPI_SUCCESS) {
    return code;
  }
  MPI_Comm_rank(local, &place->local_rank);
  MPI_Comm_size(local, &place->local_size);
  place->first_local = place->rank;
  if (int code = MPI_Bcast(&place->first_local, 1, MPI_INT, 0, local); code != MPI_SUCCESS)
    return code;
  return MPI_Comm_free(&local);
}

}  // namespace

int halyard_mpi_start(HalyardMpiPlace* place, char* error, int error_size) {
  int level = MPI_THREAD_SINGLE;
  if (int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
      code != MPI_SUCCESS)
    return Said(code, error, error_size);
  place->serialized = level >= MPI_THREAD_SERIALIZED;
  return Said(Place(place), error, error_size);
}

int halyard_mpi_share(void* bytes, int size, char* error, int error_size) {
  return Said(MPI_Bcast(bytes, size, MPI_BYTE, 0, MPI_COMM_WORLD), error, error_size);
}

int halyard_mpi_gather(const void* own, int size, void* all, char* error, int error_size) {
  return Said(MPI_Allgather(own, size, MPI_BYTE, all, size, MPI_BYTE, MPI_COMM_WORLD), error,
              error_size);
}

struct HalyardMpiTransfer {
  MPI_Request request = MPI_REQUEST_NULL;
};

int halyard_mpi_send(int rank, const void* bytes, int size, HalyardMpiTransfer** transfer,
                     char* error, int error_size) {
  auto* made = new HalyardMpiTransfer;
  const int code = MPI_Isend(bytes, size, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &made->request);
  if (code == MPI_SUCCESS) *transfer = made;
  if (code != MPI_SUCCESS) delete made;
  return Said(code, error, error_size);
}

int halyard_mpi_receive(int rank, void* bytes, int most, HalyardMpiTransfer** transfer, char* error,
                        int error_size) {
  auto* made = new HalyardMpiTransfer;
  const int code = MPI_Irecv(bytes, most, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &made->request);
  if (code == MPI_SUCCESS) *transfer = made;
  if (code != MPI_SUCCESS) delete made;
  return Said(code, error, error_size);
}

int halyard_mpi_test(HalyardMpiTransfer** transfer, int* size, char* error, int error_size) {
  int done = 0;
  MPI_Status status;
  if (int code = MPI_Test(&(*transfer)->request, &done, &status); code != MPI_SUCCESS)
    return Said(code, error, error_size);
  if (done == 0) return 0;
  MPI_Get_count(&status, MPI_BYTE, size);
  delete *transfer;
  *transfer = nullptr;
  return 0;
}

int halyard_mpi_end(char* error, int error_size) { return Said(MPI_Finalize(), error, error_size); }
