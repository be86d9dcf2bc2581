/* functions.c: whole programs without a mark in them: what gcc and clang call when a program is compiled with -finstrument-functions.
 *
 * A function is a site that is found by its address in a table: lock-free to look up, filled under the recorder's lock. Its name comes
 * from the symbols of the file that it was loaded from. */
#include "recorder.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FUNCTIONS = 1 << 16 }; /* that the table has room for; others are one function "(others)" */

struct function {
    uintptr_t address; /* 0: free; atomic, stored last */
    uint32_t site;     /* of the recorder */
    uint32_t reserved; /* 0 */
};

#define NOT_MARKED __attribute__((no_instrument_function))

void __cyg_profile_func_enter(void *function, void *caller) NOT_MARKED TACHO_RECORD_API;
void __cyg_profile_func_exit(void *function, void *caller) NOT_MARKED TACHO_RECORD_API;

static struct function *functions; /* atomic; pages that nobody touches do not exist */
static uint32_t known;             /* in the table, under the lock */
static struct tacho_site others = { "(others)", "", "", 0, 0, TACHO_SITE_FUNCTION, 0 };

/* The symbol that an offset of an ELF file lies in, copied. False: none has a name. */
NOT_MARKED static bool find_symbol(const uint8_t *file, size_t size, uintptr_t address, char *name, size_t name_size)
{
    const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)file;

    if (size < sizeof *elf || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 || elf->e_shentsize != sizeof(ElfW(Shdr)) ||
        elf->e_shoff > size || (size - elf->e_shoff) / sizeof(ElfW(Shdr)) < elf->e_shnum)
        return false;
    const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(file + elf->e_shoff);
    for (unsigned i = 0; i < elf->e_shnum; i++) {
        const ElfW(Shdr) *table = &sections[i];

        if (table->sh_type != SHT_SYMTAB || table->sh_link >= elf->e_shnum || table->sh_offset > size ||
            size - table->sh_offset < table->sh_size)
            continue;
        const ElfW(Shdr) *strings = &sections[table->sh_link];
        if (strings->sh_offset > size || size - strings->sh_offset < strings->sh_size)
            continue;
        const ElfW(Sym) *symbols = (const ElfW(Sym) *)(file + table->sh_offset);
        for (size_t k = 0; k < table->sh_size / sizeof *symbols; k++) {
            if ((symbols[k].st_info & 15) != STT_FUNC || address < symbols[k].st_value ||
                address - symbols[k].st_value >= (symbols[k].st_size ? symbols[k].st_size : 1) ||
                symbols[k].st_name >= strings->sh_size)
                continue;
            size_t most = strings->sh_size - symbols[k].st_name;
            snprintf(name, name_size, "%.*s", (int)(most < 512 ? most : 512),
                     (const char *)file + strings->sh_offset + symbols[k].st_name);
            return true;
        }
    }
    return false;
}

/* Where the file of a function has been mapped, so that its symbols can be looked up. */
NOT_MARKED static bool symbol_in_file(const struct link_map *map, uintptr_t address, char *name, size_t size)
{
    const char *path = map && map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    bool named = false;

    if (file < 0)
        return false;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        uint8_t *mapped = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);

        if (mapped != MAP_FAILED) {
            named = find_symbol(mapped, bytes, address - (map ? map->l_addr : 0), name, size);
            munmap(mapped, bytes);
        }
    }
    close(file);
    return named;
}

/* Names of C++ as people write them, where the program has what that takes. */
NOT_MARKED static void unmangle(char *name, size_t size)
{
    char *(*demangle)(const char *, char *, size_t *, int *);
    void *found = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    int status = 0;
    char *plain;

    if (!found || strncmp(name, "_Z", 2) != 0)
        return;
    memcpy(&demangle, &found, sizeof demangle);
    plain = demangle(name, NULL, NULL, &status);
    if (plain && !status)
        snprintf(name, size, "%.500s", plain);
    free(plain);
}

NOT_MARKED static uint32_t add_function(uintptr_t address)
{
    struct link_map *map = NULL;
    Dl_info found = { 0 };
    char name[600];
    struct tacho_site site = { name, "", "", 0, 0, TACHO_SITE_FUNCTION, 0 };

    if (!dladdr1((void *)address, &found, (void **)&map, RTLD_DL_LINKMAP))
        snprintf(name, sizeof name, "%#lx", (unsigned long)address);
    else if (found.dli_sname && (uintptr_t)found.dli_saddr == address)
        snprintf(name, sizeof name, "%.512s", found.dli_sname);
    else if (!symbol_in_file(map, address, name, sizeof name))
        snprintf(name, sizeof name, "%.400s+%#lx", found.dli_fname ? found.dli_fname : "",
                 (unsigned long)(address - (uintptr_t)found.dli_fbase));
    unmangle(name, sizeof name);
    site.file = found.dli_fname ? found.dli_fname : "";
    return tacho_recorder_site(&site);
}

NOT_MARKED static struct function *the_table(void)
{
    struct function *table = __atomic_load_n(&functions, __ATOMIC_ACQUIRE);
    struct function *none = NULL;

    if (table)
        return table;
    table = mmap(NULL, FUNCTIONS * sizeof *table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (table == MAP_FAILED)
        return NULL;
    if (!__atomic_compare_exchange_n(&functions, &none, table, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        munmap(table, FUNCTIONS * sizeof *table);
        return none;
    }
    return table;
}

/* The site of a function; 0: it cannot be recorded. The slot of the table is taken by its address, before the name is looked for: two
 * threads that come at once give one function two sites of the same name, which is no harm. */
NOT_MARKED static uint32_t site_of(uintptr_t address)
{
    struct function *table = the_table();
    size_t at = (size_t)((address >> 4) * 0x9e3779b97f4a7c15u >> 48);
    uintptr_t seen;
    uint32_t site;

    if (!table)
        return 0;
    for (size_t i = 0; i < FUNCTIONS; i++, at = (at + 1) % FUNCTIONS) {
        seen = __atomic_load_n(&table[at].address, __ATOMIC_ACQUIRE);
        if (seen == address)
            return __atomic_load_n(&table[at].site, __ATOMIC_RELAXED);
        if (!seen)
            break;
    }
    if (__atomic_load_n(&known, __ATOMIC_RELAXED) >= FUNCTIONS / 2) {
        site = __atomic_load_n(&others.id, __ATOMIC_ACQUIRE);
        return site ? site : tacho_recorder_site(&others);
    }
    site = add_function(address);
    if (site) {
        struct recorder_guard guard;

        recorder_lock(&guard);
        while (table[at].address && table[at].address != address)
            at = (at + 1) % FUNCTIONS;
        if (!table[at].address) {
            __atomic_store_n(&table[at].site, site, __ATOMIC_RELAXED);
            __atomic_store_n(&table[at].address, address, __ATOMIC_RELEASE);
            __atomic_add_fetch(&known, 1, __ATOMIC_RELAXED);
        }
        site = table[at].site;
        recorder_unlock(&guard);
    }
    return site;
}

/* A zone of another kind of site than zone.h's. Where the recorder itself is compiled with the flag, it does not record itself. */
NOT_MARKED static void record_function(uint64_t kind, uintptr_t address)
{
    static __thread bool inside __attribute__((tls_model("initial-exec")));
    uint32_t session = __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED);
    uint64_t time;
    uint32_t site;
    uint64_t *slot;

    if (__builtin_expect(!session, 1) || inside)
        return;
    inside = true;
    time = tacho_recorder_time();
    site = site_of(address);
    slot = site ? tacho_recorder_slot(session) : NULL;
    if (slot)
        tacho_recorder_put(slot, kind == RECORD_BEGIN ? tacho_recorder_time() : time, kind, site);
    inside = false;
}

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    record_function(RECORD_BEGIN, (uintptr_t)function);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)caller;
    record_function(RECORD_END, (uintptr_t)function);
}
