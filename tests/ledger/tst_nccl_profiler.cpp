#include "engine/ledger/OperationBlock.h"
#include "engine/ledger/hook/NcclAbi.h"
#include "tests/ledger/OpenLedger.h"

#include <QtTest>

#include <thread>

#include <dlfcn.h>

using namespace ringmaster;
using namespace ringmaster::ledger;

namespace {

/// Plays NCCL to the plugin: loads it as NCCL does, and tells its kernels' times from a thread of
/// its own, as the proxy does.
class Nccl
{
public:
    explicit Nccl(int ranks) : m_library(dlopen(RINGMASTER_NCCL_PROFILER, RTLD_NOW | RTLD_LOCAL))
    {
        if (m_library == nullptr)
            return;
        m_plugin = static_cast<nccl::ProfilerV5*>(dlsym(m_library, "ncclProfiler_v5"));
        m_plugin->init(&m_context, 0xC0FFEE, &m_events, nullptr, 1, ranks, 0, nullptr);
    }
    ~Nccl()
    {
        if (m_plugin != nullptr)
            m_plugin->finalize(m_context);
        if (m_library != nullptr)
            dlclose(m_library);
    }

    bool isLoaded() const { return m_plugin != nullptr; }
    int events() const { return m_events; }

    void* launch(nccl::Descriptor descriptor) const
    {
        // NCCL tells of calls and groups as well, which nobody asked for.
        nccl::Descriptor call{};
        call.type = 512;
        int anything = 0;
        void* none = &anything;
        m_plugin->startEvent(m_context, &none, &call);
        void* handle = nullptr;
        m_plugin->startEvent(m_context, &handle, &descriptor);
        m_plugin->stopEvent(handle);
        return none == nullptr ? handle : nullptr;
    }

    /// Sends of one kernel, from rank 0; NCCL tells of all before it says that one is handed over.
    std::vector<void*> messages(const std::vector<std::int32_t>& peers, std::size_t count) const
    {
        std::vector<void*> handles;
        for (const std::int32_t peer : peers) {
            nccl::Descriptor descriptor{};
            descriptor.type = nccl::PointToPoint;
            descriptor.pointToPoint = {"Send", nullptr, "ncclFloat32", count, peer, 1};
            void* handle = nullptr;
            m_plugin->startEvent(m_context, &handle, &descriptor);
            handles.push_back(handle);
        }
        for (void* handle : handles)
            m_plugin->stopEvent(handle);
        return handles;
    }

    void* allReduce(std::size_t count, std::uint8_t channels, std::uint64_t number = 0) const
    {
        nccl::Descriptor descriptor{};
        descriptor.type = nccl::Collective;
        descriptor.collective = {number,        "AllReduce", nullptr, nullptr, count,   0,
                                 "ncclFloat32", channels,    8,       "RING",  "SIMPLE"};
        return launch(descriptor);
    }

    /// One channel's kernel, by the GPU's clock.
    void kernel(void* operation, std::uint8_t channel, std::uint64_t from, std::uint64_t to) const
    {
        std::jthread([&] {
            nccl::Descriptor descriptor{};
            descriptor.type = nccl::KernelChannel;
            descriptor.parent = operation;
            descriptor.kernelChannel = {channel, from};
            void* handle = nullptr;
            m_plugin->startEvent(m_context, &handle, &descriptor);
            nccl::Arguments arguments{};
            arguments.kernelChannel.timer = to;
            m_plugin->recordEventState(handle, nccl::KernelChannelStop, &arguments);
            m_plugin->stopEvent(handle);
        }).join();
    }

private:
    void* m_library;
    nccl::ProfilerV5* m_plugin = nullptr;
    void* m_context = nullptr;
    int m_events = 0;
};

/// torch's call around it, as the interposer records it: over as soon as it is launched.
class TorchCall
{
public:
    explicit TorchCall(LedgerWriter& writer) : m_writer(writer)
    {
        m_call.kind = OperationKind::AllReduce;
        m_call.type = DataType::Float32;
        m_call.bytes = 4000;
        m_call.elements = 1000;
        m_call.number = 1;
        m_call.caller = Caller::Waits;
        m_operation = m_writer.begin(m_call, monotonicNs());
    }
    ~TorchCall() { m_writer.end(m_operation, m_call, 1, 0, 0); }

private:
    LedgerWriter& m_writer;
    Call m_call;
    std::uint64_t m_operation = 0;
};

} // namespace

/// The plugin that tells NCCL's operations' times on the GPU, without a GPU.
class tst_nccl_profiler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_ledger.emplace();
        QVERIFY(m_ledger->writer != nullptr);
        const std::string hook = "report=/nowhere;ledger=" + m_ledger->path() + ",/dev/null";
        qputenv("RINGMASTER_HOOK", QByteArray::fromStdString(hook));
    }

    void cleanup() { m_ledger.reset(); }

    void anOperationLastsAsLongAsItsKernels()
    {
        const Nccl nccl(2);
        QVERIFY(nccl.isLoaded());
        QCOMPARE(nccl.events(), 70);
        void* device = nullptr;
        {
            const TorchCall call(*m_ledger->writer);
            device = nccl.allReduce(1000, 2);
        }
        QVERIFY(device != nullptr);
        QVERIFY(ended().empty());
        QCOMPARE(m_ledger->decoder().running().size(), size_t{1});
        // The call has returned: nobody stands in it any more.
        QCOMPARE(m_ledger->decoder().running().begin()->second.caller, Caller::GoesOn);
        nccl.kernel(device, 3, 1'000'000, 1'400'000);
        QVERIFY(ended().empty());
        nccl.kernel(device, 4, 1'100'000, 1'500'000);
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].outcome, Operation::Outcome::Done);
        QCOMPARE(done[0].endedNs - done[0].startedNs, std::int64_t{500'000});
        QVERIFY(done[0].endedNs <= monotonicNs());
        QVERIFY(done[0].startedNs > monotonicNs() - 60'000'000'000);
        QCOMPARE(done[0].channels, 2U);
        QCOMPARE(done[0].bytes, std::uint64_t{4000});
        QVERIFY(m_ledger->decoder().running().empty());
    }

    void kernelsMayBeOverBeforeTheCallReturns()
    {
        const Nccl nccl(2);
        {
            const TorchCall call(*m_ledger->writer);
            void* device = nccl.allReduce(1000, 1);
            nccl.kernel(device, 0, 5'000, 9'000);
        }
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs - done[0].startedNs, std::int64_t{4'000});
    }

    void severalLaunchesOfOneCallAreOneOperation()
    {
        const Nccl nccl(2);
        std::vector<void*> devices;
        {
            const TorchCall call(*m_ledger->writer);
            for (const std::uint64_t number : {0, 1})
                devices.push_back(nccl.allReduce(500, 1, number));
        }
        nccl.kernel(devices[0], 0, 1'000, 2'000);
        QVERIFY(ended().empty());
        nccl.kernel(devices[1], 0, 3'000, 9'000);
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs - done[0].startedNs, std::int64_t{8'000});
        QCOMPARE(done[0].channels, 1U);
    }

    void whoseKernelsNobodyTellsEndsWithTheNext()
    {
        const Nccl nccl(2);
        void* second = nullptr;
        {
            const TorchCall call(*m_ledger->writer);
            (void)nccl.allReduce(1000, 2);
        }
        {
            const TorchCall call(*m_ledger->writer);
            second = nccl.allReduce(1000, 1);
        }
        QVERIFY(ended().empty());
        nccl.kernel(second, 0, 1'000, 2'000);
        const auto done = ended();
        QCOMPARE(done.size(), size_t{2});
        QCOMPARE(done[0].endedNs, std::int64_t{0});
        QVERIFY(done[1].endedNs > 0);
    }

    /// Not one after the other: neither's end is the other's.
    void messagesOfOneKernelAreOneOperation()
    {
        const Nccl nccl(3);
        std::vector<void*> handles;
        {
            const TorchCall call(*m_ledger->writer);
            handles = nccl.messages({1, 2}, 500);
        }
        nccl.kernel(handles[1], 0, 1'000, 9'000);
        QVERIFY(ended().empty());
        nccl.kernel(handles[0], 1, 2'000, 8'000);
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs - done[0].startedNs, std::int64_t{8'000});
    }

    /// NCCL's count of kernels and the GPU's go apart with the part of an all_to_all that stays:
    /// moments are another kernel's from then on, and come before it is over.
    void afterAnAllToAllMomentsAreUnknown()
    {
        const Nccl nccl(2);
        std::vector<void*> messages;
        {
            const TorchCall call(*m_ledger->writer);
            messages = nccl.messages({0, 1}, 500);
        }
        QVERIFY(messages[0] == nullptr);
        nccl.kernel(messages[1], 0, 1'000, 2'000);
        QVERIFY(ended().empty());
        void* next = nullptr;
        {
            const TorchCall call(*m_ledger->writer);
            next = nccl.allReduce(1000, 1);
        }
        auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs, std::int64_t{0});
        nccl.kernel(next, 0, 1'000, 2'000);
        QVERIFY(ended().empty());
        QCOMPARE(m_ledger->decoder().running().size(), size_t{1});
        {
            const TorchCall call(*m_ledger->writer);
            (void)nccl.allReduce(1000, 1);
        }
        done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs, std::int64_t{0});
    }

    void momentsOfAnEarlierKernelAreNotBelieved()
    {
        const Nccl nccl(2);
        const auto reduce = [&](std::uint64_t from, std::uint64_t to) {
            void* device = nullptr;
            {
                const TorchCall call(*m_ledger->writer);
                device = nccl.allReduce(1000, 1);
            }
            nccl.kernel(device, 0, from, to);
        };
        reduce(1'000, 5'000);
        QCOMPARE(ended().size(), size_t{1});
        reduce(1'000, 5'000);
        QVERIFY(ended().empty());
        reduce(9'000, 10'000);
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs, std::int64_t{0});
    }

    void whatIsUnderWayEndsWithItsCommunicator()
    {
        {
            const Nccl nccl(2);
            const TorchCall call(*m_ledger->writer);
            (void)nccl.allReduce(1000, 2);
        }
        QCOMPARE(ended().size(), size_t{1});
    }

    void withoutALedgerNothingIsAsked()
    {
        m_ledger->writer.reset();
        qunsetenv("RINGMASTER_HOOK");
        const Nccl nccl(2);
        QCOMPARE(nccl.events(), 0);
        QVERIFY(nccl.allReduce(1000, 1) == nullptr);
    }

    void itsChannelsAreInTheFile()
    {
        OperationBatch batch;
        Operation operation{.id = 1, .kind = OperationKind::AllReduce, .caller = Caller::GoesOn};
        operation.channels = 16;
        batch.operations = {operation, operation};
        batch.operations[1].channels = 0;
        const auto read = unpackOperations(packOperations(batch));
        QVERIFY(read.has_value());
        QVERIFY(read->operations == batch.operations);
    }

private:
    std::vector<Operation> ended() { return m_ledger->ended(); }

    std::optional<test::OpenLedger> m_ledger;
};

QTEST_GUILESS_MAIN(tst_nccl_profiler)
#include "tst_nccl_profiler.moc"
