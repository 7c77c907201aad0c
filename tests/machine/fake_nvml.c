/* Stands in for the driver's libnvidia-ml.so.1: two GPUs, one in use; a third that can't be asked.
   RINGMASTER_FAKE_GPU_PROCESSES="GPU:PID:BYTES ..." says who uses them instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory { unsigned long long total, free, used; };
struct pci { char legacy[16]; unsigned int domain, bus, device, id, subsystem; char busId[32]; };
struct process { unsigned int pid; unsigned long long used; unsigned int gpuInstance, computeInstance; };

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
const char* nvmlErrorString(int code) { return code == 15 ? "GPU is lost" : "?"; }
int nvmlDeviceGetCount_v2(unsigned int* count) { *count = 3; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** handle)
{
    *handle = (char*)0 + index + 1;
    return index == 2 ? 15 : 0;
}
int nvmlDeviceGetName(void* handle, char* name, unsigned int size)
{
    (void)handle;
    strncpy(name, "Fake H200", size);
    return 0;
}
int nvmlDeviceGetUUID(void* handle, char* uuid, unsigned int size)
{
    strncpy(uuid, handle == (char*)0 + 1 ? "GPU-0" : "GPU-1", size);
    return 0;
}
int nvmlDeviceGetMemoryInfo(void* handle, struct memory* memory)
{
    memory->total = 150754820096ULL;
    memory->used = (handle == (char*)0 + 1 ? 1024 : 76235669504ULL) + 503316480ULL;
    memory->free = memory->total - memory->used;
    return 0;
}
/* As the drivers of today: what they keep for themselves isn't in use. */
struct memory2 { unsigned int version; unsigned long long total, reserved, free, used; };
int nvmlDeviceGetMemoryInfo_v2(void* handle, struct memory2* memory)
{
    struct memory before;
    if (memory->version != (sizeof(struct memory2) | 2u << 24))
        return 25;
    nvmlDeviceGetMemoryInfo(handle, &before);
    memory->total = before.total;
    memory->used = handle == (char*)0 + 1 ? 1024 : 76235669504ULL;
    memory->reserved = before.used - memory->used;
    memory->free = before.free;
    return 0;
}
int nvmlDeviceGetPciInfo_v3(void* handle, struct pci* info)
{
    (void)handle;
    strcpy(info->busId, "00000000:DC:00.0");
    return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* handle, unsigned int* count, struct process* found)
{
    unsigned int i;
    const char* named = getenv("RINGMASTER_FAKE_GPU_PROCESSES");
    if (named != NULL) {
        unsigned int most = *count, device, pid;
        unsigned long long used;
        int length;
        for (*count = 0; sscanf(named, " %u:%u:%llu%n", &device, &pid, &used, &length) == 3; named += length) {
            if (handle == (char*)0 + device + 1 && *count < most) {
                memset(&found[*count], 0, sizeof(found[0]));
                found[*count].pid = pid;
                found[(*count)++].used = used;
            }
        }
        return 0;
    }
    if (handle == (char*)0 + 1) {
        *count = 0;
        return 0;
    }
    if (*count < 70) {
        *count = 70;
        return 7;
    }
    for (i = 0; i < 70; ++i) {
        found[i].pid = 3310 + i;
        found[i].used = i == 0 ? 76235669504ULL : ~0ULL;
    }
    *count = 70;
    return 0;
}

struct utilisation { unsigned int gpu, memory; };
int nvmlDeviceGetUtilizationRates(void* handle, struct utilisation* rates)
{
    rates->gpu = 75;
    rates->memory = 20;
    return handle == (char*)0 + 1 ? 0 : 3;
}

/* Each time that it is asked, 1 MiB more was sent over NVLink and 2 MiB were received; the counters of PCIe have 32 bits. */
struct field { unsigned int field, scope; long long timestamp, latency; int type, result; unsigned long long value; };
int nvmlDeviceGetFieldValues(void* handle, int count, struct field* values)
{
    static unsigned long long asked = 0;
    int i;
    for (i = 0; i < count; ++i) {
        const int isNvlink = values[i].field == 138 || values[i].field == 139;
        const int isPcie = values[i].field == 197 || values[i].field == 198;
        values[i].result = handle == (char*)0 + 1 && (isNvlink || isPcie) ? 0 : 3;
        values[i].type = isPcie ? 1 : 3;
        values[i].value = values[i].field == 138 ? asked * 1024 : asked * 2048;
    }
    if (handle == (char*)0 + 1 && values[0].field == 138)
        ++asked;
    return 0;
}
int nvmlDeviceGetPcieThroughput(void* handle, unsigned int counter, unsigned int* value)
{
    *value = counter == 0 ? 7000 : 9000;
    return handle == (char*)0 + 1 ? 0 : 3;
}

/* The test raises an event; whoever waits gets it once. */
struct event { void* device; unsigned long long kind, data; unsigned int gpuInstance, computeInstance; };
static struct event raised;
static int isRaised = 0;
void fakeNvmlRaise(unsigned int index, unsigned long long kind, unsigned long long data)
{
    raised.device = (char*)0 + index + 1;
    raised.kind = kind;
    raised.data = data;
    __atomic_store_n(&isRaised, 1, __ATOMIC_RELEASE);
}
int nvmlEventSetCreate(void** set) { *set = &raised; return 0; }
int nvmlEventSetFree(void* set) { (void)set; return 0; }
int nvmlDeviceRegisterEvents(void* handle, unsigned long long kinds, void* set)
{
    (void)handle;
    (void)set;
    return kinds == 8 || kinds == 2 ? 0 : 3;
}
int nvmlEventSetWait_v2(void* set, struct event* event, unsigned int milliseconds)
{
    (void)set;
    (void)milliseconds;
    if (!__atomic_exchange_n(&isRaised, 0, __ATOMIC_ACQ_REL))
        return 10;
    *event = raised;
    return 0;
}
