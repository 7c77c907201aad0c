#include "engine/export/TrainJob.h"

#include "engine/export/Codes.h"
#include "engine/export/PlacedLine.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

namespace ringmaster {

namespace {

using Json = nlohmann::ordered_json;

/// Kubernetes' names of objects: lower case letters, digits and dashes, at most 63; a TrainJob's
/// pods need some of them for themselves.
std::string objectName(const std::string& text)
{
    constexpr size_t Longest = 40;
    std::string name;
    for (const char c : text) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (isPlain)
            name += c;
        else if (c >= 'A' && c <= 'Z')
            name += static_cast<char>(c - 'A' + 'a');
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    name.resize(std::min(name.size(), Longest));
    while (name.ends_with('-'))
        name.pop_back();
    if (name.empty())
        return "job";
    // It has to begin with a letter.
    return name.front() <= '9' ? "job-" + name : name;
}

/// As it is, where Kubernetes takes $(NAME) for a variable and $$ for $.
std::string literal(const std::string& text)
{
    std::string doubled;
    for (const char c : text)
        doubled.append(c == '$' ? 2U : 1U, c);
    return doubled;
}

class ManifestWriter
{
public:
    ManifestWriter(const JobSpec& spec, const std::string& runtime, PlacedLine line)
        : m_spec(spec)
        , m_role(spec.roles.front())
        , m_runtime(runtime)
        , m_line(std::move(line))
        , m_name(objectName(spec.displayName()))
    {
    }

    TrainJobManifest write()
    {
        if (m_spec.nodes.min != m_spec.nodes.max)
            cannotSay("nodes",
                      std::to_string(m_spec.nodes.min) + ":" + std::to_string(m_spec.nodes.max));
        if (!m_role.workingFolder.empty())
            cannotSay("working_folder", m_role.workingFolder);
        const Json manifest{
            {"apiVersion", "trainer.kubeflow.org/v1alpha1"},
            {"kind", "TrainJob"},
            {"metadata", {{"name", m_name}}},
            {"spec", {{"runtimeRef", {{"name", m_runtime}}}, {"trainer", trainer()}}}};
        const auto lossy = Json::error_handler_t::replace;
        return {manifest.dump(2, ' ', false, lossy) + "\n", cannotSayAll(),
                std::move(m_line.needs)};
    }

private:
    Json trainer();
    Json arguments() const;
    Json environment() const;
    std::vector<Message> cannotSayAll();
    void cannotSay(const std::string& what, const std::string& value)
    {
        m_line.cannotSay.push_back(
            {code::ManifestCannotSay, {{"what", what}, {"value", value}}, {}});
    }

    const JobSpec& m_spec;
    const Role& m_role;
    const std::string& m_runtime;
    PlacedLine m_line;
    std::string m_name;
};

Json ManifestWriter::trainer()
{
    Json trainer{{"image", m_role.image}, {"numNodes", m_spec.nodes.max}};
    switch (m_role.workers.kind) {
    case WorkerCount::Kind::Number: trainer["numProcPerNode"] = m_role.workers.number; break;
    // The runtime counts where nothing is said.
    case WorkerCount::Kind::Auto:
    case WorkerCount::Kind::Gpu:
    case WorkerCount::Kind::Cpu:
    case WorkerCount::Kind::Xpu: break;
    }
    std::vector<std::string> command;
    for (const auto* words : {&m_line.torchrun, &m_line.options})
        std::ranges::transform(*words, std::back_inserter(command), literal);
    trainer["command"] = command;
    trainer["args"] = arguments();
    if (Json variables = environment(); !variables.empty())
        trainer["env"] = std::move(variables);
    const int devices = m_role.workers.kind == WorkerCount::Kind::Number
                            ? m_role.devicesPerWorker * m_role.workers.number
                            : 0;
    if (devices > 0)
        trainer["resourcesPerNode"] = {{"limits", {{"nvidia.com/gpu", std::to_string(devices)}}}};
    return trainer;
}

/// Kubernetes puts the value of a variable in the place of $(NAME).
Json ManifestWriter::arguments() const
{
    Json words = Json::array();
    for (const PlacedLine::Word& word : m_line.program) {
        std::string text;
        for (const PlacedLine::Part& part : word)
            text += part.isVariable ? "$(" + part.text + ")" : literal(part.text);
        words.push_back(text);
    }
    return words;
}

Json ManifestWriter::environment() const
{
    Json variables = Json::array();
    for (const auto& [name, value] : m_line.environment)
        variables.push_back({{"name", name}, {"value", literal(value)}});
    for (const std::string& name : m_line.secrets)
        variables.push_back(
            {{"name", name}, {"valueFrom", {{"secretKeyRef", {{"name", m_name}, {"key", name}}}}}});
    return variables;
}

std::vector<Message> ManifestWriter::cannotSayAll()
{
    std::vector<Message> all;
    for (Message& message : m_line.cannotSay)
        if (message.parameters["what"] != "image") // a line can't, this can
            all.push_back(std::move(message));
    for (const std::string& name : m_line.secrets)
        all.push_back({code::ManifestNeedsSecret, {{"name", name}, {"secret", m_name}}, {}});
    return all;
}

} // namespace

Result<TrainJobManifest> toTrainJob(const JobSpec& asked, const std::string& runtime)
{
    const JobSpec spec = RM_TRY(withCountOfHosts(asked));
    if (spec.roles.front().image.empty())
        return fail(code::ManifestNeedsImage);
    return ManifestWriter(spec, runtime, RM_TRY(placedLine(spec))).write();
}

} // namespace ringmaster
