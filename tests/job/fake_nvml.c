/* Stands in for the driver's libnvidia-ml.so.1: two GPUs, one in use; a third that can't be asked. */
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
    memory->used = handle == (char*)0 + 1 ? 1024 : 76235669504ULL;
    memory->free = memory->total - memory->used;
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
