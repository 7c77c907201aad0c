#include "engine/control/Codes.h"
#include "engine/control/OperationProto.h"

#include <QtTest>

#include <ringmaster.pb.h>

using namespace ringmaster;

/// What ranks are in, on its way from an agent.
class tst_operation_proto : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A file's name may be any bytes; protobuf refuses a whole answer for one bad string.
    void namesThatArentTextArriveAsTheyAre()
    {
        RankActivity rank{.rank = 3};
        rank.process.stack = diagnose::Stack{.source = "py-spy",
                                             .frames = {{"f\xff", "/data/\xe9t\xe9/train.py", 28}},
                                             .text = "f\xff at line 28",
                                             .code = "x = '\xff'",
                                             .holdsGil = true,
                                             .isActive = true};
        rank.process.childStack = rank.process.stack;
        rank.process.threadsFailed = {{code::PeerRefused, {{"name", "loader"}}, {}}};
        v1::RankActivities sent;
        toProto(std::vector{rank}, sent);
        v1::RankActivities arrived;
        QVERIFY(arrived.ParseFromString(sent.SerializeAsString()));
        const auto ranks = fromProto(arrived);
        QVERIFY(ranks.has_value());
        QCOMPARE(ranks->size(), size_t(1));
        const auto& read = ranks->front().process.stack;
        QVERIFY(read.has_value());
        QVERIFY(read->frames == rank.process.stack->frames);
        QVERIFY(read->text == rank.process.stack->text);
        QVERIFY(read->code == rank.process.stack->code);
        QVERIFY(read->holdsGil && read->isActive);
        QVERIFY(ranks->front().process.childStack.has_value());
        QVERIFY(ranks->front().process.threadsFailed == rank.process.threadsFailed);
    }

    void whatARankWaitsForArrivesAsItWas()
    {
        using Child = ProcessWait::Child;
        RankActivity rank{.rank = 3};
        rank.process.wait = ProcessWait{.kind = ProcessWait::Kind::Device,
                                        .isWriting = true,
                                        .isOtherThread = true,
                                        .name = "/data/\xe9t\xe9",
                                        .bytes = 12,
                                        .spanNs = 5,
                                        .leftNs = 6,
                                        .sleepNs = 7,
                                        .children = {{.pid = 9,
                                                      .command = "sleep \xff",
                                                      .state = Child::State::Ended,
                                                      .signal = 9,
                                                      .exitCode = 3,
                                                      .isAwaited = true,
                                                      .isCopy = true,
                                                      .isLoaderWorker = true,
                                                      .isAtWork = false},
                                                     {.state = Child::State::Stopped}},
                                        .state = "D",
                                        .systemCall = "ioctl",
                                        .channel = "nvidia_wait"};
        v1::RankActivities sent;
        toProto(std::vector{rank}, sent);
        v1::RankActivities arrived;
        QVERIFY(arrived.ParseFromString(sent.SerializeAsString()));
        const auto ranks = fromProto(arrived);
        QVERIFY(ranks.has_value());
        QVERIFY(ranks->front().process.wait == rank.process.wait);
    }
};

QTEST_GUILESS_MAIN(tst_operation_proto)
#include "tst_operation_proto.moc"
