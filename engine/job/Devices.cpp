#include "engine/job/Devices.h"

#include "engine/job/Codes.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <dlfcn.h>

namespace ringmaster {

namespace {

// The part of NVML's stable binary interface that is used; its header isn't needed to build.
using NvmlDevice = struct nvmlDevice_st*;

struct NvmlMemory
{
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct NvmlPciInfo
{
    char busIdLegacy[16]; // NOLINT(modernize-avoid-c-arrays): the layout is NVML's
    unsigned int domain;
    unsigned int bus;
    unsigned int device;
    unsigned int pciDeviceId;
    unsigned int pciSubSystemId;
    char busId[32]; // NOLINT(modernize-avoid-c-arrays)
};

struct NvmlProcess
{
    unsigned int pid;
    unsigned long long usedGpuMemory;
    unsigned int gpuInstanceId;
    unsigned int computeInstanceId;
};

constexpr int Success = 0;
constexpr int InsufficientSize = 7;
constexpr unsigned long long NotAvailable = ~0ULL;

class Nvml
{
public:
    explicit Nvml(const char* library) : m_library(dlopen(library, RTLD_NOW | RTLD_LOCAL))
    {
        if (m_library == nullptr)
            return;
        load(m_init, "nvmlInit_v2");
        load(m_shutdown, "nvmlShutdown");
        load(m_count, "nvmlDeviceGetCount_v2");
        load(m_handle, "nvmlDeviceGetHandleByIndex_v2");
        load(m_name, "nvmlDeviceGetName");
        load(m_uuid, "nvmlDeviceGetUUID");
        load(m_memory, "nvmlDeviceGetMemoryInfo");
        load(m_pci, "nvmlDeviceGetPciInfo_v3");
        load(m_processes, "nvmlDeviceGetComputeRunningProcesses_v3");
        load(m_error, "nvmlErrorString");
        m_initialised = m_init != nullptr && m_init() == Success;
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    ~Nvml()
    {
        if (m_initialised && m_shutdown != nullptr)
            m_shutdown();
        if (m_library != nullptr)
            dlclose(m_library);
    }

    bool isLoaded() const { return m_library != nullptr; }
    bool isUsable() const { return m_initialised && m_count != nullptr && m_handle != nullptr; }
    unsigned count() const
    {
        unsigned count = 0;
        return m_count(&count) == Success ? count : 0;
    }
    std::optional<Device> device(unsigned index, std::string& problem) const;

private:
    template <class Function>
    void load(Function*& function, const char* name)
    {
        function = reinterpret_cast<Function*>(dlsym(m_library, name));
    }
    std::vector<DeviceProcess> processes(NvmlDevice handle) const;

    void* m_library;
    bool m_initialised = false;
    int (*m_init)() = nullptr;
    int (*m_shutdown)() = nullptr;
    int (*m_count)(unsigned*) = nullptr;
    int (*m_handle)(unsigned, NvmlDevice*) = nullptr;
    int (*m_name)(NvmlDevice, char*, unsigned) = nullptr;
    int (*m_uuid)(NvmlDevice, char*, unsigned) = nullptr;
    int (*m_memory)(NvmlDevice, NvmlMemory*) = nullptr;
    int (*m_pci)(NvmlDevice, NvmlPciInfo*) = nullptr;
    int (*m_processes)(NvmlDevice, unsigned*, NvmlProcess*) = nullptr;
    const char* (*m_error)(int) = nullptr;
};

/// NVML: "00000000:DC:00.0"; sysfs: "0000:dc:00.0".
std::string sysfsAddress(std::string address)
{
    std::ranges::transform(address, address.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return address.size() == 16 && address.starts_with("0000") ? address.substr(4) : address;
}

std::vector<DeviceProcess> Nvml::processes(NvmlDevice handle) const
{
    std::vector<NvmlProcess> found(64);
    auto count = static_cast<unsigned>(found.size());
    int result = m_processes == nullptr ? Success + 1 : m_processes(handle, &count, found.data());
    if (result == InsufficientSize) {
        found.resize(count + 16UL);
        count = static_cast<unsigned>(found.size());
        result = m_processes(handle, &count, found.data());
    }
    std::vector<DeviceProcess> all;
    for (size_t i = 0; result == Success && i < std::min<size_t>(count, found.size()); ++i) {
        const unsigned long long used = found[i].usedGpuMemory;
        all.push_back({static_cast<pid_t>(found[i].pid),
                       used == NotAvailable ? -1 : static_cast<std::int64_t>(used)});
    }
    return all;
}

std::optional<Device> Nvml::device(unsigned index, std::string& problem) const
{
    NvmlDevice handle = nullptr;
    if (const int result = m_handle(index, &handle); result != Success) {
        problem = m_error == nullptr ? std::to_string(result) : m_error(result);
        return std::nullopt;
    }
    Device device;
    device.index = static_cast<int>(index);
    std::array<char, 128> text{};
    if (m_name != nullptr && m_name(handle, text.data(), text.size()) == Success)
        device.name = text.data();
    if (m_uuid != nullptr && m_uuid(handle, text.data(), text.size()) == Success)
        device.uuid = text.data();
    NvmlMemory memory{};
    if (m_memory != nullptr && m_memory(handle, &memory) == Success) {
        device.totalBytes = static_cast<std::int64_t>(memory.total);
        device.usedBytes = static_cast<std::int64_t>(memory.used);
    }
    NvmlPciInfo pci{};
    if (m_pci != nullptr && m_pci(handle, &pci) == Success)
        device.pciAddress = sysfsAddress(pci.busId);
    device.processes = processes(handle);
    return device;
}

} // namespace

DeviceList listDevices(const char* library)
{
    DeviceList list;
    const Nvml nvml(library);
    if (!nvml.isLoaded()) {
        list.absence = Message{code::NoGpuDriver, {{"library", library}}, {}};
        return list;
    }
    if (!nvml.isUsable()) {
        list.absence = Message{code::GpuDriverNotAnswering, {}, {}};
        return list;
    }
    for (unsigned index = 0; index < nvml.count(); ++index) {
        std::string problem;
        if (auto device = nvml.device(index, problem))
            list.devices.push_back(*std::move(device));
        else
            list.absence =
                Message{code::GpuNotReadable, {{"index", std::to_string(index)}}, problem};
    }
    if (list.devices.empty() && !list.absence)
        list.absence = Message{code::NoGpu, {}, {}};
    return list;
}

} // namespace ringmaster
