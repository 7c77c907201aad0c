#include "engine/attach/RankLedger.h"

#include "engine/base/Files.h"

#include <charconv>
#include <filesystem>
#include <string>

#include <sys/stat.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestStatus = 64U << 10U;
constexpr int MostReadings = 64; ///< Of a rank that writes as fast as it is read.

/// As the process itself counts: in the innermost PID namespace. 0: nobody says.
pid_t ownNumberOf(pid_t pid)
{
    constexpr std::string_view Name = "\nNSpid:";
    const auto status = readFile("/proc/" + std::to_string(pid) + "/status", LongestStatus);
    const size_t at = status ? status->find(Name) : std::string::npos;
    if (at == std::string::npos)
        return 0;
    const std::string_view line =
        std::string_view(*status).substr(at + 1, status->find('\n', at + 1) - at - 1);
    const std::string_view last = line.substr(line.find_last_of(" \t") + 1);
    pid_t number = 0;
    std::from_chars(last.data(), last.data() + last.size(), number);
    return number;
}

} // namespace

/// A child that was forked holds its parent's, too: who writes there decides.
std::unique_ptr<RankLedger> RankLedger::of(const ProcessIdentity& process)
{
    const fs::path folder = "/proc/" + std::to_string(process.pid);
    struct stat owner = {};
    if (::stat(folder.c_str(), &owner) != 0)
        return nullptr;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder / "fd", ignored)) {
        if (fs::read_symlink(entry.path(), ignored) != ledger::MemoryLink)
            continue;
        auto segment = LedgerSegment::open(entry.path(), owner.st_uid);
        if (!segment || !isAlive(process))
            continue;
        auto found = std::make_unique<RankLedger>(*std::move(segment));
        const int writer = found->m_reader.writer();
        if (writer != 0 && writer == ownNumberOf(process.pid))
            return found;
    }
    return nullptr;
}

RankLedger::RankLedger(LedgerSegment segment) : m_segment(std::move(segment)), m_reader(m_segment)
{
}

void RankLedger::read()
{
    std::vector<ledger::Record> records;
    const auto now = LedgerReader::Clock::now();
    for (int i = 0; i < MostReadings && m_reader.read(records, now) > 0; ++i) {
    }
    for (const LedgerGroup& group : m_reader.readGroups())
        m_track.described(group);
    for (const CallSite& site : m_reader.readSites())
        m_track.described(site);
    for (const ledger::Record& record : records) {
        if (const auto ended = m_decoder.take(record))
            m_track.seen(*ended);
        // One whose call has returned may go on, on a GPU.
        const auto running = m_decoder.running().find(record.operation);
        const bool mayRun =
            record.record == ledger::RecordKind::Open || record.record == ledger::RecordKind::Done;
        if (mayRun && running != m_decoder.running().end())
            m_track.seen(running->second);
    }
    m_decoder.giveUpReturns(INT64_MAX);
    (void)m_decoder.takeTold();
}

} // namespace ringmaster
