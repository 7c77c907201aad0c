// The two functions of glibc 2.35 and 2.36 that static libstdc++ and libgcc call, over what 2.34 has. Hidden: what
// else is in the process keeps glibc's own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN uint32_t arc4random(void)
{
    uint32_t value;
    while (getrandom(&value, sizeof value, 0) != sizeof value) {
        if (errno != EINTR)
            abort();
    }
    return value;
}

struct search {
    uintptr_t address;
    struct dl_find_object* found;
};

static int visit(struct dl_phdr_info* object, size_t size, void* data)
{
    (void)size;
    const struct search* search = data;
    uintptr_t low = UINTPTR_MAX;
    uintptr_t high = 0;
    void* frames = NULL;
    int isInside = 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)* part = &object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + part->p_vaddr;
        const uintptr_t end = start + part->p_memsz;
        if (part->p_type == PT_GNU_EH_FRAME)
            frames = (void*)start;
        if (part->p_type != PT_LOAD)
            continue;
        low = start < low ? start : low;
        high = end > high ? end : high;
        isInside = isInside || (search->address >= start && search->address < end);
    }
    if (!isInside || frames == NULL)
        return 0;
    *search->found = (struct dl_find_object){
        .dlfo_map_start = (void*)low, .dlfo_map_end = (void*)high, .dlfo_eh_frame = frames};
    return 1;
}

HIDDEN int _dl_find_object(void* address, struct dl_find_object* found)
{
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}
