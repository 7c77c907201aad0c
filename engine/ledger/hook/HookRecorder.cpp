#include "engine/ledger/hook/HookRecorder.h"

#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster::ledger {

namespace {

constexpr int DeepestFamily = 64;

/// 0: there is no such process.
pid_t parentOf(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    // The name, in brackets, may itself hold brackets and spaces.
    const std::size_t name = text.rfind(") ");
    pid_t parent = 0;
    char state = 0;
    if (name != std::string::npos)
        std::istringstream(text.substr(name + 2)) >> state >> parent;
    return parent;
}

/// A rank leads its session: what it has started is in it, or descends from it.
bool isChildOf(pid_t rank)
{
    pid_t at = ::getpid();
    if (at != rank && ::getsid(0) == rank)
        return true;
    for (int depth = 0; depth < DeepestFamily && at > 1; ++depth) {
        at = parentOf(at);
        if (at == rank)
            return true;
    }
    return false;
}

std::string reasonOf(const LedgerWriter::Attached& refused, const char* path)
{
    const std::string found = std::to_string(refused.found);
    switch (refused.refusal) {
    case LedgerWriter::Refusal::None: return {};
    case LedgerWriter::Refusal::NotReadable:
        return std::string(path) +
               " can't be opened: " + std::strerror(static_cast<int>(refused.found));
    case LedgerWriter::Refusal::NotOne: return std::string(path) + " isn't a ledger";
    case LedgerWriter::Refusal::OtherVersion:
        return "the ledger has version " + found + ", this recorder knows " +
               std::to_string(Version);
    case LedgerWriter::Refusal::Taken:
        if (isChildOf(static_cast<pid_t>(refused.found)))
            return {};
        return "process " + found + " of this rank writes its ledger, and this is another one";
    }
    return {};
}

} // namespace

HookRecorder::Opened HookRecorder::open(const char* ledger, const char* bell, Recorder kind,
                                        const char* version)
{
    LedgerWriter::Attached attached = LedgerWriter::attach(ledger, kind, version);
    if (!attached.writer)
        return {nullptr, reasonOf(attached, ledger)};
    // Without a bell the agent looks less soon, nothing worse.
    if (bell != nullptr && *bell != '\0')
        attached.writer->setBell(::open(bell, O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    return {std::unique_ptr<HookRecorder>(new HookRecorder(std::move(attached.writer))), {}};
}

HookRecorder::HookRecorder(std::unique_ptr<LedgerWriter> writer) : m_writer(std::move(writer))
{
    if (m_python)
        m_sites.emplace(*m_writer, *m_python);
}

void HookRecorder::describeGroup(const std::string& name, const std::vector<std::int32_t>& members)
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    m_described[name] = m_writer->addGroup(name, members);
    ++m_epoch;
}

HookRecorder::Group& HookRecorder::groupOf(const void* key, const std::string& name)
{
    Group& group = m_groups[key];
    if (group.epoch == m_epoch)
        return group;
    const auto described = m_described.find(name);
    const bool isKnown = group.epoch != 0;
    // One that was made behind our back has a name and no members.
    const std::uint32_t now = described != m_described.end()
                                  ? described->second
                                  : m_described[name] =
                                        m_writer->addGroup(name, std::vector<std::int32_t>());
    if (!isKnown || group.group != now)
        group = {};
    group.group = now;
    group.epoch = m_epoch;
    return group;
}

void HookRecorder::number(Call& call, const void* key, const std::string& name)
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    Group& group = groupOf(key, name);
    call.group = group.group;
    if (!isPointToPoint(call.kind)) {
        call.number = ++group.collectives;
        return;
    }
    if (group.pointToPoint.size() >= MostPairs)
        group.pointToPoint.clear();
    call.number = ++group.pointToPoint[{call.kind, call.peer, call.tag}];
}

std::uint64_t HookRecorder::makesGroup(OperationKind kind, const std::vector<std::int32_t>& members)
{
    Call call;
    call.kind = kind;
    call.caller = Caller::Waits;
    call.site = siteHere();
    call.number = 1;
    const std::lock_guard<std::mutex> guard(m_mutex);
    const char* what = kind == OperationKind::InitProcessGroup ? "init_process_group" : "new_group";
    call.group = m_writer->addGroup(what + (" " + std::to_string(++m_groupsMade)), members);
    const std::int64_t now = monotonicNs();
    const std::uint64_t operation = m_writer->begin(call, now);
    m_making[operation] = {call, now};
    return operation;
}

void HookRecorder::madeGroup(std::uint64_t operation, bool failed)
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    const auto made = m_making.extract(operation);
    if (made)
        m_writer->end(operation, made.mapped().first, made.mapped().second, 0, monotonicNs(),
                      failed);
}

} // namespace ringmaster::ledger
