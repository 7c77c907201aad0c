#include "engine/ledger/hook/NcclAbi.h"
#include "engine/ledger/hook/NcclCommunicator.h"
#include "tests/ledger/OpenLedger.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::ledger;

namespace {

std::uint64_t typeOf(const void* handle)
{
    return *static_cast<const std::uint64_t*>(handle);
}

} // namespace

/// What a communicator makes of what NCCL tells, called as the plugin calls it (tst_nccl_profiler
/// has the plugin itself).
class tst_nccl_communicator : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_ledger.emplace();
        QVERIFY(m_ledger->writer != nullptr);
        m_communicator = std::make_unique<NcclCommunicator>(2, m_ledger->writer);
    }

    void cleanup()
    {
        m_communicator.reset();
        m_ledger.reset();
    }

    void whetherItIsRecordedIsKnown()
    {
        QVERIFY(m_communicator->isRecorded());
        QCOMPARE(m_communicator->ranks(), 2);
        QVERIFY(!NcclCommunicator(2, nullptr).isRecorded());
    }

    void aHandleSaysWhatItIs()
    {
        void* operation = launched(2);
        QCOMPARE(typeOf(operation), std::uint64_t{nccl::Collective});
        QCOMPARE(typeOf(NcclCommunicator::beginChannel(operation, 1)),
                 std::uint64_t{nccl::KernelChannel});
    }

    void whatHasNoHandleIsLeftAlone()
    {
        QVERIFY(NcclCommunicator::beginChannel(nullptr, 1) == nullptr);
        NcclCommunicator::channelStopped(nullptr, 2);
        NcclCommunicator::stopped(nullptr);
        void* operation = launched(1);
        NcclCommunicator::channelStopped(operation, 2); // only channels have an end there
        QVERIFY(ended().empty());
    }

    void moreChannelsThanNcclHasGetNone()
    {
        void* operation = launched(64);
        for (int i = 0; i < 64; ++i)
            QVERIFY(NcclCommunicator::beginChannel(operation, 1) != nullptr);
        QVERIFY(NcclCommunicator::beginChannel(operation, 1) == nullptr);
    }

    void oneWithoutChannelsIsOverWhenItIsHandedOver()
    {
        (void)launched(0);
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs, std::int64_t{0});
    }

    /// The GPU's ring of moments is short.
    void momentsThatRunBackwardsDontCount()
    {
        void* operation = launched(2);
        kernel(operation, 9'000, 1'000);
        kernel(operation, 2'000, 5'000);
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs - done[0].startedNs, std::int64_t{3'000});
    }

    void withoutAnyGoodMomentItsEndIsUnknown()
    {
        kernel(launched(1), 9'000, 1'000);
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs, std::int64_t{0});
    }

    void aMessageToItselfMakesMomentsUnbelievable()
    {
        m_communicator->beginToItself();
        kernel(launched(1), 1'000, 2'000);
        QVERIFY(ended().empty());
        (void)launched(1); // whatever came before is as good as over
        const auto done = ended();
        QCOMPARE(done.size(), size_t{1});
        QCOMPARE(done[0].endedNs, std::int64_t{0});
    }

    void itsEndIsThatOfWhatIsUnderWay()
    {
        (void)launched(1);
        QVERIFY(ended().empty());
        m_communicator.reset();
        QCOMPARE(ended().size(), size_t{1});
    }

private:
    /// Inside a call of torch's, which is over as soon as it is launched.
    void* launched(std::size_t channels)
    {
        Call call;
        call.kind = OperationKind::AllReduce;
        call.number = ++m_number;
        call.caller = Caller::Waits;
        const std::uint64_t operation = m_ledger->writer->begin(call, monotonicNs());
        void* handle = m_communicator->begin(nccl::Collective, call, channels);
        NcclCommunicator::stopped(handle);
        m_ledger->writer->end(operation, call, 1, 0, 0);
        return handle;
    }

    static void kernel(void* operation, std::int64_t from, std::int64_t to)
    {
        void* channel = NcclCommunicator::beginChannel(operation, from);
        NcclCommunicator::channelStopped(channel, to);
        NcclCommunicator::stopped(channel);
    }

    std::vector<Operation> ended() { return m_ledger->ended(); }

    std::optional<test::OpenLedger> m_ledger;
    std::unique_ptr<NcclCommunicator> m_communicator;
    std::uint64_t m_number = 0;
};

QTEST_GUILESS_MAIN(tst_nccl_communicator)
#include "tst_nccl_communicator.moc"
