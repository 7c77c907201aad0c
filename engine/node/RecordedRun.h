#pragma once

#include "engine/control/ControlServer.h"
#include "engine/node/RankActivityCache.h"
#include "engine/record/RunFileWriter.h"
#include "engine/record/RunFolder.h"

#include <atomic>
#include <optional>

namespace ringmaster {

/// The run file of this agent, read beside its writer for those who ask the control server, and
/// what its ranks are in now.
class RecordedRun : public ControlServer::Recording
{
public:
    /// `writer`: who still writes it; null: nobody does.
    RecordedRun(RunFolder folder, RankActivityCache& rankActivities,
                RunFileWriter* writer = nullptr)
        : m_folder(std::move(folder)), m_rankActivities(rankActivities), m_writer(writer)
    {
    }

    /// Whoever has heard of the end finds all there was in the file. Before they hear; any thread.
    void runEnds() { m_isWhole = false; }

    Result<std::vector<Event>> events(std::uint64_t after, size_t limit) override
    {
        return RM_TRY(reader())->events(after, {.events = limit});
    }

    Result<LogPage> log(const LogQuery& query) override { return RM_TRY(reader())->readLog(query); }

    Result<OperationPage> operations(std::uint64_t cursor) override
    {
        constexpr size_t BlocksAPage = 8; // an answer has to fit into one message
        auto page = RM_TRY(RM_TRY(reader())->operations(cursor, BlocksAPage));
        return OperationPage{std::move(page.rows), page.cursor};
    }

    std::vector<RankActivity> ranks(const std::vector<int>& stacks) override
    {
        return m_rankActivities.read(stacks);
    }

    /// With a reader of its own, which goes on from where it stopped.
    Result<RecordedMetrics> metrics() override
    {
        if (!m_metrics)
            m_metrics.emplace(RM_TRY(m_folder.openReader()));
        return m_metrics->read();
    }

private:
    Result<const RunFileReader*> reader()
    {
        // Here a disk that doesn't answer holds up only those who want to read from it.
        if (!m_isWhole.exchange(true) && m_writer != nullptr)
            (void)m_writer->flush();
        if (!m_reader)
            m_reader = RM_TRY(m_folder.openReader());
        return &*m_reader;
    }

    RunFolder m_folder;
    RankActivityCache& m_rankActivities;
    RunFileWriter* m_writer;
    std::atomic<bool> m_isWhole{true}; ///< Nothing that must be in the file waits beside it.
    std::optional<RunFileReader> m_reader;
    std::optional<RecordedMetricsReader> m_metrics; ///< Only once somebody has asked.
};

} // namespace ringmaster
