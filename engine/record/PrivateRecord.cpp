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

Result<void> PrivateRecord::keepInherited(const InheritedSecrets& secrets) const
{
    InheritedSecrets all = inherited();
    addInherited(all, secrets);
    if (all.values.empty() && all.names.empty())
        return {};
    Json values = Json::array();
    for (const SecretFingerprint& each : all.values)
        values.push_back({each.length, each.key, each.hash});
    return writeJson(m_inherited, {{"names", all.names}, {"values", values}});
}

InheritedSecrets PrivateRecord::inherited() const
{
    InheritedSecrets all;
    const Json kept = readJson(m_inherited);
    try {
        InheritedSecrets read;
        for (const Json& name : kept.at("names"))
            read.names.push_back(name);
        for (const Json& each : kept.at("values"))
            read.values.push_back({each.at(0), each.at(1), each.at(2)});
        addInherited(all, read);
    } catch (const Json::exception&) { // there is none, or a hand has written it
    }
    return all;
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
    InheritedSecrets all{secrets.names, secrets.fingerprints};
    addInherited(all, inherited());
    secrets.names = std::move(all.names);
    secrets.fingerprints = std::move(all.values);
}

} // namespace ringmaster
