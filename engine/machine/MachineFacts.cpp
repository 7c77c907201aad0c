#include "engine/machine/MachineFacts.h"

#include "engine/base/Codes.h"
#include "engine/base/Version.h"
#include "engine/machine/RealSystemInfo.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

std::int64_t memoryOf(const std::string& key)
{
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::int64_t kilobytes = 0;
    for (std::string rest; file >> name >> kilobytes && std::getline(file, rest);)
        if (name == key + ":")
            return kilobytes * 1024;
    return 0;
}

/// The wheel that torch brings: its name has its version.
std::string ncclBeside(const std::string& interpreter)
{
    constexpr std::string_view Wheel = "nvidia_nccl_";
    constexpr std::string_view Info = ".dist-info";
    const fs::path library = fs::path(interpreter).parent_path().parent_path() / "lib";
    std::error_code ignored;
    for (const auto& python : fs::directory_iterator(library, ignored)) {
        for (const auto& entry : fs::directory_iterator(python.path() / "site-packages", ignored)) {
            const std::string name = entry.path().filename();
            const size_t dash = name.find('-');
            if (name.starts_with(Wheel) && name.ends_with(Info) && dash != std::string::npos)
                return name.substr(dash + 1, name.size() - Info.size() - dash - 1);
        }
    }
    return {};
}

} // namespace

std::int64_t availableMemory()
{
    return memoryOf("MemAvailable");
}

MachineFacts machineFacts(const std::map<std::string, std::string>& environment,
                          const std::string& interpreter)
{
    std::error_code ignored;
    const RealSystemInfo systemInfo(environment, fs::current_path(ignored), {.isGiven = true});
    utsname system{};
    ::uname(&system);
    MachineFacts facts{.name = system.nodename,
                       .version = RINGMASTER_VERSION,
                       .machine = system.machine,
                       .processors = systemInfo.counts().cpus,
                       .memoryBytes = memoryOf("MemTotal"),
                       .availableBytes = availableMemory(),
                       .interpreter = interpreter};
    std::array<double, 1> load{};
    if (::getloadavg(load.data(), 1) == 1)
        facts.load = load.front();
    const DeviceList devices = systemInfo.devices();
    for (const Device& device : devices.devices)
        facts.gpus.push_back({device.name, device.totalBytes, device.usedBytes});
    if (devices.absence)
        facts.problem = describe(*devices.absence);
    if (facts.interpreter.empty())
        facts.interpreter = systemInfo.activeInterpreter();
    if (const auto python = systemInfo.interpreter({.path = facts.interpreter})) {
        facts.pythonVersion = python->version;
        facts.torchVersion = python->torchVersion;
        facts.ncclVersion = ncclBeside(facts.interpreter);
    }
    return facts;
}

std::string toJson(const MachineFacts& facts)
{
    Json gpus = Json::array();
    for (const MachineFacts::Gpu& gpu : facts.gpus)
        gpus.push_back(
            {{"name", gpu.name}, {"totalBytes", gpu.totalBytes}, {"usedBytes", gpu.usedBytes}});
    const Json json{{"name", facts.name},
                    {"version", facts.version},
                    {"machine", facts.machine},
                    {"processors", facts.processors},
                    {"load", facts.load},
                    {"memoryBytes", facts.memoryBytes},
                    {"availableBytes", facts.availableBytes},
                    {"gpus", gpus},
                    {"interpreter", facts.interpreter},
                    {"pythonVersion", facts.pythonVersion},
                    {"torchVersion", facts.torchVersion},
                    {"ncclVersion", facts.ncclVersion},
                    {"problem", facts.problem}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<MachineFacts> factsFromJson(std::string_view line)
{
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object())
        return fail(code::MalformedMessage, {{"what", "description of a machine"}});
    try {
        MachineFacts facts{.name = json.value("name", ""),
                           .version = json.value("version", ""),
                           .machine = json.value("machine", ""),
                           .processors = json.value("processors", 0),
                           .load = json.value("load", 0.0),
                           .memoryBytes = json.value("memoryBytes", std::int64_t{0}),
                           .availableBytes = json.value("availableBytes", std::int64_t{0}),
                           .interpreter = json.value("interpreter", ""),
                           .pythonVersion = json.value("pythonVersion", ""),
                           .torchVersion = json.value("torchVersion", ""),
                           .ncclVersion = json.value("ncclVersion", ""),
                           .problem = json.value("problem", "")};
        for (const Json& gpu : json.value("gpus", Json::array()))
            facts.gpus.push_back({gpu.value("name", ""), gpu.value("totalBytes", std::int64_t{0}),
                                  gpu.value("usedBytes", std::int64_t{0})});
        return facts;
    } catch (const Json::exception& error) {
        return fail(code::MalformedMessage, {{"what", "description of a machine"}}, error.what());
    }
}

} // namespace ringmaster
