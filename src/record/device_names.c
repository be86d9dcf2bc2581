/* device_names.c: what the hashes of named zones stand for: texts "file TAB line TAB name" in the section tacho_zones of an object
 * file, or alone in a file, each ended by a zero or a line end. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tacho/device.h"

#include "device_decode.h"

enum {
    HASHES = TACHO_DEVICE_ZONE_HASH + 1,
    MOST_BYTES = 16 << 20, /* of all texts of a file */
    ELF_HEADER = 64,
    SECTION_HEADER = 64
};

#define SECTION "tacho_zones"

struct entry {
    uint32_t file, name; /* where they begin in the pool */
    uint32_t line;       /* in the file */
};

struct tacho_device_names {
    char *pool;                   /* texts with a zero behind each; owned */
    size_t size, capacity;        /* of the pool */
    struct entry entries[HASHES]; /* by hash; name 0: there is none */
    uint32_t collisions;          /* texts whose hash another text has */
};

/* ---- Texts ---- */

static bool keep(struct tacho_device_names *names, const char *text, size_t length, uint32_t *place)
{
    if (names->size + length + 2 > names->capacity) {
        size_t capacity = (names->size + length + 2) * 2;
        char *pool = realloc(names->pool, capacity);

        if (!pool)
            return false;
        names->pool = pool;
        names->capacity = capacity;
    }
    if (!names->size)
        names->size = 1; /* place 0 stands for none */
    *place = (uint32_t)names->size;
    memcpy(names->pool + names->size, text, length);
    names->pool[names->size + length] = 0;
    names->size += length + 1;
    return true;
}

/* Splits "file TAB line TAB name". */
static bool split(const char *text, size_t length, size_t *file_length, uint32_t *line, const char **name)
{
    const char *tab = memchr(text, '\t', length), *end = text + length, *at;
    uint64_t number = 0;

    if (!tab)
        return false;
    *file_length = (size_t)(tab - text);
    for (at = tab + 1; at < end && *at >= '0' && *at <= '9' && number <= UINT32_MAX; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    if (at == tab + 1 || at + 1 >= end || *at != '\t' || number > UINT32_MAX)
        return false;
    *line = (uint32_t)number;
    *name = at + 1;
    return true;
}

static bool is_entry(const struct tacho_device_names *names, const struct entry *entry, const char *text,
                     size_t file_length, uint32_t line, const char *name, size_t name_length)
{
    const char *file = names->pool + entry->file, *other = names->pool + entry->name;

    return entry->line == line && strlen(file) == file_length && memcmp(file, text, file_length) == 0 &&
           strlen(other) == name_length && memcmp(other, name, name_length) == 0;
}

static enum tacho_device_status add_text(struct tacho_device_names *names, const char *text, size_t length)
{
    struct entry *entry = &names->entries[tacho_device_hash(text, length)], made;
    const char *name;
    size_t file_length, name_length;

    if (!split(text, length, &file_length, &made.line, &name))
        return TACHO_DEVICE_INPUT;
    name_length = (size_t)(text + length - name);
    if (entry->name) {
        names->collisions += !is_entry(names, entry, text, file_length, made.line, name, name_length);
        return TACHO_DEVICE_OK;
    }
    if (!keep(names, text, file_length, &made.file) || !keep(names, name, name_length, &made.name))
        return TACHO_DEVICE_MEMORY;
    *entry = made;
    return TACHO_DEVICE_OK;
}

static enum tacho_device_status add_texts(struct tacho_device_names *names, const char *texts, size_t size,
                                          const char *path, char *message)
{
    const char *end = texts + size;

    for (const char *next = texts; next < end;) {
        size_t length = 0;
        enum tacho_device_status status;

        while (next + length < end && next[length] && next[length] != '\n')
            length++;
        status = length ? add_text(names, next, length) : TACHO_DEVICE_OK;
        if (status == TACHO_DEVICE_INPUT)
            device_say(message, "%s: byte %zu of its zones is no text of the form FILE, LINE, NAME with tabs between",
                       path, (size_t)(next - texts));
        else if (status != TACHO_DEVICE_OK)
            device_say(message, "%s: out of memory", path);
        if (status != TACHO_DEVICE_OK)
            return status;
        next += length + 1;
    }
    return TACHO_DEVICE_OK;
}

/* ---- Files ---- */

/* A file that is read from anywhere. */
struct file {
    int descriptor;   /* open */
    uint64_t size;    /* bytes */
    const char *path; /* borrowed */
};

static bool read_at(const struct file *file, uint64_t offset, size_t size, void *bytes)
{
    char *next = bytes;

    if (offset > file->size || size > file->size - offset)
        return false;
    while (size) {
        ssize_t count = pread(file->descriptor, next, size, (off_t)offset);

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        next += count;
        offset += (uint64_t)count;
        size -= (size_t)count;
    }
    return true;
}

static uint64_t little(const unsigned char *bytes, unsigned size)
{
    uint64_t value = 0;

    while (size--)
        value = value << 8 | bytes[size];
    return value;
}

/* Where fields of an ELF file are: they are wider in one of 64 bits. */
struct elf {
    bool wide;              /* 64 bits */
    uint64_t sections;      /* offset of the section headers */
    unsigned header, count; /* size and number of them */
    uint64_t names;         /* offset of the sections' names */
};

static bool section_at(const struct file *file, const struct elf *elf, unsigned index, uint64_t *name, uint64_t *offset,
                       uint64_t *size)
{
    unsigned char bytes[SECTION_HEADER];
    unsigned width = elf->wide ? 8 : 4;

    if (!read_at(file, elf->sections + (uint64_t)index * elf->header, elf->wide ? 64 : 40, bytes))
        return false;
    *name = little(bytes, 4);
    *offset = little(bytes + (elf->wide ? 24 : 16), width);
    *size = little(bytes + (elf->wide ? 32 : 20), width);
    return true;
}

static bool read_elf(const struct file *file, struct elf *elf)
{
    unsigned char bytes[ELF_HEADER] = { 0 };
    uint64_t name, size;

    if (!read_at(file, 0, 52, bytes))
        return false;
    elf->wide = bytes[4] == 2;
    if (bytes[5] != 1 || bytes[4] < 1 || bytes[4] > 2 || (elf->wide && !read_at(file, 0, ELF_HEADER, bytes)))
        return false;
    elf->sections = elf->wide ? little(bytes + 40, 8) : little(bytes + 32, 4);
    elf->header = (unsigned)little(bytes + (elf->wide ? 58 : 46), 2);
    elf->count = (unsigned)little(bytes + (elf->wide ? 60 : 48), 2);
    return elf->header >= (elf->wide ? 64 : 40) && elf->sections <= file->size &&
           section_at(file, elf, (unsigned)little(bytes + (elf->wide ? 62 : 50), 2), &name, &elf->names, &size) &&
           elf->names <= file->size;
}

/* The section with the texts; false: there is none, or this is no such file. */
static bool find_section(const struct file *file, uint64_t *offset, uint64_t *size)
{
    struct elf elf;

    if (!read_elf(file, &elf))
        return false;
    for (unsigned i = 1; i < elf.count; i++) {
        char text[sizeof SECTION];
        uint64_t name;

        if (section_at(file, &elf, i, &name, offset, size) && read_at(file, elf.names + name, sizeof text, text) &&
            memcmp(text, SECTION, sizeof text) == 0)
            return true;
    }
    return false;
}

static enum tacho_device_status read_texts(struct tacho_device_names *names, const struct file *file, char *message)
{
    uint64_t offset = 0, size = file->size;
    enum tacho_device_status status;
    char magic[4], *texts;

    if (read_at(file, 0, sizeof magic, magic) && memcmp(magic, "\177ELF", 4) == 0 &&
        !find_section(file, &offset, &size)) {
        device_say(message, "%s: it has no section " SECTION ", so no zones of kernels that were built with markers",
                   file->path);
        return TACHO_DEVICE_INPUT;
    }
    if (size > MOST_BYTES) {
        device_say(message, "%s: its texts of zones are larger than any program's", file->path);
        return TACHO_DEVICE_INPUT;
    }
    texts = malloc((size_t)size + 1);
    if (!texts) {
        device_say(message, "%s: out of memory", file->path);
        return TACHO_DEVICE_MEMORY;
    }
    if (read_at(file, offset, (size_t)size, texts)) {
        status = add_texts(names, texts, (size_t)size, file->path, message);
    } else {
        device_say(message, "%s: its texts of zones cannot be read", file->path);
        status = TACHO_DEVICE_INPUT;
    }
    free(texts);
    return status;
}

enum tacho_device_status tacho_device_names_read(struct tacho_device_names **names, const char *path, char *message)
{
    struct file file = { .descriptor = open(path, O_RDONLY | O_CLOEXEC), .path = path };
    enum tacho_device_status status = TACHO_DEVICE_MEMORY;
    struct stat found;

    device_say(message, "%s", "");
    if (file.descriptor < 0 || fstat(file.descriptor, &found) != 0 || !S_ISREG(found.st_mode)) {
        device_say(message, "%s: %s", path, file.descriptor < 0 ? strerror(errno) : "it is no ordinary file");
        status = TACHO_DEVICE_INPUT;
    } else {
        file.size = (uint64_t)found.st_size;
        if (!*names)
            *names = calloc(1, sizeof **names);
        if (*names)
            status = read_texts(*names, &file, message);
        else
            device_say(message, "%s: out of memory", path);
    }
    if (file.descriptor >= 0)
        close(file.descriptor);
    return status;
}

void tacho_device_names_free(struct tacho_device_names *names)
{
    if (names)
        free(names->pool);
    free(names);
}

bool tacho_device_names_find(const struct tacho_device_names *names, uint32_t hash, struct tacho_device_name *found)
{
    const struct entry *entry = hash < HASHES ? &names->entries[hash] : NULL;

    if (!entry || !entry->name)
        return false;
    *found = (struct tacho_device_name){ names->pool + entry->name, names->pool + entry->file, entry->line };
    return true;
}

uint32_t tacho_device_names_collisions(const struct tacho_device_names *names)
{
    return names->collisions;
}
