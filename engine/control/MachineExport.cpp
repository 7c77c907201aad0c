#include "engine/control/MachineExport.h"

#include "engine/control/Codes.h"
#include "engine/record/RunFolder.h"

#include <cerrno>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> notWritable(const fs::path& file, int error)
{
    return fail(code::FileNotWritable, {{"path", file.string()}}, errnoText(error));
}

/// Behind whatever else was said.
std::string lastLine(std::string text)
{
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    const size_t newline = text.rfind('\n');
    return newline == std::string::npos ? text : text.substr(newline + 1);
}

} // namespace

MachineExport::MachineExport(LoopThread& loop, LoopThread& ways, Request request,
                             std::function<void(Result<Outcome>)> answer)
    : m_loop(loop)
    , m_ways(ways)
    , m_request(std::move(request))
    , m_answer(std::move(answer), "exporting a run of " + m_request.machine)
{
}

MachineExport::~MachineExport()
{
    end();
}

void MachineExport::start()
{
    m_ways.post([self = shared_from_this()] {
        auto machine =
            std::make_shared<Result<RemoteMachine>>(RemoteMachine::find(self->m_request.machine));
        self->m_loop.post([self, machine] { self->found(*machine); });
    });
}

void MachineExport::end()
{
    m_isEnded = true;
    const auto self = std::move(m_self);
    m_command.reset();
    if (!m_partial.empty())
        ::unlink(std::exchange(m_partial, {}).c_str());
}

void MachineExport::found(const Result<RemoteMachine>& machine)
{
    if (m_isEnded)
        return;
    const auto begun = machine ? begin(*machine) : tl::unexpected(machine.error());
    if (!begun)
        give(tl::unexpected(begun.error()));
}

Result<void> MachineExport::begin(const RemoteMachine& machine)
{
    std::string partial = m_request.file.empty() ? fs::path(m_request.run + ".ringrun").string()
                                                 : m_request.file.string();
    partial += ".XXXXXX";
    m_file = FileDescriptor(::mkostemp(partial.data(), O_CLOEXEC));
    if (!m_file.isOpen())
        return notWritable(partial, errno);
    m_partial = partial;
    CommandRequest request{.words = {"export", m_request.run, "--output", "-", "--json"}};
    request.words.insert(request.words.end(), m_request.options.begin(), m_request.options.end());
    m_self = shared_from_this();
    m_command = RM_TRY(RemoteCommand::start(m_loop.loop(), *this,
                                            machine.wayTo({"command"}, CommandSentinel), request));
    return {};
}

void MachineExport::commandTold(const Message& progress)
{
    if (m_request.told)
        m_request.told(progress);
}

void MachineExport::commandPrinted(Stream stream, std::string_view bytes)
{
    constexpr size_t Longest = 64U << 10U;
    if (stream == Stream::Stderr) {
        m_said += bytes;
        if (m_said.size() > Longest)
            m_said.erase(0, m_said.size() - Longest); // the end has the report
        return;
    }
    m_bytes += bytes.size();
    while (!bytes.empty() && !m_failure) {
        const ssize_t written = ::write(m_file.get(), bytes.data(), bytes.size());
        if (written >= 0)
            bytes.remove_prefix(static_cast<size_t>(written));
        else if (errno != EINTR)
            m_failure = notWritable(m_partial, errno).value();
    }
}

void MachineExport::commandEnded(const Result<int>& exitCode)
{
    m_loop.post([self = shared_from_this(),
                 command = std::shared_ptr<RemoteCommand>(std::move(m_command))] {});
    if (!exitCode)
        return give(tl::unexpected(exitCode.error()));
    give(finish(*exitCode));
}

Result<MachineExport::Outcome> MachineExport::finish(int exitCode)
{
    if (m_failure)
        return tl::unexpected(*m_failure);
    if (exitCode != 0)
        return fail(
            code::ExportThereFailed,
            {{"host", m_request.machine}, {"status", "exit code " + std::to_string(exitCode)}},
            m_said);
    const auto report = nlohmann::json::parse(lastLine(m_said), nullptr, false);
    const auto countOf = [&report](const char* name) -> std::uint64_t {
        const auto found = report.find(name);
        return found != report.end() && found->is_number_unsigned() ? found->get<std::uint64_t>()
                                                                    : 0;
    };
    const std::string run =
        report.is_object() && report.contains("run") && report["run"].is_string()
            ? report["run"].get<std::string>()
            : std::string();
    // What is cut off, or no file of a run, is no export.
    if (!RunFolder::isId(run) || countOf("fileBytes") != m_bytes)
        return fail(code::RemoteCommandMalformed, {{"host", m_request.machine}});
    Outcome outcome{.report = {.events = countOf("events"),
                               .logBytes = countOf("logBytes"),
                               .omittedLogBytes = countOf("omittedLogBytes"),
                               .fileBytes = m_bytes},
                    .file = m_request.file.empty() ? fs::path(run + ".ringrun") : m_request.file};
    if (const auto names = report.find("maskedNames"); names != report.end() && names->is_array())
        for (const auto& name : *names)
            if (name.is_string())
                outcome.report.maskedNames.push_back(name.get<std::string>());
    if (::rename(m_partial.c_str(), outcome.file.c_str()) != 0)
        return notWritable(outcome.file, errno);
    m_partial.clear();
    return outcome;
}

void MachineExport::give(Result<Outcome> outcome)
{
    end();
    m_answer(std::move(outcome));
}

} // namespace ringmaster
