#pragma once

// The part of NCCL's profiler plugin interface that is used, as it lies in memory (LP64): its
// header comes with none of NCCL's packages. Versions 4 (NCCL 2.27) and 5 (from 2.28 on; later ones
// still take it).

#include <cstddef>
#include <cstdint>

namespace ringmaster::nccl {

enum Event : std::uint64_t { Collective = 2, PointToPoint = 4, KernelChannel = 64 };
constexpr int KernelChannelStop = 22; ///< A state.

struct CollectiveDescriptor
{
    std::uint64_t number; ///< Of this function in this communicator, from 0.
    const char* function;
    const void* send;
    void* receive;
    std::size_t count;
    std::int32_t root;
    const char* type;
    std::uint8_t channels;
    std::uint8_t warps;
    const char* algorithm;
    const char* protocol;
};

struct PointToPointDescriptor
{
    const char* function;
    void* buffer;
    const char* type;
    std::size_t count;
    std::int32_t peer;
    std::uint8_t channels;
};

struct KernelChannelDescriptor
{
    std::uint8_t channel;
    std::uint64_t timer; ///< The GPU's clock, in ns.
};

struct Descriptor
{
    std::uint64_t type; ///< Version 4: its first byte.
    void* parent;       ///< The handle of the event that this one is a part of.
    std::int32_t rank;
    union {
        CollectiveDescriptor collective;
        PointToPointDescriptor pointToPoint;
        KernelChannelDescriptor kernelChannel;
    };
};
static_assert(offsetof(Descriptor, collective) == 24);
static_assert(offsetof(Descriptor, collective.count) == 56);
static_assert(offsetof(Descriptor, collective.type) == 72);
static_assert(offsetof(Descriptor, collective.channels) == 80);
static_assert(offsetof(Descriptor, pointToPoint.count) == 48);
static_assert(offsetof(Descriptor, pointToPoint.channels) == 60);
static_assert(offsetof(Descriptor, kernelChannel.timer) == 32);

/// Of an event's state.
union Arguments {
    struct
    {
        std::uint64_t timer;
    } kernelChannel;
};

using Log = void (*)(int level, unsigned long flags, const char* file, int line, const char* format,
                     ...);

struct ProfilerV5
{
    const char* name;
    int (*init)(void** context, std::uint64_t communicator, int* events, const char* name,
                int nodes, int ranks, int rank, Log log);
    int (*startEvent)(void* context, void** handle, Descriptor* descriptor);
    int (*stopEvent)(void* handle);
    int (*recordEventState)(void* handle, int state, Arguments* arguments);
    int (*finalize)(void* context);
};

struct ProfilerV4
{
    const char* name;
    int (*init)(void** context, int* events, const char* name, std::uint64_t communicator,
                int nodes, int ranks, int rank, Log log);
    int (*startEvent)(void* context, void** handle, Descriptor* descriptor);
    int (*stopEvent)(void* handle);
    int (*recordEventState)(void* handle, int state, Arguments* arguments);
    int (*finalize)(void* context);
};

} // namespace ringmaster::nccl
