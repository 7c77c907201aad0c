#include "tests/app/FakeCluster.h"

#include "engine/base/Codes.h"
#include "engine/record/NumberTally.h"

#include <algorithm>
#include <future>

namespace ringmaster {

FakeCluster::FakeCluster() : m_thread([this] { work(); }) {}

FakeCluster::~FakeCluster()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void FakeCluster::work()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_isStopping || !m_tasks.empty(); });
        if (m_tasks.empty())
            return;
        const auto task = std::move(m_tasks.front());
        m_tasks.pop_front();
        lock.unlock();
        task();
        lock.lock();
    }
}

void FakeCluster::post(std::function<void()> task)
{
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_wake.notify_all();
}

void FakeCluster::settle()
{
    std::promise<void> done;
    post([&done] { done.set_value(); });
    done.get_future().wait();
}

Subscription FakeCluster::cancelOnThread(std::function<void()> erase)
{
    // Callbacks run on our thread only: once it has erased this one, none runs any more.
    return Subscription([this, erase = std::move(erase)] {
        std::promise<void> done;
        post([&] {
            {
                const std::lock_guard lock(m_mutex);
                erase();
            }
            done.set_value();
        });
        done.get_future().wait();
    });
}

void FakeCluster::setRun(const RunSummary& summary)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto found = std::ranges::find(m_runs, summary.id, &RunSummary::id);
        if (found != m_runs.end())
            *found = summary;
        else
            m_runs.insert(m_runs.begin(), summary);
    }
    post([this] {
        std::map<int, std::function<void()>> watchers;
        {
            const std::lock_guard lock(m_mutex);
            watchers = m_watchers;
        }
        for (const auto& [key, changed] : watchers)
            changed();
    });
}

void FakeCluster::publish(const std::string& run, Moment at, EventBody body)
{
    publish(run, {{at, std::move(body)}});
}

void FakeCluster::publish(const std::string& run, std::vector<std::pair<Moment, EventBody>> bodies,
                          const Teller& teller)
{
    post([this, run, teller, bodies = std::move(bodies)]() mutable {
        std::vector<Event> batch;
        std::vector<Follower> followers;
        {
            const std::lock_guard lock(m_mutex);
            std::vector<Event>& events = m_events[run];
            for (auto& [at, body] : bodies) {
                const std::uint64_t sequence = events.size() + 1;
                const EventId id{run, teller.agent, sequence};
                events.push_back({id, sequence, at, teller.node, "boot", std::move(body)});
                batch.push_back(events.back());
            }
            for (const auto& [key, follower] : m_followers) {
                if (follower.run == run)
                    followers.push_back(follower);
            }
        }
        for (const Follower& follower : followers)
            follower.events(batch);
    });
}

void FakeCluster::print(const std::string& run, Moment at, int rank, const std::string& bytes,
                        Stream stream, int attempt)
{
    const std::lock_guard lock(m_mutex);
    std::vector<LogChunk>& log = m_logs[run];
    std::uint64_t& size = m_logSizes[{run, rank, stream, attempt}];
    log.push_back({log.size() + 1, at, attempt, rank, stream, size, bytes});
    size += bytes.size();
}

void FakeCluster::endRun(const std::string& run, const Result<void>& result)
{
    post([this, run, result] {
        std::vector<Follower> followers;
        {
            const std::lock_guard lock(m_mutex);
            for (const auto& [key, follower] : m_followers) {
                if (follower.run == run)
                    followers.push_back(follower);
            }
        }
        for (const Follower& follower : followers)
            follower.ended(result);
    });
}

void FakeCluster::answerLaunchWith(Result<std::string> answer)
{
    const std::lock_guard lock(m_mutex);
    m_launchAnswer = std::move(answer);
}

void FakeCluster::answerCommandsWith(Result<void> answer)
{
    const std::lock_guard lock(m_mutex);
    m_commandAnswer = std::move(answer);
}

std::vector<std::pair<std::string, Command>> FakeCluster::commands() const
{
    const std::lock_guard lock(m_mutex);
    return m_commands;
}

std::vector<JobSpec> FakeCluster::launched() const
{
    const std::lock_guard lock(m_mutex);
    return m_launched;
}

std::vector<std::string> FakeCluster::removed() const
{
    const std::lock_guard lock(m_mutex);
    return m_removed;
}

int FakeCluster::logReads() const
{
    const std::lock_guard lock(m_mutex);
    return m_logReads;
}

int FakeCluster::operationReads() const
{
    const std::lock_guard lock(m_mutex);
    return m_operationReads;
}

std::uint64_t FakeCluster::sequenceOf(const std::string& run) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_events.find(run);
    return found == m_events.end() ? 0 : found->second.size();
}

std::vector<RunSummary> FakeCluster::runs() const
{
    const std::lock_guard lock(m_mutex);
    return m_runs;
}

Subscription FakeCluster::onRunsChanged(std::function<void()> changed)
{
    const std::lock_guard lock(m_mutex);
    const int key = m_nextKey++;
    m_watchers[key] = std::move(changed);
    return cancelOnThread([this, key] { m_watchers.erase(key); });
}

Subscription FakeCluster::follow(const std::string& run, std::uint64_t sequence,
                                 std::function<void(std::vector<Event>)> events,
                                 std::function<void(Result<void>)> ended)
{
    int key = 0;
    {
        const std::lock_guard lock(m_mutex);
        key = m_nextKey++;
    }
    post([this, key, run, sequence, events, ended] {
        std::vector<Event> recorded;
        {
            const std::lock_guard lock(m_mutex);
            const std::vector<Event>& all = m_events[run];
            const auto skipped = std::min<std::uint64_t>(sequence, all.size());
            recorded.assign(all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end());
            m_followers[key] = {run, events, ended};
        }
        if (!recorded.empty())
            events(recorded);
    });
    return cancelOnThread([this, key] { m_followers.erase(key); });
}

void FakeCluster::launch(const JobSpec& spec, const LaunchOptions&, Answer<std::string> answer)
{
    post([this, spec, answer = std::move(answer)] {
        Result<std::string> result;
        {
            const std::lock_guard lock(m_mutex);
            m_launched.push_back(spec);
            result = m_launchAnswer;
        }
        answer(result);
    });
}

LogPage FakeCluster::pageOf(const std::string& run, const LogQuery& query) const
{
    LogPage page;
    const auto found = m_logs.find(run);
    if (found == m_logs.end())
        return page;
    const auto isWanted = [&](const LogChunk& chunk) {
        const bool isOfRank = query.ranks.empty() ||
                              std::ranges::find(query.ranks, chunk.globalRank) != query.ranks.end();
        return isOfRank && (query.attempt < 0 || chunk.attempt == query.attempt);
    };
    const std::vector<LogChunk>& log = found->second;
    const bool isForward = query.direction == LogQuery::Direction::Forward;
    size_t bytes = 0;
    const auto take = [&](const LogChunk& chunk) {
        if (isWanted(chunk) && bytes < query.maxBytes) {
            bytes += chunk.bytes.size();
            page.chunks.push_back(chunk);
        }
    };
    const auto begin = std::ranges::find_if(log, [&](const LogChunk& chunk) {
        return query.fromNs == 0 || chunk.at.monotonicNs >= query.fromNs;
    });
    const size_t after = query.fromNs == 0 ? query.cursor : size_t(begin - log.begin());
    for (size_t i = after; isForward && i < log.size() && bytes < query.maxBytes; ++i)
        take(log[i]);
    const size_t before = query.cursor == 0 ? log.size() : query.cursor - 1;
    for (size_t i = before; !isForward && i > 0 && bytes < query.maxBytes; --i)
        take(log[i - 1]);
    if (!isForward)
        std::ranges::reverse(page.chunks);
    const auto first = std::ranges::find_if(log, isWanted);
    const auto last = std::find_if(log.rbegin(), log.rend(), isWanted);
    page.firstCursor = first == log.end() ? 0 : first->cursor;
    page.lastCursor = last == log.rend() ? 0 : last->cursor;
    return page;
}

void FakeCluster::readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer)
{
    post([this, run, query, answer = std::move(answer)] {
        LogPage page;
        {
            const std::lock_guard lock(m_mutex);
            ++m_logReads;
            page = pageOf(run, query);
        }
        answer(std::move(page));
    });
}

void FakeCluster::searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                            Answer<LogSearchPage> answer)
{
    post([this, run, search = std::move(search), answer = std::move(answer)] {
        const auto read = [&](const LogQuery& query) -> Result<LogPage> {
            const std::lock_guard lock(m_mutex);
            return pageOf(run, query);
        };
        answer(search->advance(read, 1, false));
    });
}

void FakeCluster::readLogLines(const std::string& run, std::vector<LogPlace> places,
                               Answer<std::vector<LogLine>> answer)
{
    post([this, run, places = std::move(places), answer = std::move(answer)] {
        std::map<std::tuple<int, int, Stream>, std::string> files;
        {
            const std::lock_guard lock(m_mutex);
            for (const LogChunk& chunk : m_logs[run])
                files[{chunk.attempt, chunk.globalRank, chunk.stream}] += chunk.bytes;
        }
        std::vector<LogLine> lines;
        for (const LogPlace& place : places) {
            const std::string_view file = files[{place.attempt, place.globalRank, place.stream}];
            const size_t begin = std::min<size_t>(place.offset, file.size());
            lines.push_back(lineOf(place, file.substr(begin, place.length)));
        }
        answer(std::move(lines));
    });
}

void FakeCluster::readNumbers(const std::string& run, const std::vector<std::string>& names,
                              Answer<NumberSummary> answer)
{
    post([this, run, names, answer = std::move(answer)] {
        NumberTally tally;
        std::int64_t lastWallNs = 0;
        {
            const std::lock_guard lock(m_mutex);
            for (const LogChunk& chunk : m_logs[run]) {
                tally.add(chunk);
                lastWallNs = chunk.at.wallNs;
            }
        }
        tally.readAll();
        answer(tally.summary(names, lastWallNs));
    });
}

void FakeCluster::readLastNumbers(const std::string& run, Answer<NumberSummary> answer)
{
    readNumbers(run, {}, std::move(answer));
}

void FakeCluster::setOperations(const std::string& run, OperationSummary summary)
{
    const std::lock_guard lock(m_mutex);
    m_operations[run] = std::move(summary);
}

/// Of a range there is as much as it is of the whole.
void FakeCluster::narrow(OperationSummary& summary, OperationSummary::TimeRange range)
{
    const std::int64_t length = std::min(range.untilNs - range.fromNs, summary.wallNs);
    const double part = static_cast<double>(length) / static_cast<double>(summary.wallNs);
    const auto of = [part](auto& whole) {
        whole = static_cast<std::remove_reference_t<decltype(whole)>>(static_cast<double>(whole) *
                                                                      part);
    };
    for (diagnose::BandwidthRow& row : summary.rows) {
        of(row.count);
        of(row.bytes);
        of(row.transferNs);
        of(row.feltNs);
    }
    summary.range = range;
    summary.wallNs = length;
}

void FakeCluster::readOperations(const std::string& run,
                                 std::optional<OperationSummary::TimeRange> range,
                                 Answer<OperationSummary> answer)
{
    post([this, run, range, answer = std::move(answer)] {
        OperationSummary summary;
        {
            const std::lock_guard lock(m_mutex);
            ++m_operationReads;
            summary = m_operations[run];
        }
        if (range && summary.wallNs > 0)
            narrow(summary, *range);
        answer(std::move(summary));
    });
}

void FakeCluster::setPlaces(const std::string& run, RankPlaces places)
{
    const std::lock_guard lock(m_mutex);
    m_places[run] = std::move(places);
}

int FakeCluster::rankLooks() const
{
    const std::lock_guard lock(m_mutex);
    return m_rankLooks;
}

void FakeCluster::lookAtRanks(const std::string& run, Answer<RankPlaces> answer)
{
    post([this, run, answer = std::move(answer)] {
        RankPlaces places;
        {
            const std::lock_guard lock(m_mutex);
            ++m_rankLooks;
            places = m_places[run];
        }
        answer(std::move(places));
    });
}

void FakeCluster::setStacks(const std::string& run, KeptEvidence stacks)
{
    const std::lock_guard lock(m_mutex);
    m_stacks[run] = std::move(stacks);
}

void FakeCluster::takeStacks(const std::string& run, Answer<KeptEvidence> answer)
{
    post([this, run, answer = std::move(answer)] {
        KeptEvidence stacks;
        {
            const std::lock_guard lock(m_mutex);
            stacks = m_stacks[run];
        }
        answer(std::move(stacks));
    });
}

void FakeCluster::send(const std::string& run, const Command& command, Answer<void> answer)
{
    post([this, run, command, answer = std::move(answer)] {
        Result<void> result;
        {
            const std::lock_guard lock(m_mutex);
            m_commands.emplace_back(run, command);
            result = m_commandAnswer;
        }
        answer(result);
    });
}

void FakeCluster::openFile(const std::filesystem::path& file, Answer<std::string> answer)
{
    post([file, answer = std::move(answer)] {
        if (file.extension() == ".ringrun")
            answer(file.stem().string());
        else
            answer(fail(code::FileNotReadable, {{"path", file.string()}}));
    });
}

void FakeCluster::remove(const std::string& run, Answer<void> answer)
{
    {
        const std::lock_guard lock(m_mutex);
        m_removed.push_back(run);
        std::erase_if(m_runs, [&](const RunSummary& summary) { return summary.id == run; });
    }
    post([answer = std::move(answer)] { answer({}); });
}

void FakeCluster::setPinned(const std::string& run, bool pinned, Answer<void> answer)
{
    change(run, [pinned](RunSummary& summary) { summary.isPinned = pinned; });
    post([answer = std::move(answer)] { answer({}); });
}

void FakeCluster::setLabels(const std::string& run, const RunLabels& labels, Answer<void> answer)
{
    change(run, [&labels](RunSummary& summary) { summary.labels = tidied(labels); });
    post([answer = std::move(answer)] { answer({}); });
}

void FakeCluster::change(const std::string& run, const std::function<void(RunSummary&)>& edit)
{
    std::optional<RunSummary> changed;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = std::ranges::find(m_runs, run, &RunSummary::id);
        if (found == m_runs.end())
            return;
        changed = *found;
    }
    edit(*changed);
    setRun(*changed);
}

void FakeCluster::exportRun(const std::string& run, const std::filesystem::path& file,
                            Answer<ExportReport> answer)
{
    post([this, run, file, answer = std::move(answer)] {
        {
            const std::lock_guard lock(m_mutex);
            m_exported.emplace_back(run, file);
        }
        answer(ExportReport{.events = 3, .fileBytes = 4096});
    });
}

std::vector<std::pair<std::string, std::filesystem::path>> FakeCluster::exported() const
{
    const std::lock_guard lock(m_mutex);
    return m_exported;
}

void FakeCluster::setFigures(const std::string& run, RunFigures figures)
{
    const std::lock_guard lock(m_mutex);
    m_figures[run] = std::move(figures);
}

void FakeCluster::readFigures(const std::string& run, Answer<RunFigures> answer)
{
    post([this, run, answer = std::move(answer)] {
        RunFigures figures;
        {
            const std::lock_guard lock(m_mutex);
            figures = m_figures[run];
        }
        answer(std::move(figures));
    });
}

void FakeCluster::setComparedRun(ComparedRun run)
{
    const std::lock_guard lock(m_mutex);
    m_compared[run.id] = std::move(run);
}

void FakeCluster::readComparedRun(const std::string& run, const std::vector<std::string>& names,
                                  Answer<ComparedRun> answer)
{
    post([this, run, names, answer = std::move(answer)] {
        ComparedRun compared;
        {
            const std::lock_guard lock(m_mutex);
            compared = m_compared[run];
        }
        std::erase_if(compared.numbers.lines, [&](const NumberSummary::Line& line) {
            return !names.empty() && std::ranges::find(names, line.name) == names.end();
        });
        answer(std::move(compared));
    });
}

} // namespace ringmaster
