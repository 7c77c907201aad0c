#include "engine/control/MachineClient.h"

#include "engine/base/Clock.h"
#include "engine/base/Version.h"
#include "engine/control/FiguresProto.h"
#include "engine/control/ForeignJobProto.h"
#include "engine/control/LogProto.h"
#include "engine/control/MachineProto.h"
#include "engine/control/ReadingProto.h"
#include "engine/control/RpcConnection.h"
#include "engine/control/StreamReader.h"
#include "engine/event/Proto.h"

#include <machine.grpc.pb.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Stacks of all ranks take up to seconds there, and the way as long again.
constexpr auto Patience = 30s;
/// All of its log is read there.
constexpr auto ComparedPatience = 5min;

Result<void> applyTo(MachineClient::Runs& runs, const v1::RunListChange& change)
{
    for (const auto& proto : change.changed()) {
        RunSummary run = RM_TRY(ringmaster::fromProto(proto));
        runs[run.id] = std::move(run);
    }
    for (const std::string& id : change.gone())
        runs.erase(id);
    if (runs.size() > MachineClient::MostRuns)
        return fail(code::MalformedMessage, {{"what", "list of runs"}});
    return {};
}

template <class Reply>
Result<void> done(const Reply& /*reply*/)
{
    return {};
}

} // namespace

class MachineClient::Connection : public StubConnection<v1::Machine>
{
public:
    using StubConnection::StubConnection;
};

MachineClient::MachineClient(FileDescriptor connection, std::string machine, RpcQueue& queue)
    : m_connection(std::make_shared<Connection>(std::move(connection), queue))
    , m_machine(std::move(machine))
{
}

MachineClient::~MachineClient()
{
    m_connection->end();
}

Subscription MachineClient::watchRuns(std::function<void(const Runs&)> changed,
                                      std::function<void(Result<void>)> ended)
{
    auto reader = std::make_shared<StreamReader<v1::RunListChange>>(
        m_connection, m_machine,
        [runs = std::make_shared<Runs>(), isComplete = std::make_shared<bool>(false),
         changed = std::move(changed)](const v1::RunListChange& change) -> Result<void> {
            RM_TRY(applyTo(*runs, change));
            *isComplete = *isComplete || change.is_complete();
            if (*isComplete)
                changed(*runs);
            return {};
        },
        std::move(ended));
    v1::WatchRunsRequest request;
    request.set_ringmaster_version(RINGMASTER_VERSION);
    reader->start([this, &request](grpc::ClientContext* context) {
        return m_connection->stub().PrepareAsyncWatchRuns(context, request, m_connection->queue());
    });
    return subscriptionTo(reader);
}

Subscription MachineClient::follow(const std::string& run, std::uint64_t sequence,
                                   std::function<void(std::vector<Event>)> events,
                                   std::function<void(Result<void>)> ended)
{
    auto reader = std::make_shared<StreamReader<v1::EventBatch>>(
        m_connection, run, eventsTo(std::move(events)), std::move(ended));
    v1::FollowRequest request;
    request.set_run(run);
    request.set_from_sequence(sequence);
    reader->start([this, &request](grpc::ClientContext* context) {
        return m_connection->stub().PrepareAsyncFollow(context, request, m_connection->queue());
    });
    return subscriptionTo(reader);
}

void MachineClient::readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer)
{
    v1::RunLogQuery request;
    request.set_run(run);
    toProto(query, *request.mutable_query());
    callOnce<LogPage, v1::RunLogQuery, v1::LogPage>(
        m_connection, &v1::Machine::Stub::PrepareAsyncReadLog, request, run, std::move(answer),
        [](const v1::LogPage& reply) { return fromProto(reply); }, Patience);
}

void MachineClient::readOperations(const std::string& run, const OperationPart::Query& query,
                                   Answer<OperationPart> answer)
{
    v1::OperationPartQuery request;
    request.set_run(run);
    request.set_cursor(query.cursor);
    request.set_wants_folds(query.wantsFolds);
    callOnce<OperationPart, v1::OperationPartQuery, v1::OperationPart>(
        m_connection, &v1::Machine::Stub::PrepareAsyncReadOperations, request, run,
        std::move(answer),
        [](const v1::OperationPart& reply) { return Result<OperationPart>(fromProto(reply)); },
        Patience);
}

void MachineClient::readLogLines(const std::string& run, const std::vector<LogPlace>& places,
                                 Answer<LogPage> answer)
{
    v1::LogPlaces request;
    request.set_run(run);
    toProto(places, request);
    callOnce<LogPage, v1::LogPlaces, v1::LogPage>(
        m_connection, &v1::Machine::Stub::PrepareAsyncReadLogLines, request, run, std::move(answer),
        [](const v1::LogPage& reply) { return fromProto(reply); }, Patience);
}

void MachineClient::searchLog(const std::string& run, const LogSearch& search,
                              Answer<LogSearchPage> answer)
{
    v1::LogSearchQuery request;
    request.set_run(run);
    toProto(search.query(), request);
    request.set_told(search.told());
    callOnce<LogSearchPage, v1::LogSearchQuery, v1::LogSearchPart>(
        m_connection, &v1::Machine::Stub::PrepareAsyncSearchLog, request, run, std::move(answer),
        [](const v1::LogSearchPart& reply) { return fromProto(reply); }, Patience);
}

void MachineClient::readNumbers(const std::string& run, const std::vector<std::string>& names,
                                std::uint64_t known, Answer<NumberNews> answer)
{
    v1::RunQuery request;
    request.set_run(run);
    for (const std::string& name : names)
        request.add_names(name);
    request.set_known(known);
    callOnce<NumberNews, v1::RunQuery, v1::LastNumbers>(
        m_connection, &v1::Machine::Stub::PrepareAsyncReadNumbers, request, run, std::move(answer),
        [](const v1::LastNumbers& reply) { return newsFromProto(reply); }, Patience);
}

void MachineClient::readComparedRun(const std::string& run, const std::vector<std::string>& names,
                                    Answer<ComparedRun> answer)
{
    v1::RunQuery request;
    request.set_run(run);
    for (const std::string& name : names)
        request.add_names(name);
    callOnce<ComparedRun, v1::RunQuery, v1::ComparedRun>(
        m_connection, &v1::Machine::Stub::PrepareAsyncReadComparedRun, request, run,
        std::move(answer), [](const v1::ComparedRun& reply) { return fromProto(reply); },
        ComparedPatience);
}

void MachineClient::readFigures(const std::string& run, Answer<RunFigures> answer)
{
    v1::RunQuery request;
    request.set_run(run);
    callOnce<RunFigures, v1::RunQuery, v1::RunFigures>(
        m_connection, &v1::Machine::Stub::PrepareAsyncReadFigures, request, run, std::move(answer),
        [](const v1::RunFigures& reply) { return fromProto(reply); }, Patience);
}

void MachineClient::readLastNumbers(const std::string& run, Answer<NumberSummary> answer)
{
    v1::RunQuery request;
    request.set_run(run);
    callOnce<NumberSummary, v1::RunQuery, v1::LastNumbers>(
        m_connection, &v1::Machine::Stub::PrepareAsyncReadLastNumbers, request, run,
        std::move(answer), [](const v1::LastNumbers& reply) { return fromProto(reply); }, Patience);
}

void MachineClient::lookAtRanks(const std::string& run, Answer<RankPlaces> answer)
{
    v1::RunQuery request;
    request.set_run(run);
    callOnce<RankPlaces, v1::RunQuery, v1::RankPlaces>(
        m_connection, &v1::Machine::Stub::PrepareAsyncLookAtRanks, request, run, std::move(answer),
        [](const v1::RankPlaces& reply) {
            return Result<RankPlaces>(fromProto(reply, SystemClock().now().monotonicNs));
        },
        Patience);
}

void MachineClient::takeStacks(const std::string& run, Answer<KeptEvidence> answer)
{
    v1::RunQuery request;
    request.set_run(run);
    callOnce<KeptEvidence, v1::RunQuery, v1::Stacks>(
        m_connection, &v1::Machine::Stub::PrepareAsyncTakeStacks, request, run, std::move(answer),
        [](const v1::Stacks& reply) { return fromProto(reply); }, Patience);
}

void MachineClient::send(const std::string& run, const Command& command, Answer<void> answer)
{
    v1::RunCommand request;
    request.set_run(run);
    toProto(command, *request.mutable_command());
    callOnce<void, v1::RunCommand, v1::SendReply>(
        m_connection, &v1::Machine::Stub::PrepareAsyncSend, request, run, std::move(answer),
        done<v1::SendReply>, Patience);
}

void MachineClient::findJobs(Answer<std::vector<WatchedJob>> answer)
{
    callOnce<std::vector<WatchedJob>, v1::ForeignJobsQuery, v1::ForeignJobs>(
        m_connection, &v1::Machine::Stub::PrepareAsyncFindForeignJobs, {}, m_machine,
        std::move(answer), [](const v1::ForeignJobs& reply) { return fromProto(reply); }, Patience);
}

void MachineClient::lookAtJob(const NamedJob& job, Answer<JobFindings> answer)
{
    v1::ForeignJobQuery request;
    toProto(job, request);
    callOnce<JobFindings, v1::ForeignJobQuery, v1::JobFindings>(
        m_connection, &v1::Machine::Stub::PrepareAsyncLookAtForeignJob, request, m_machine,
        std::move(answer), [](const v1::JobFindings& reply) { return fromProto(reply); }, Patience);
}

void MachineClient::endJob(const NamedJob& job, Answer<void> answer)
{
    v1::ForeignJobQuery request;
    toProto(job, request);
    callOnce<void, v1::ForeignJobQuery, v1::ForeignJobEnded>(
        m_connection, &v1::Machine::Stub::PrepareAsyncEndForeignJob, request, m_machine,
        std::move(answer), done<v1::ForeignJobEnded>, Patience);
}

void MachineClient::change(const v1::RunChange& request, Answer<void> answer)
{
    callOnce<void, v1::RunChange, v1::RunChanged>(
        m_connection, &v1::Machine::Stub::PrepareAsyncChange, request, request.run(),
        std::move(answer), done<v1::RunChanged>, Patience);
}

void MachineClient::remove(const std::string& run, Answer<void> answer)
{
    v1::RunChange request;
    request.set_run(run);
    request.set_is_removed(true);
    change(request, std::move(answer));
}

void MachineClient::setPinned(const std::string& run, bool pinned, Answer<void> answer)
{
    v1::RunChange request;
    request.set_run(run);
    request.set_is_pinned(pinned);
    change(request, std::move(answer));
}

void MachineClient::setLabels(const std::string& run, const RunLabels& labels, Answer<void> answer)
{
    v1::RunChange request;
    request.set_run(run);
    toProto(labels, *request.mutable_labels());
    change(request, std::move(answer));
}

} // namespace ringmaster
