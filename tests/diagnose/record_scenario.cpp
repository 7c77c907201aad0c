// record_scenario RANKS SECONDS FILE PROGRAM [ARGUMENT…]: runs a Python program on several ranks
// and writes what the diagnosis gets to see of it into FILE. See recordings/record.

#include "Recording.h"
#include "engine/base/Clock.h"
#include "engine/ledger/OperationDecoder.h"
#include "engine/node/ProcessWatch.h"
#include "engine/node/StackReader.h"
#include "tests/ledger/RecordedProgram.h"
#include "tests/support/TorchInterpreter.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>

#include <cstdio>
#include <filesystem>

using namespace ringmaster;
using namespace std::chrono_literals;
using diagnose::ProcessView;
using diagnose::RankView;
using diagnose::Recording;

namespace {

/// Nothing of the machine that it was recorded on.
std::string anywhere(const std::string& given)
{
    const std::string path = std::filesystem::path(given).lexically_normal();
    const std::pair<std::string, std::string> known[] = {
        {RINGMASTER_SOURCE_DIR "/tests/node/programs/", "/home/me/"},
        {RINGMASTER_SOURCE_DIR "/", "/home/me/"},
        {QFileInfo(test::torchInterpreter()).dir().path().section('/', 0, -2).toStdString() + "/",
         "/venv/"}};
    for (const auto& [here, there] : known) {
        if (path.starts_with(here))
            return there + path.substr(here.size());
    }
    return path;
}

struct Rank
{
    OperationDecoder decoder{};
    diagnose::RankTrack track{};
    ProcessWatch watch{};
    size_t read = 0;
    size_t groups = 0;
    size_t sites = 0;
};

class Recorder
{
public:
    Recorder(int ranks, const QString& program, const QStringList& arguments)
        : m_stacks(m_loop, m_folder.path().toStdString())
        , m_ranks(static_cast<size_t>(ranks))
        , m_program({.program = program,
                     .arguments = arguments,
                     .ranks = ranks,
                     .parts = [this](int rank) {
                         return std::vector<HookPart>{{"stacks", m_stacks.socketOf(0, rank)}};
                     }})
    {
        m_recording.ranks.resize(m_ranks.size());
        m_stacks.begin(0);
        m_diagnosis.begin(0);
    }

    Recording record(std::chrono::seconds duration)
    {
        m_recording.beganNs = SystemClock().now().monotonicNs;
        m_untilNs = m_recording.beganNs + std::chrono::nanoseconds(duration).count();
        look();
        m_loop.run();
        if (m_recording.hasFailed) {
            const std::int64_t nowNs = SystemClock().now().monotonicNs;
            for (Verdict& verdict : m_diagnosis.end(views(nowNs), nowNs))
                m_said.push_back(std::move(verdict));
        }
        for (size_t rank = 0; rank < m_ranks.size(); ++rank) {
            read(rank);
            OperationBatch& batch = m_recording.ranks[rank].operations;
            for (const auto& [id, running] : m_ranks[rank].decoder.running())
                batch.operations.push_back(running);
            std::ranges::sort(batch.operations, {}, &Operation::id);
            for (CallSite& site : batch.sites)
                site.file = anywhere(site.file);
        }
        m_recording.endedNs = SystemClock().now().monotonicNs;
        return m_recording;
    }

    const std::vector<Verdict>& said() const { return m_said; }
    QByteArray output() { return m_program.output(0); }

private:
    void read(size_t number)
    {
        Rank& rank = m_ranks[number];
        OperationBatch& batch = m_recording.ranks[number].operations;
        batch.rank = static_cast<int>(number);
        const auto& records = m_program.records(static_cast<int>(number));
        const auto& groups = m_program.groups(static_cast<int>(number));
        const auto& sites = m_program.sites(static_cast<int>(number));
        for (; rank.groups < groups.size(); ++rank.groups) {
            rank.track.described(groups[rank.groups]);
            batch.groups.push_back(groups[rank.groups]);
        }
        for (; rank.sites < sites.size(); ++rank.sites) {
            rank.track.described(sites[rank.sites]);
            batch.sites.push_back(sites[rank.sites]);
        }
        for (; rank.read < records.size(); ++rank.read) {
            const ledger::Record& record = records[rank.read];
            if (const auto ended = rank.decoder.take(record)) {
                rank.track.seen(*ended);
                batch.operations.push_back(*ended);
            }
            if (record.record == ledger::RecordKind::Open)
                rank.track.seen(rank.decoder.running().at(record.operation));
        }
    }

    std::vector<RankView> views(std::int64_t nowNs)
    {
        std::vector<RankView> views;
        ProcessTable processes;
        for (size_t number = 0; number < m_ranks.size(); ++number) {
            read(number);
            const auto pid =
                static_cast<int>(m_program.process(static_cast<int>(number)).processId());
            // Its exit is left to QProcess; until then it is a zombie, which is as dead.
            RankView view{.rank = static_cast<int>(number),
                          .isRecorded = true,
                          .track = &m_ranks[number].track,
                          .process = m_ranks[number].watch.look(pid, nowNs, processes)};
            if (pid == 0)
                view.process.state = ProcessView::State::Dead;
            if (const auto* reading = m_stacks.find(view.rank))
                view.process.stack = reading->stack;
            views.push_back(std::move(view));
        }
        return views;
    }

    /// One of them has: an agent would end the others now.
    bool hasFailed()
    {
        for (size_t rank = 0; rank < m_ranks.size(); ++rank) {
            QProcess& process = m_program.process(static_cast<int>(rank));
            if (process.waitForFinished(0) || process.state() == QProcess::NotRunning)
                m_recording.hasFailed |=
                    process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0;
        }
        return m_recording.hasFailed;
    }

    void look()
    {
        const std::int64_t nowNs = SystemClock().now().monotonicNs;
        if (hasFailed())
            return m_loop.stop();
        const std::vector<RankView> now = views(nowNs);
        std::vector<StackReader::Target> targets;
        bool isOver = true;
        for (const RankView& view : now) {
            Recording::Look look{nowNs, view.process};
            isOver = isOver && view.process.state == ProcessView::State::Dead;
            if (look.process.stack) {
                look.process.stack->text.clear();
                for (auto& frame : look.process.stack->frames)
                    frame.file = anywhere(frame.file);
            }
            m_recording.ranks[static_cast<size_t>(view.rank)].looks.push_back(std::move(look));
        }
        for (Verdict& verdict : m_diagnosis.look(now, nowNs))
            m_said.push_back(std::move(verdict));
        for (const int rank : m_diagnosis.stacksWanted()) {
            const ProcessView& process = now[static_cast<size_t>(rank)].process;
            if (process.state != ProcessView::State::Dead)
                targets.push_back(
                    {rank, process.pid, process.state == ProcessView::State::Stopped});
        }
        m_stacks.want(targets, nowNs);
        if (isOver || nowNs >= m_untilNs)
            return m_loop.stop();
        m_next = m_loop.callAfter(500ms, [this] { look(); });
    }

    QTemporaryDir m_folder;
    EventLoop m_loop;
    StackReader m_stacks;
    std::vector<Rank> m_ranks;
    RecordedProgram m_program;
    diagnose::Diagnosis m_diagnosis;
    std::vector<Verdict> m_said;
    Recording m_recording;
    std::int64_t m_untilNs = 0;
    EventLoop::Registration m_next;
};

} // namespace

int main(int count, char** arguments)
{
    const QCoreApplication application(count, arguments);
    const QStringList given = QCoreApplication::arguments();
    if (given.size() < 5) {
        std::fprintf(stderr, "record_scenario RANKS SECONDS FILE PROGRAM [ARGUMENT…]\n");
        return 2;
    }
    Recorder recorder(given[1].toInt(), given[4], given.mid(5));
    const Recording recording = recorder.record(std::chrono::seconds(given[2].toInt()));
    QFile file(given[3]);
    if (!file.open(QIODevice::WriteOnly) || file.write(written(recording)) < 0) {
        std::fprintf(stderr, "%s can't be written\n", qPrintable(given[3]));
        return 1;
    }
    std::printf("%s", recorder.output().constData());
    std::printf("%s: said live %s; replayed %s\n", qPrintable(given[3]),
                qPrintable(diagnose::judgementsIn(recorder.said(), true).join(", ")),
                qPrintable(diagnose::judgementsIn(diagnose::replay(recording), true).join(", ")));
    return 0;
}
