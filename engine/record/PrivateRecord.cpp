#include "engine/record/PrivateRecord.h"

#include "engine/base/Files.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace ringmaster {

namespace {

using Json = nlohmann::json;

constexpr size_t LargestRecord = 16U << 20U;

Json readJson(const std::filesystem::path& file)
{
    const auto text = readFile(file, LargestRecord);
    return text ? Json::parse(*text, nullptr, false) : Json();
}

Result<void> writeJson(const std::filesystem::path& file, const Json& json)
{
    return writeFileAtomically(file, json.dump(-1, ' ', false, Json::error_handler_t::replace),
                               0600, Durability::Relaxed);
}

} // namespace

Result<void> PrivateRecord::keepJob(const RunStarted& started) const
{
    return writeJson(m_job, {{"jobFile", started.jobFile}, {"torchrunLine", started.torchrunLine}});
}

Result<void> PrivateRecord::keepInherited(const EnvironmentMap& environment) const
{
    Secrets secrets;
    addInherited(secrets, environment);
    if (secrets.fingerprints.empty())
        return {};
    Json all = Json::array();
    for (const Secrets::Fingerprint& each : secrets.fingerprints)
        all.push_back({each.length, each.hash});
    return writeJson(m_inherited,
                     {{"key", secrets.key}, {"names", secrets.names}, {"fingerprints", all}});
}

void PrivateRecord::restore(RunStarted& started) const
{
    const Json kept = readJson(m_job);
    if (!kept.is_object())
        return;
    started.jobFile = kept.value("jobFile", started.jobFile);
    started.torchrunLine = kept.value("torchrunLine", started.torchrunLine);
}

void PrivateRecord::addTo(Secrets& secrets) const
{
    const Json kept = readJson(m_inherited);
    try {
        for (const Json& each : kept.at("fingerprints"))
            secrets.fingerprints.push_back({each.at(0), each.at(1)});
        secrets.key = kept.at("key");
        for (const Json& name : kept.at("names"))
            secrets.names.push_back(name);
        std::ranges::sort(secrets.names);
        secrets.names.erase(std::unique(secrets.names.begin(), secrets.names.end()),
                            secrets.names.end());
    } catch (const Json::exception&) { // there is none, or a hand has written it
        secrets.fingerprints.clear();
    }
}

} // namespace ringmaster
