#include "engine/control/MachineService.h"

#include "engine/base/Clock.h"
#include "engine/base/LoopThread.h"
#include "engine/control/FiguresProto.h"
#include "engine/control/ForeignJobProto.h"
#include "engine/control/LogProto.h"
#include "engine/control/MachineCalls.h"
#include "engine/control/MachineFiles.h"
#include "engine/control/MachineProto.h"
#include "engine/control/ReadingProto.h"
#include "engine/control/RpcStatus.h"
#include "engine/control/ServedJobs.h"
#include "engine/control/ServedSearches.h"
#include "engine/event/Proto.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto CallsPatience = 1s;
/// A long log is read on for so long before what it has so far is told.
constexpr std::chrono::nanoseconds NumbersPatience = 1s;

} // namespace

class MachineService::Impl : public std::enable_shared_from_this<Impl>
{
public:
    Impl(Cluster& cluster, std::filesystem::path runs)
        : m_files(std::move(runs)), m_service(m_thread.loop(), cluster, *this)
    {
    }

    void serve(FileDescriptor connection);
    void end();

private:
    class Service : public MachineRpc
    {
    public:
        Service(EventLoop& loop, Cluster& cluster, Impl& impl)
            : MachineRpc(loop, cluster), m_impl(impl)
        {
        }

    private:
        void awaitCalls() override { m_impl.awaitCalls(); }

        Impl& m_impl;
    };

    void awaitCalls();
    template <class Request, class Reply>
    void await(typename UnaryCall<MachineRpc, Request, Reply>::Accept accept,
               typename UnaryCall<MachineRpc, Request, Reply>::Handler handler);
    void change(const v1::RunChange& request, const Respond<v1::RunChanged>& respond);

    /// An answer of the Cluster, on this one's thread. It may come when the service is gone.
    template <class T, class Take>
    Cluster::Answer<T> here(Take take)
    {
        return [weak = weak_from_this(), take = std::move(take)](Result<T> result) {
            if (const auto alive = weak.lock())
                alive->m_thread.post(
                    [take, result = std::move(result)]() mutable { take(std::move(result)); });
        };
    }

    /// As that of an RPC.
    template <class T, class Reply>
    Cluster::Answer<T> answering(Respond<Reply> respond)
    {
        return [weak = weak_from_this(), respond = std::move(respond)](Result<T> result) {
            const auto alive = weak.lock();
            if (!alive)
                return;
            alive->m_thread.post([respond, result = std::move(result)] {
                Reply reply;
                if constexpr (std::is_same_v<T, RankPlaces>) {
                    if (result)
                        toProto(*result, SystemClock().now().monotonicNs, reply);
                } else if constexpr (!std::is_void_v<T>) {
                    if (result)
                        toProto(*result, reply);
                }
                respond(result ? grpc::Status::OK : toStatus(result.error()), reply);
            });
        };
    }

    /// What is read of files takes its time: on a thread for that.
    template <class T, class Reply, class Work>
    void onFiles(const Respond<Reply>& respond, Work work)
    {
        m_reading.post(
            [answer = answering<T>(respond), work = std::move(work)] { answer(work()); });
    }
    void awaitReads();
    void awaitJobs();
    /// What is asked about one of them.
    template <class Reply, class T>
    void awaitJob(typename UnaryCall<MachineRpc, v1::ForeignJobQuery, Reply>::Accept accept,
                  void (ServedJobs::*ask)(NamedJob, ServedJobs::Answer<T>));
    void search(const v1::LogSearchQuery& request, const Respond<v1::LogSearchPart>& respond);
    void numbers(const v1::RunQuery& request, const Respond<v1::LastNumbers>& respond,
                 std::int64_t untilNs);

    MachineFiles m_files; ///< Used on m_reading.
    ServedSearches m_searches;
    ServedJobs m_jobs;
    ToldNumbers m_numbers{static_cast<std::uint64_t>(SystemClock().now().wallNs)};
    LoopThread m_reading{"rm-machine-files"};
    LoopThread m_thread{"rm-machine"};
    Service m_service;
};

void MachineService::Impl::serve(FileDescriptor connection)
{
    m_thread.post([this, held = std::make_shared<FileDescriptor>(std::move(connection))] {
        m_service.serve(std::move(*held));
    });
}

void MachineService::Impl::end()
{
    m_service.shutDown(CallsPatience);
    m_jobs.end();
    m_reading.stop();
    m_thread.stop();
    m_service.letAllGo();
}

template <class Request, class Reply>
void MachineService::Impl::await(typename UnaryCall<MachineRpc, Request, Reply>::Accept accept,
                                 typename UnaryCall<MachineRpc, Request, Reply>::Handler handler)
{
    std::make_shared<UnaryCall<MachineRpc, Request, Reply>>(m_service, accept, std::move(handler))
        ->await();
}

void MachineService::Impl::awaitCalls()
{
    using Native = MachineRpc::Native;
    std::make_shared<WatchRunsStream>(m_service)->await();
    std::make_shared<FollowStream>(m_service)->await();
    await<v1::RunLogQuery, v1::LogPage>(
        &Native::RequestReadLog,
        [this](const v1::RunLogQuery& request, const Respond<v1::LogPage>& respond) {
            if (const auto query = fromProto(request.query()))
                m_service.cluster().readLog(request.run(), *query, answering<LogPage>(respond));
            else
                respond(toStatus(query.error()), {});
        });
    awaitReads();
    awaitJobs();
    await<v1::RunQuery, v1::RunFigures>(
        &Native::RequestReadFigures,
        [this](const v1::RunQuery& request, const Respond<v1::RunFigures>& respond) {
            m_service.cluster().readFigures(request.run(), answering<RunFigures>(respond));
        });
    await<v1::RunQuery, v1::LastNumbers>(
        &Native::RequestReadLastNumbers,
        [this](const v1::RunQuery& request, const Respond<v1::LastNumbers>& respond) {
            m_service.cluster().readLastNumbers(request.run(), answering<NumberSummary>(respond));
        });
    await<v1::RunQuery, v1::RankPlaces>(
        &Native::RequestLookAtRanks,
        [this](const v1::RunQuery& request, const Respond<v1::RankPlaces>& respond) {
            m_service.cluster().lookAtRanks(request.run(), answering<RankPlaces>(respond));
        });
    await<v1::RunQuery, v1::Stacks>(
        &Native::RequestTakeStacks,
        [this](const v1::RunQuery& request, const Respond<v1::Stacks>& respond) {
            m_service.cluster().takeStacks(request.run(), answering<KeptEvidence>(respond));
        });
    await<v1::RunCommand, v1::SendReply>(
        &Native::RequestSend,
        [this](const v1::RunCommand& request, const Respond<v1::SendReply>& respond) {
            if (const auto command = fromProto(request.command()))
                m_service.cluster().send(request.run(), *command, answering<void>(respond));
            else
                respond(toStatus(command.error()), {});
        });
    await<v1::RunChange, v1::RunChanged>(
        &Native::RequestChange,
        [this](const v1::RunChange& request, const Respond<v1::RunChanged>& respond) {
            change(request, respond);
        });
}

void MachineService::Impl::awaitReads()
{
    using Native = MachineRpc::Native;
    await<v1::OperationPartQuery, v1::OperationPart>(
        &Native::RequestReadOperations,
        [this](const v1::OperationPartQuery& request, const Respond<v1::OperationPart>& respond) {
            const OperationPart::Query query{request.cursor(), request.wants_folds()};
            onFiles<OperationPart>(respond, [this, run = request.run(), query] {
                return m_files.operations(run, query);
            });
        });
    await<v1::LogPlaces, v1::LogPage>(
        &Native::RequestReadLogLines,
        [this](const v1::LogPlaces& request, const Respond<v1::LogPage>& respond) {
            if (const auto places = fromProto(request))
                onFiles<LogPage>(respond, [this, run = request.run(), places = *places] {
                    return m_files.lines(run, places);
                });
            else
                respond(toStatus(places.error()), {});
        });
    await<v1::LogSearchQuery, v1::LogSearchPart>(
        &Native::RequestSearchLog,
        [this](const v1::LogSearchQuery& request, const Respond<v1::LogSearchPart>& respond) {
            search(request, respond);
        });
    await<v1::RunQuery, v1::LastNumbers>(
        &Native::RequestReadNumbers,
        [this](const v1::RunQuery& request, const Respond<v1::LastNumbers>& respond) {
            numbers(request, respond, SystemClock().now().monotonicNs + NumbersPatience.count());
        });
    await<v1::RunQuery, v1::ComparedRun>(
        &Native::RequestReadComparedRun,
        [this](const v1::RunQuery& request, const Respond<v1::ComparedRun>& respond) {
            m_service.cluster().readComparedRun(request.run(),
                                                {request.names().begin(), request.names().end()},
                                                answering<ComparedRun>(respond));
        });
}

template <class Reply, class T>
void MachineService::Impl::awaitJob(
    typename UnaryCall<MachineRpc, v1::ForeignJobQuery, Reply>::Accept accept,
    void (ServedJobs::*ask)(NamedJob, ServedJobs::Answer<T>))
{
    await<v1::ForeignJobQuery, Reply>(
        accept, [this, ask](const v1::ForeignJobQuery& request, const Respond<Reply>& respond) {
            if (auto job = fromProto(request))
                (m_jobs.*ask)(*std::move(job), answering<T>(respond));
            else
                respond(toStatus(job.error()), {});
        });
}

void MachineService::Impl::awaitJobs()
{
    using Native = MachineRpc::Native;
    await<v1::ForeignJobsQuery, v1::ForeignJobs>(
        &Native::RequestFindForeignJobs,
        [this](const v1::ForeignJobsQuery& /*request*/, const Respond<v1::ForeignJobs>& respond) {
            m_jobs.find(answering<std::vector<WatchedJob>>(respond));
        });
    awaitJob<v1::JobFindings>(&Native::RequestLookAtForeignJob, &ServedJobs::look);
    awaitJob<v1::ForeignJobEnded>(&Native::RequestEndForeignJob, &ServedJobs::endJob);
}

void MachineService::Impl::search(const v1::LogSearchQuery& request,
                                  const Respond<v1::LogSearchPart>& respond)
{
    const auto query = fromProto(request);
    if (!query)
        return respond(toStatus(query.error()), {});
    v1::LogSearchQuery question = request;
    question.clear_told();
    const auto served = m_searches.lend(question.SerializeAsString(), request.told(), *query);
    const auto tell = [this, served, respond] {
        v1::LogSearchPart part;
        toProto(served->next(), part);
        m_searches.giveBack(served);
        respond(grpc::Status::OK, part);
    };
    if (served->hasMore())
        return tell();
    m_service.cluster().searchLog(request.run(), served->search(),
                                  here<LogSearchPage>([=, this](Result<LogSearchPage> page) {
                                      if (page) {
                                          served->take(*std::move(page));
                                          return tell();
                                      }
                                      m_searches.forget(served);
                                      respond(toStatus(page.error()), {});
                                  }));
}

void MachineService::Impl::numbers(const v1::RunQuery& request,
                                   const Respond<v1::LastNumbers>& respond, std::int64_t untilNs)
{
    const std::vector<std::string> names{request.names().begin(), request.names().end()};
    m_service.cluster().readNumbers(
        request.run(), names, here<NumberSummary>([=, this](Result<NumberSummary> whole) {
            if (whole && whole->isMore && SystemClock().now().monotonicNs < untilNs)
                return numbers(request, respond, untilNs);
            if (!whole)
                return respond(toStatus(whole.error()), {});
            v1::LastNumbers reply;
            toProto(m_numbers.tell(request.run(), names, request.known(), *std::move(whole)),
                    reply);
            respond(grpc::Status::OK, reply);
        }));
}

void MachineService::Impl::change(const v1::RunChange& request,
                                  const Respond<v1::RunChanged>& respond)
{
    Cluster& cluster = m_service.cluster();
    switch (request.change_case()) {
    case v1::RunChange::kIsPinned:
        return cluster.setPinned(request.run(), request.is_pinned(), answering<void>(respond));
    case v1::RunChange::kLabels:
        return cluster.setLabels(request.run(), fromProto(request.labels()),
                                 answering<void>(respond));
    case v1::RunChange::kIsRemoved: return cluster.remove(request.run(), answering<void>(respond));
    case v1::RunChange::CHANGE_NOT_SET: break;
    }
    respond(toStatus({{code::MalformedMessage, {{"what", "change of a run"}}, {}}, {}}), {});
}

MachineService::MachineService(Cluster& cluster, std::filesystem::path runs)
    : m_impl(std::make_shared<Impl>(cluster, std::move(runs)))
{
}

MachineService::~MachineService()
{
    m_impl->end();
}

void MachineService::serve(FileDescriptor connection)
{
    m_impl->serve(std::move(connection));
}

} // namespace ringmaster
