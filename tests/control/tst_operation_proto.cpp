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
        RankState rank{.rank = 3};
        rank.process.stack = diagnose::Stack{.source = "py-spy",
                                             .frames = {{"f\xff", "/data/\xe9t\xe9/train.py", 28}},
                                             .text = "f\xff at line 28",
                                             .code = "x = '\xff'"};
        v1::RankStates sent;
        toProto(std::vector{rank}, sent);
        v1::RankStates arrived;
        QVERIFY(arrived.ParseFromString(sent.SerializeAsString()));
        const auto ranks = fromProto(arrived);
        QVERIFY(ranks.has_value());
        QCOMPARE(ranks->size(), size_t(1));
        const auto& read = ranks->front().process.stack;
        QVERIFY(read.has_value());
        QVERIFY(read->frames == rank.process.stack->frames);
        QVERIFY(read->text == rank.process.stack->text);
        QVERIFY(read->code == rank.process.stack->code);
    }
};

QTEST_GUILESS_MAIN(tst_operation_proto)
#include "tst_operation_proto.moc"
