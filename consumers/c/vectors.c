/* Judges the C library zfp by Exactum's vectors, in one file and without a JSON parser. It relies on the form of
 * the files that vectors/README.md describes: no spaces, keys in a fixed order, and one case per line.
 *     cc vectors.c -o vectors -I ZFP/include ZFP/lib/libzfp.a -lm && ./vectors path/to/vectors
 * The ids of the cases that fail go to standard output, the counts to standard error. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zfp.h>

enum { LARGEST = 1 << 26, MARGIN = 4096 };
static const char *const TYPES[] = {"int32", "int64", "float32", "float64"};
typedef struct { unsigned char *at; size_t length; } Bytes;

/* The text after "key":, without the quote of a string; NULL if the key does not occur. In a configuration,
 * which is text in a string, the key ends in a backslash. */
static const char *member(const char *text, const char *key) {
    char quoted[40];
    size_t length = (size_t)snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = text ? strstr(text, quoted) : NULL;
    return at ? at + length + (at[length] == '"') : NULL;
}

/* The bytes of a hex text, followed by zeros. */
static Bytes hex(const char *text) {
    Bytes bytes = {NULL, strcspn(text, "\"") / 2};
    bytes.at = calloc(1, bytes.length + MARGIN);
    for (size_t i = 0; i < bytes.length; i++) sscanf(text + 2 * i, "%2hhx", bytes.at + i);
    return bytes;
}

/* The result of zfp for elements or for a stream; NULL if it refuses. */
static Bytes answer(int encodes, const char *request, zfp_type type, Bytes input, const size_t shape[4], unsigned rank) {
    const char *settings = member(request, "configuration");
    size_t count = 1, blocks = 1;
    for (unsigned i = 0; i < rank; i++) count *= shape[i], blocks *= (shape[i] + 3) / 4;
    /* No block has more than 2083 bytes, whatever the request. */
    Bytes array = {calloc(count, zfp_type_size(type)), count * zfp_type_size(type)};
    Bytes stream = {calloc(1, blocks * 2083 + input.length + MARGIN), blocks * 2083 + input.length + MARGIN};
    /* zfp reads without checking where a stream ends. The stream is followed by the same fence as in the adapter, and
     * not by zeros, which would repair a stream that ends early. An encoder gets clean memory. */
    if (!encodes) memset(stream.at, 0xa5, stream.length);
    memcpy(encodes ? array.at : stream.at, input.at, input.length);
    size_t n[4] = {0, 0, 0, 0}; /* zfp expects the fastest dimension first, and 0 means that there is none */
    for (unsigned i = 0; i < rank; i++) n[i] = shape[rank - 1 - i];
    zfp_field *field = zfp_field_4d(array.at, type, rank ? n[0] : 1, n[1], n[2], n[3]);
    zfp_stream *zfp = zfp_stream_open(NULL);
    int set = 1;
    if (strstr(settings, "reversible")) zfp_stream_set_reversible(zfp);
    else if (strstr(settings, "fixed_rate")) zfp_stream_set_rate(zfp, atof(member(settings, "rate\\")), type, rank ? rank : 1, 0);
    else if (strstr(settings, "fixed_precision")) zfp_stream_set_precision(zfp, (uint)atof(member(settings, "precision\\")));
    else if (strstr(settings, "fixed_accuracy")) zfp_stream_set_accuracy(zfp, atof(member(settings, "tolerance\\")));
    else set = zfp_stream_set_params(zfp, (uint)atof(member(settings, "minbits\\")), (uint)atof(member(settings, "maxbits\\")),
                                     (uint)atof(member(settings, "maxprec\\")), (int)atof(member(settings, "minexp\\")));
    bitstream *bits = stream_open(stream.at, stream.length);
    zfp_stream_set_bit_stream(zfp, bits), zfp_stream_rewind(zfp);
    size_t done = !set ? 0 : encodes ? zfp_compress(zfp, field) : zfp_decompress(zfp, field);
    stream_close(bits), zfp_stream_close(zfp), zfp_field_free(field);
    free(encodes ? array.at : stream.at);
    if (done) return encodes ? (Bytes){stream.at, done} : array;
    return free(encodes ? stream.at : array.at), (Bytes){NULL, 0};
}

/* An element as a number. Bounds are for floats only. */
static long double value(zfp_type type, const void *at) {
    return type == zfp_type_float ? (long double)*(const float *)at : (long double)*(const double *)at;
}

/* Whether a case is right: 1, 0, or 2 if zfp does not support it. */
static int right(const char *request, const char *expect) {
    int encodes = strstr(request, "\"op\":\"zfp.encode\"") != NULL, ok = 1;
    const char *name = member(request, "data_type"), *bound = member(expect, "bound");
    zfp_type type = zfp_type_none; /* no other data type is passed to zfp */
    for (int i = 0; i < 4; i++) if (!strncmp(name, TYPES[i], strlen(TYPES[i]))) type = (zfp_type)(i + 1);
    size_t shape[4] = {1, 1, 1, 1}, count = 1, times = 1, size = zfp_type_size(type);
    unsigned rank = 0;
    for (const char *at = member(request, "shape") + 1; *at != ']'; rank++) {
        char *end;
        if (!size || rank == 4 || (shape[rank] = strtoull(at, &end, 10)) == 0 || shape[rank] > LARGEST / count) return 2;
        count *= shape[rank], at = end + (*end == ',');
    }
    Bytes input = hex(member(request, encodes ? "data" : "bytes")), element = input;
    if (strstr(request, "\"each\":true")) times = count, shape[0] = rank = 1, element.length = size;
    for (size_t i = 0; ok && i < times; i++, element.at += size) {
        Bytes got = answer(encodes, request, type, element, shape, rank);
        if (member(expect, "reject")) ok = got.at == NULL;
        else if (!member(expect, "open")) {
            Bytes wanted = hex(member(expect, encodes ? "bytes" : "data"));
            ok = got.at && got.length == wanted.length && (bound || !memcmp(got.at, wanted.at, got.length));
            for (size_t at = 0; bound && ok && at < got.length; at += size)
                ok = fabsl(value(type, got.at + at) - value(type, wanted.at + at)) <= strtold(bound, NULL);
            free(wanted.at);
        }
        free(got.at);
    }
    return free(input.at), ok;
}

int main(int argc, char **argv) {
    size_t counts[3] = {0, 0, 0}, room = 0;
    char path[4096], *line = NULL, *group = NULL, *shared = NULL, *whole = NULL;
    for (int i = 0; argc == 2 && i < 4; i++) {
        snprintf(path, sizeof path, "%s/zfp/%s.json", argv[1], TYPES[i]);
        FILE *file = fopen(path, "r");
        while (file && getline(&line, &room, file) > 0) {
            char *expect = strstr(line, "\"expect\":");
            const char *reason = member(expect, "reason"), *id = member(line, "id");
            if (id && !expect) free(group), group = strdup(id);
            if (!strncmp(line, "\"request\":", 10)) free(shared), shared = strdup(line);
            /* Invalid configurations are for readers of documents, and zfp does not read documents. */
            if (!expect || (reason && !strncmp(reason, "metadata", 8))) continue;
            *expect++ = 0;
            int verdict = asprintf(&whole, "%s%s", shared, line) < 0 ? 2 : right(whole, expect);
            if (counts[verdict]++, !verdict) printf("%.*s/%.*s\n", (int)strcspn(group, "\""), group, (int)strcspn(id, "\""), id);
            free(whole);
        }
        if (!file || fclose(file)) return perror(path), 2;
    }
    fprintf(stderr, "%zu cases right, %zu wrong, %zu not supported\n", counts[1], counts[0], counts[2]);
    return free(line), free(group), free(shared), counts[0] ? 1 : counts[1] ? 0 : 2;
}
