/*
 * C-Blosc2 for the benchmark: reads commands from standard input, a line of tab-separated fields each, does and times
 * them, and answers "ok", seconds and a digest of the last output, or "error" and why. Both sides of the benchmark work on
 * the same data: "load" brings it, and the positions of the operations, into memory.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <b2nd.h>
#include <blosc2.h>

enum { MAX_FIELDS = 12, DIGESTED_LENGTH = 65536, CUBE_NDIM = 3 };

typedef struct {
  uint8_t *bytes;
  int64_t length;
} buffer;

/* A frame's file and how it is to be opened; the mapping's parameters must outlive the super-chunk. */
typedef struct {
  const char *path;
  int16_t threads;
  bool mapped;
  blosc2_stdio_mmap mapping;
  blosc2_io io;
} frame_file;

static buffer data, indices;
static const char *failure;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* FNV-1a of the first 64 KiB. */
static uint32_t digest(const uint8_t *bytes, int64_t length) {
  uint32_t hash = 0x811c9dc5u;
  for (int64_t i = 0; i < length && i < DIGESTED_LENGTH; i++) hash = (hash ^ bytes[i]) * 0x01000193u;
  return hash;
}

static bool fail(const char *what) {
  failure = what;
  return false;
}

static bool answer(double seconds, uint32_t value) {
  printf("ok\t%.9f\t%" PRIu32 "\n", seconds, value);
  return true;
}

static int64_t index_count(void) { return indices.length / (int64_t)sizeof(int32_t); }

static int64_t index_at(int64_t i) { return ((const int32_t *)indices.bytes)[i]; }

/* The chunk of the data that the i-th operation writes; the data is gone through again and again. */
static const uint8_t *chunk_data(int64_t i, int32_t chunksize) {
  return data.bytes + (i % (data.length / chunksize)) * chunksize;
}

static bool load(const char *slot, const char *path) {
  buffer *into = strcmp(slot, "data") == 0 ? &data : &indices;
  free(into->bytes);
  into->bytes = NULL;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return fail("cannot open the data");
  fseek(file, 0, SEEK_END);
  into->length = ftell(file);
  rewind(file);
  into->bytes = malloc((size_t)into->length + 1);
  size_t got = into->bytes == NULL ? 0 : fread(into->bytes, 1, (size_t)into->length, file);
  fclose(file);
  return got == (size_t)into->length ? answer(0, 0) : fail("cannot read the data");
}

static void describe(frame_file *file, char **fields, const char *mode) {
  file->path = fields[0];
  file->mapped = strcmp(fields[1], "mmap") == 0;
  file->threads = (int16_t)atoi(fields[2]);
  file->mapping = BLOSC2_STDIO_MMAP_DEFAULTS;
  file->mapping.mode = mode;
  file->io = BLOSC2_IO_DEFAULTS;
  if (file->mapped) {
    file->io.id = BLOSC2_IO_FILESYSTEM_MMAP;
    file->io.name = "filesystem_mmap";
    file->io.params = &file->mapping;
  }
}

/* Opens a frame and gives its contexts the wanted number of threads; opening makes them with one. */
static blosc2_schunk *open_frame(frame_file *file) {
  blosc2_schunk *schunk = blosc2_schunk_open_udio(file->path, &file->io);
  if (schunk == NULL) return NULL;
  if (file->threads > 1) {
    blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
    dparams.nthreads = file->threads;
    dparams.schunk = schunk;
    dparams.typesize = schunk->typesize;
    blosc2_free_ctx(schunk->dctx);
    schunk->dctx = blosc2_create_dctx(dparams);
    blosc2_cparams *cparams;
    if (blosc2_schunk_get_cparams(schunk, &cparams) >= 0) {
      cparams->nthreads = file->threads;
      blosc2_free_ctx(schunk->cctx);
      schunk->cctx = blosc2_create_cctx(*cparams);
      free(cparams);
    }
  }
  return schunk;
}

/* Makes a file durable, which C-Blosc2 never does by itself. */
static bool sync_file(const char *path) {
  const int descriptor = open(path, O_RDWR);
  if (descriptor < 0) return false;
  const bool done = fdatasync(descriptor) == 0;
  close(descriptor);
  return done;
}

/* path io threads typesize chunksize nchunks sync codec clevel */
static bool append(char **fields) {
  frame_file file;
  describe(&file, fields, "w+");
  const int32_t chunksize = atoi(fields[4]);
  const int64_t nchunks = atoll(fields[5]);
  const int compcode = blosc2_compname_to_compcode(fields[7]);
  if (compcode < 0 || nchunks * chunksize > data.length) return fail("append: bad parameters");
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = atoi(fields[3]);
  cparams.compcode = (uint8_t)compcode;
  cparams.clevel = (uint8_t)atoi(fields[8]);
  cparams.nthreads = file.threads;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = file.threads;
  blosc2_storage storage = {
      .contiguous = true, .urlpath = fields[0], .cparams = &cparams, .dparams = &dparams, .io = &file.io};

  const double start = now();
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (schunk == NULL) return fail("append: cannot create the frame");
  for (int64_t i = 0; i < nchunks; i++) {
    if (blosc2_schunk_append_buffer(schunk, chunk_data(i, chunksize), chunksize) != i + 1) return fail("append");
  }
  blosc2_schunk_free(schunk);
  if (atoi(fields[6]) != 0 && !sync_file(file.path)) return fail("append: fdatasync");
  return answer(now() - start, (uint32_t)nchunks);
}

/* path io threads; all chunks in turn, or those that the indices name */
static bool read_chunks(char **fields, bool all) {
  frame_file file;
  describe(&file, fields, "r");
  const double start = now();
  blosc2_schunk *schunk = open_frame(&file);
  if (schunk == NULL) return fail("read: cannot open the frame");
  const int32_t chunksize = schunk->chunksize;
  uint8_t *target = malloc((size_t)chunksize);
  const int64_t count = all ? schunk->nchunks : index_count();
  for (int64_t i = 0; i < count; i++) {
    const int64_t nchunk = all ? i : index_at(i);
    if (blosc2_schunk_decompress_chunk(schunk, nchunk, target, chunksize) < 0) return fail("read: decompress");
  }
  blosc2_schunk_free(schunk);
  const double seconds = now() - start;
  const uint32_t value = digest(target, chunksize);
  free(target);
  return answer(seconds, value);
}

/* path io threads itemcount */
static bool read_items(char **fields) {
  frame_file file;
  describe(&file, fields, "r");
  const int64_t item_count = atoll(fields[3]);
  const double start = now();
  blosc2_schunk *schunk = open_frame(&file);
  if (schunk == NULL) return fail("read-items: cannot open the frame");
  const int64_t length = item_count * schunk->typesize;
  uint8_t *target = malloc((size_t)length);
  for (int64_t i = 0; i < index_count(); i++) {
    const int64_t first = index_at(i);
    if (blosc2_schunk_get_slice_buffer(schunk, first, first + item_count, target) < 0) return fail("read-items");
  }
  blosc2_schunk_free(schunk);
  const double seconds = now() - start;
  const uint32_t value = digest(target, length);
  free(target);
  return answer(seconds, value);
}

typedef int64_t (*edit_chunk)(blosc2_schunk *, int64_t, uint8_t *, bool);

/* path io threads chunksize edits sync */
static bool edit(char **fields, edit_chunk change) {
  frame_file file;
  describe(&file, fields, "r+");
  const int32_t chunksize = atoi(fields[3]);
  const int64_t edits = atoll(fields[4]);
  if (edits > index_count()) return fail("edit: too few indices");
  const int32_t room = chunksize + BLOSC2_MAX_OVERHEAD;
  const double start = now();
  blosc2_schunk *schunk = open_frame(&file);
  if (schunk == NULL) return fail("edit: cannot open the frame");
  uint8_t *chunk = malloc((size_t)room);
  for (int64_t i = 0; i < edits; i++) {
    if (blosc2_compress_ctx(schunk->cctx, chunk_data(i, chunksize), chunksize, chunk, room) <= 0) {
      return fail("edit: compress");
    }
    if (change(schunk, index_at(i), chunk, true) < 0) return fail("edit");
  }
  const uint32_t nchunks = (uint32_t)schunk->nchunks;
  free(chunk);
  blosc2_schunk_free(schunk);
  if (atoi(fields[5]) != 0 && !sync_file(file.path)) return fail("edit: fdatasync");
  return answer(now() - start, nchunks);
}

/* path io threads edge */
static bool crops(char **fields) {
  frame_file file;
  describe(&file, fields, "r");
  const int64_t edge = atoll(fields[3]);
  const double start = now();
  blosc2_schunk *schunk = open_frame(&file);
  b2nd_array_t *array;
  if (schunk == NULL || b2nd_from_schunk(schunk, &array) < 0) return fail("crops: cannot open the array");
  if (array->ndim != CUBE_NDIM) return fail("crops: not a volume");
  const int64_t shape[CUBE_NDIM] = {edge, edge, edge};
  const int64_t length = edge * edge * edge * schunk->typesize;
  uint8_t *target = malloc((size_t)length);
  for (int64_t i = 0; i + CUBE_NDIM <= index_count(); i += CUBE_NDIM) {
    int64_t from[CUBE_NDIM], to[CUBE_NDIM];
    for (int axis = 0; axis < CUBE_NDIM; axis++) {
      from[axis] = index_at(i + axis);
      to[axis] = from[axis] + edge;
    }
    if (b2nd_get_slice_cbuffer(array, from, to, target, shape, length) < 0) return fail("crops");
  }
  b2nd_free(array);
  const double seconds = now() - start;
  const uint32_t value = digest(target, length);
  free(target);
  return answer(seconds, value);
}

/* Numbers with commas between them; gives how many. */
static int8_t parse_shape(const char *text, int64_t *shape) {
  int8_t ndim = 0;
  while (ndim < B2ND_MAX_DIM) {
    char *end;
    shape[ndim++] = strtoll(text, &end, 10);
    if (*end != ',') break;
    text = end + 1;
  }
  return ndim;
}

/* path io threads typesize codec clevel filter shape chunks blocks */
static bool array_write(char **fields) {
  frame_file file;
  describe(&file, fields, "w+");
  const int compcode = blosc2_compname_to_compcode(fields[4]);
  int64_t shape[B2ND_MAX_DIM], chunks[B2ND_MAX_DIM], blocks[B2ND_MAX_DIM];
  int32_t chunkshape[B2ND_MAX_DIM], blockshape[B2ND_MAX_DIM];
  const int8_t ndim = parse_shape(fields[7], shape);
  if (compcode < 0 || parse_shape(fields[8], chunks) != ndim || parse_shape(fields[9], blocks) != ndim) {
    return fail("array-write: bad parameters");
  }
  int64_t length = atoi(fields[3]);
  for (int8_t dim = 0; dim < ndim; dim++) {
    length *= shape[dim];
    chunkshape[dim] = (int32_t)chunks[dim];
    blockshape[dim] = (int32_t)blocks[dim];
  }
  if (length > data.length) return fail("array-write: too little data");
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = atoi(fields[3]);
  cparams.compcode = (uint8_t)compcode;
  cparams.clevel = (uint8_t)atoi(fields[5]);
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = (uint8_t)atoi(fields[6]);
  cparams.nthreads = file.threads;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = file.threads;
  blosc2_storage storage = {
      .contiguous = true, .urlpath = fields[0], .cparams = &cparams, .dparams = &dparams, .io = &file.io};

  remove(file.path);
  const double start = now();
  b2nd_context_t *context =
      b2nd_create_ctx(&storage, ndim, shape, chunkshape, blockshape, "<f4", DTYPE_NUMPY_FORMAT, NULL, 0);
  b2nd_array_t *array;
  if (context == NULL || b2nd_from_cbuffer(context, &array, data.bytes, length) < 0) return fail("array-write");
  const uint32_t nchunks = (uint32_t)array->sc->nchunks;
  b2nd_free(array);
  const double seconds = now() - start;
  b2nd_free_ctx(context);
  return answer(seconds, nchunks);
}

/* path io threads; the indices hold the starts of each slice, then its stops */
static bool array_slices(char **fields) {
  static buffer target;
  double seconds = 0;
  int64_t length = 0;
  /* The first round only makes room: b2frame reads into memory of the caller's as well. */
  for (int round = 0; round < 2; round++) {
    frame_file file;
    describe(&file, fields, "r");
    const double start = now();
    blosc2_schunk *schunk = open_frame(&file);
    b2nd_array_t *array;
    if (schunk == NULL) return fail("array-slices: cannot open the frame");
    if (b2nd_from_schunk(schunk, &array) < 0) return fail("array-slices: the frame holds no array");
    const int8_t ndim = array->ndim;
    for (int64_t i = 0; i + 2 * ndim <= index_count(); i += 2 * ndim) {
      int64_t from[B2ND_MAX_DIM], to[B2ND_MAX_DIM], shape[B2ND_MAX_DIM];
      length = schunk->typesize;
      for (int8_t dim = 0; dim < ndim; dim++) {
        from[dim] = index_at(i + dim);
        to[dim] = index_at(i + ndim + dim);
        shape[dim] = to[dim] - from[dim];
        length *= shape[dim];
      }
      if (round == 0 && length > target.length) {
        free(target.bytes);
        target.bytes = malloc((size_t)length);
        target.length = length;
        if (target.bytes == NULL) return fail("array-slices: no memory");
        memset(target.bytes, 1, (size_t)length);
      }
      if (round == 1 && b2nd_get_slice_cbuffer(array, from, to, target.bytes, shape, length) < 0) {
        return fail("array-slices");
      }
    }
    b2nd_free(array);
    seconds = now() - start;
  }
  return answer(seconds, digest(target.bytes, length));
}

/* path io threads */
static bool open_many(char **fields) {
  uint8_t item[BLOSC_MAX_TYPESIZE];
  int32_t typesize = 0;
  const double start = now();
  for (int64_t i = 0; i < index_count(); i++) {
    frame_file file;
    describe(&file, fields, "r");
    blosc2_schunk *schunk = open_frame(&file);
    if (schunk == NULL) return fail("open-many: cannot open the frame");
    typesize = schunk->typesize;
    if (blosc2_schunk_get_slice_buffer(schunk, index_at(i), index_at(i) + 1, item) < 0) return fail("open-many");
    blosc2_schunk_free(schunk);
  }
  return answer(now() - start, digest(item, typesize));
}

static bool run(char **fields, int count) {
  const char *command = fields[0];
  char **rest = fields + 1;
  if (strcmp(command, "version") == 0) {
    printf("ok\t%s\n", blosc2_get_version_string());
    return true;
  }
  if (strcmp(command, "load") == 0 && count == 3) return load(rest[0], rest[1]);
  if (strcmp(command, "append") == 0 && count == 10) return append(rest);
  if (strcmp(command, "read-all") == 0 && count == 4) return read_chunks(rest, true);
  if (strcmp(command, "read-chunks") == 0 && count == 4) return read_chunks(rest, false);
  if (strcmp(command, "read-items") == 0 && count == 5) return read_items(rest);
  if (strcmp(command, "insert") == 0 && count == 7) return edit(rest, blosc2_schunk_insert_chunk);
  if (strcmp(command, "update") == 0 && count == 7) return edit(rest, blosc2_schunk_update_chunk);
  if (strcmp(command, "crops") == 0 && count == 5) return crops(rest);
  if (strcmp(command, "array-write") == 0 && count == 11) return array_write(rest);
  if (strcmp(command, "array-slices") == 0 && count == 4) return array_slices(rest);
  if (strcmp(command, "open-many") == 0 && count == 4) return open_many(rest);
  return fail("unknown command");
}

int main(void) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  blosc2_init();
  while ((length = getline(&line, &capacity, stdin)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = '\0';
    char *fields[MAX_FIELDS] = {NULL};
    int count = 0;
    char *rest = line;
    while (count < MAX_FIELDS && rest != NULL) fields[count++] = strsep(&rest, "\t");
    if (!run(fields, count)) printf("error\t%s\n", failure);
    fflush(stdout);
  }
  free(line);
  blosc2_destroy();
  return 0;
}
