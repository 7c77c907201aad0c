#include "engine/machine/Nvml.h"

#include "engine/machine/Codes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include <dlfcn.h>

namespace ringmaster {

namespace {

// The part of NVML's stable binary interface that is used.
using Handle = struct nvmlDevice_st*;
using EventSet = struct nvmlEventSet_st*;

struct Memory
{
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

/// Tells what the driver keeps for itself apart from what is used, as nvidia-smi does.
struct MemoryV2
{
    unsigned int version;
    unsigned long long total;
    unsigned long long reserved;
    unsigned long long free;
    unsigned long long used;
};
constexpr unsigned MemoryVersion2 = sizeof(MemoryV2) | 2U << 24U;

struct PciInfo
{
    char busIdLegacy[16]; // NOLINT(modernize-avoid-c-arrays): the layout is NVML's
    unsigned int domain;
    unsigned int bus;
    unsigned int device;
    unsigned int pciDeviceId;
    unsigned int pciSubSystemId;
    char busId[32]; // NOLINT(modernize-avoid-c-arrays)
};

struct Process
{
    unsigned int pid;
    unsigned long long usedGpuMemory;
    unsigned int gpuInstanceId;
    unsigned int computeInstanceId;
};

struct Utilisation
{
    unsigned int gpu;
    unsigned int memory;
};

struct FieldValue
{
    unsigned int field;
    unsigned int scope;
    long long timestamp;
    long long latency;
    int type;
    int result;
    unsigned long long value; ///< A union; smaller ones lie in its first bytes.
};
static_assert(sizeof(FieldValue) == 40);

struct Event
{
    Handle device;
    unsigned long long kind;
    unsigned long long data;
    unsigned int gpuInstance;
    unsigned int computeInstance;
};

constexpr int Success = 0;
constexpr int InsufficientSize = 7;
constexpr unsigned long long NotAvailable = ~0ULL;

constexpr unsigned NvlinkSentKiB = 138;
constexpr unsigned NvlinkReceivedKiB = 139;
constexpr unsigned Nvlink5Sent = 202;
constexpr unsigned Nvlink5Received = 204;
constexpr unsigned PcieSent = 197;
constexpr unsigned PcieReceived = 198;
constexpr unsigned AllLinks = std::numeric_limits<unsigned>::max();
constexpr int UnsignedLong = 2;
constexpr int UnsignedLongLong = 3;

constexpr unsigned long long DoubleBitErrorEvent = 2;
constexpr unsigned long long XidEvent = 8;
constexpr size_t MostFaults = 100;

/// NVML: "00000000:DC:00.0"; sysfs: "0000:dc:00.0".
std::string sysfsAddress(std::string address)
{
    std::ranges::transform(address, address.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return address.size() == 16 && address.starts_with("0000") ? address.substr(4) : address;
}

} // namespace

struct Nvml::Functions
{
    explicit Functions(const char* name) : library(dlopen(name, RTLD_NOW | RTLD_LOCAL))
    {
        if (library == nullptr)
            return;
        load(init, "nvmlInit_v2");
        load(shutdown, "nvmlShutdown");
        load(count, "nvmlDeviceGetCount_v2");
        load(handle, "nvmlDeviceGetHandleByIndex_v2");
        load(name_, "nvmlDeviceGetName");
        load(uuid, "nvmlDeviceGetUUID");
        load(memory, "nvmlDeviceGetMemoryInfo");
        load(memoryV2, "nvmlDeviceGetMemoryInfo_v2");
        load(pci, "nvmlDeviceGetPciInfo_v3");
        load(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
        load(utilisation, "nvmlDeviceGetUtilizationRates");
        load(fields, "nvmlDeviceGetFieldValues");
        load(pcie, "nvmlDeviceGetPcieThroughput");
        load(makeEvents, "nvmlEventSetCreate");
        load(freeEvents, "nvmlEventSetFree");
        load(registerEvents, "nvmlDeviceRegisterEvents");
        load(waitForEvent, "nvmlEventSetWait_v2");
        load(error, "nvmlErrorString");
        isInitialised = init != nullptr && init() == Success;
    }
    Functions(const Functions&) = delete;
    Functions& operator=(const Functions&) = delete;
    ~Functions()
    {
        if (events != nullptr && freeEvents != nullptr)
            freeEvents(events);
        if (isInitialised && shutdown != nullptr)
            shutdown();
        if (library != nullptr)
            dlclose(library);
    }

    template <class Function>
    void load(Function*& function, const char* symbol)
    {
        function = reinterpret_cast<Function*>(dlsym(library, symbol));
    }

    Result<Handle> handleOf(int index) const
    {
        Handle found = nullptr;
        const int result = handle(static_cast<unsigned>(index), &found);
        if (result != Success)
            return fail(code::GpuNotReadable, {{"index", std::to_string(index)}},
                        error == nullptr ? std::to_string(result) : error(result));
        return found;
    }

    std::string nameOf(Handle device) const
    {
        std::array<char, 128> text{};
        const bool isTold = name_ != nullptr && name_(device, text.data(), text.size()) == Success;
        text.back() = '\0';
        return isTold ? text.data() : std::string();
    }

    /// Null values: unknown. Before the drivers of 2021 what is reserved counts as used.
    Memory memoryOf(Handle device) const
    {
        MemoryV2 now{};
        now.version = MemoryVersion2;
        if (memoryV2 != nullptr && memoryV2(device, &now) == Success)
            return {now.total, now.free, now.used};
        Memory before{};
        if (memory == nullptr || memory(device, &before) != Success)
            return {};
        return before;
    }

    /// Of two counters of 64 bits that the driver has; smaller ones wrap too soon.
    std::optional<DeviceReading::Traffic> counted(Handle device, unsigned sent, unsigned received,
                                                  unsigned scope, std::int64_t unit) const
    {
        std::array<FieldValue, 2> values{};
        values[0].field = sent;
        values[1].field = received;
        values[0].scope = values[1].scope = scope;
        if (fields == nullptr || fields(device, 2, values.data()) != Success)
            return std::nullopt;
        for (const FieldValue& value : values) {
            if (value.result != Success ||
                (value.type != UnsignedLong && value.type != UnsignedLongLong))
                return std::nullopt;
        }
        return DeviceReading::Traffic{static_cast<std::int64_t>(values[0].value) * unit,
                                      static_cast<std::int64_t>(values[1].value) * unit};
    }

    void* library;
    bool isInitialised = false;
    EventSet events = nullptr;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*handle)(unsigned, Handle*) = nullptr;
    int (*name_)(Handle, char*, unsigned) = nullptr;
    int (*uuid)(Handle, char*, unsigned) = nullptr;
    int (*memory)(Handle, Memory*) = nullptr;
    int (*memoryV2)(Handle, MemoryV2*) = nullptr;
    int (*pci)(Handle, PciInfo*) = nullptr;
    int (*processes)(Handle, unsigned*, Process*) = nullptr;
    int (*utilisation)(Handle, Utilisation*) = nullptr;
    int (*fields)(Handle, int, FieldValue*) = nullptr;
    int (*pcie)(Handle, unsigned, unsigned*) = nullptr;
    int (*makeEvents)(EventSet*) = nullptr;
    int (*freeEvents)(EventSet) = nullptr;
    int (*registerEvents)(Handle, unsigned long long, EventSet) = nullptr;
    int (*waitForEvent)(EventSet, Event*, unsigned) = nullptr;
    const char* (*error)(int) = nullptr;
};

Nvml::Nvml(const char* library) : m_library(std::make_unique<Functions>(library))
{
    if (m_library->library == nullptr)
        m_absence = Message{code::NoGpuDriver, {{"library", library}}, {}};
    else if (!m_library->isInitialised || m_library->count == nullptr ||
             m_library->handle == nullptr)
        m_absence = Message{code::GpuDriverNotAnswering, {}, {}};
    else if (count() == 0)
        m_absence = Message{code::NoGpu, {}, {}};
}

Nvml::~Nvml() = default;

int Nvml::count() const
{
    constexpr unsigned Most = 1024;
    unsigned count = 0;
    return m_library->count(&count) == Success ? static_cast<int>(std::min(count, Most)) : 0;
}

std::vector<DeviceProcess> Nvml::processes(int index) const
{
    std::vector<DeviceProcess> all;
    const auto handle = m_library->handleOf(index);
    if (!handle || m_library->processes == nullptr)
        return all;
    std::vector<Process> found(64);
    auto count = static_cast<unsigned>(found.size());
    int result = m_library->processes(*handle, &count, found.data());
    if (result == InsufficientSize) {
        found.resize(count + 16UL);
        count = static_cast<unsigned>(found.size());
        result = m_library->processes(*handle, &count, found.data());
    }
    for (size_t i = 0; result == Success && i < std::min<size_t>(count, found.size()); ++i) {
        const unsigned long long used = found[i].usedGpuMemory;
        all.push_back({static_cast<pid_t>(found[i].pid),
                       used == NotAvailable ? -1 : static_cast<std::int64_t>(used)});
    }
    return all;
}

Result<Device> Nvml::device(int index) const
{
    const Handle handle = RM_TRY(m_library->handleOf(index));
    Device device;
    device.index = index;
    device.name = m_library->nameOf(handle);
    std::array<char, 128> text{};
    if (m_library->uuid != nullptr && m_library->uuid(handle, text.data(), text.size()) == Success)
        device.uuid = text.data();
    const Memory memory = m_library->memoryOf(handle);
    device.totalBytes = static_cast<std::int64_t>(memory.total);
    device.usedBytes = static_cast<std::int64_t>(memory.used);
    PciInfo pci{};
    if (m_library->pci != nullptr && m_library->pci(handle, &pci) == Success)
        device.pciAddress = sysfsAddress(pci.busId);
    device.processes = processes(index);
    return device;
}

Result<DeviceReading> Nvml::read(int index) const
{
    const Handle handle = RM_TRY(m_library->handleOf(index));
    DeviceReading reading{.index = index, .name = m_library->nameOf(handle)};
    const Memory memory = m_library->memoryOf(handle);
    reading.totalBytes = static_cast<std::int64_t>(memory.total);
    reading.usedBytes = static_cast<std::int64_t>(memory.used);
    Utilisation utilisation{};
    if (m_library->utilisation != nullptr &&
        m_library->utilisation(handle, &utilisation) == Success)
        reading.utilisation = utilisation.gpu / 100.0;
    constexpr std::int64_t KiB = 1024;
    reading.nvlinkBytes =
        m_library->counted(handle, NvlinkSentKiB, NvlinkReceivedKiB, AllLinks, KiB);
    if (!reading.nvlinkBytes)
        reading.nvlinkBytes = m_library->counted(handle, Nvlink5Sent, Nvlink5Received, AllLinks, 1);
    reading.pcieBytes = m_library->counted(handle, PcieSent, PcieReceived, 0, 1);
    unsigned sent = 0;
    unsigned received = 0;
    constexpr std::int64_t Kilobyte = 1000;
    if (!reading.pcieBytes && m_library->pcie != nullptr &&
        m_library->pcie(handle, 0, &sent) == Success &&
        m_library->pcie(handle, 1, &received) == Success)
        reading.pcieRate = {sent * Kilobyte, received * Kilobyte};
    return reading;
}

bool Nvml::watchFaults()
{
    if (m_absence || m_library->makeEvents == nullptr || m_library->registerEvents == nullptr ||
        m_library->waitForEvent == nullptr || m_library->makeEvents(&m_library->events) != Success)
        return false;
    bool isTold = false;
    for (int index = 0; index < count(); ++index) {
        const auto handle = m_library->handleOf(index);
        for (const unsigned long long kind : {XidEvent, DoubleBitErrorEvent})
            isTold |=
                handle && m_library->registerEvents(*handle, kind, m_library->events) == Success;
    }
    return isTold;
}

std::vector<DeviceFault> Nvml::takeFaults()
{
    std::vector<DeviceFault> faults;
    Event event{};
    while (m_library->events != nullptr && faults.size() < MostFaults &&
           m_library->waitForEvent(m_library->events, &event, 0) == Success) {
        int index = 0;
        while (index < count() && m_library->handleOf(index).value_or(nullptr) != event.device)
            ++index;
        const bool isXid = event.kind == XidEvent;
        faults.push_back({isXid ? DeviceFault::Kind::Xid : DeviceFault::Kind::Memory, index,
                          isXid ? event.data : 0});
    }
    return faults;
}

} // namespace ringmaster
