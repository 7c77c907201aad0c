#include "engine/base/Codes.h"
#include "engine/control/FiguresProto.h"
#include "engine/control/LogProto.h"
#include "engine/control/OperationProto.h"

#include <QtTest>

#include <limits>

#include <machine.pb.h>
#include <ringmaster.pb.h>

using namespace ringmaster;

namespace {

/// Over the wire.
template <class Proto, class Value>
auto arrived(const Value& value)
{
    Proto sent;
    toProto(value, sent);
    Proto told;
    told.ParseFromString(sent.SerializeAsString());
    return fromProto(told);
}

} // namespace

/// What is asked for in pages, and the figures of an overview, on their way between two machines.
class tst_page_protos : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPageOfTheLogArrivesAsItWas()
    {
        const LogPage page{.chunks = {{.cursor = 7,
                                       .at = {12, 34},
                                       .attempt = 2,
                                       .globalRank = 3,
                                       .stream = Stream::Stderr,
                                       .offset = 99,
                                       .bytes = "half a character \xe3\x81"},
                                      {}},
                           .firstCursor = 1,
                           .lastCursor = 8,
                           .lostBytes = 5,
                           .problems = {{code::FileNotReadable, {{"path", "/logs/0"}}, "gone"}}};
        const auto read = arrived<v1::LogPage>(page);
        QVERIFY(read.has_value());
        QVERIFY(*read == page);
    }

    void aQueryArrivesAsItWasAndIsBounded()
    {
        const LogQuery query{.cursor = 7,
                             .direction = LogQuery::Direction::Backward,
                             .fromNs = 5,
                             .ranks = {1, 3},
                             .attempt = 2,
                             .maxBytes = std::numeric_limits<std::size_t>::max()};
        const auto read = arrived<v1::LogQuery>(query);
        QVERIFY(read.has_value());
        QCOMPARE(read->cursor, query.cursor);
        QVERIFY(read->direction == query.direction);
        QCOMPARE(read->fromNs, query.fromNs);
        QCOMPARE(read->ranks, query.ranks);
        QCOMPARE(read->attempt, query.attempt);
        QCOMPARE(read->maxBytes, std::size_t{2U << 20U});
        QVERIFY(!fromProto(v1::LogQuery()).has_value()); // no direction
    }

    void aSearchArrivesAsItWasAndIsBounded()
    {
        const LogSearch::Query query{.filter =
                                         LogFilter::parse("loss level:warning /a|b/i").value(),
                                     .ranks = {1, 3},
                                     .attempt = 2,
                                     .stream = Stream::Stderr,
                                     .linesAround = 1'000'000};
        const auto read = arrived<v1::LogSearchQuery>(query);
        QVERIFY(read.has_value());
        QCOMPARE(read->filter.text(), query.filter.text());
        QVERIFY(!read->filter.isExpression() && read->filter.isAboutLines());
        QCOMPARE(read->ranks, query.ranks);
        QCOMPARE(read->attempt, query.attempt);
        QVERIFY(read->stream == query.stream);
        QVERIFY(read->linesAround < query.linesAround);
        const auto expression = arrived<v1::LogSearchQuery>(
            LogSearch::Query{.filter = LogFilter::ofExpression("/x/ y").value()});
        QVERIFY(expression && expression->filter.isExpression() && !expression->stream);
        v1::LogSearchQuery wrong;
        wrong.set_filter("/(/");
        QVERIFY(!fromProto(wrong));
    }

    void whatASearchHasFoundArrivesAsItWas()
    {
        LogSearchPage page{.matches = 7, .part = 0.25, .isAtEnd = true};
        page.places.push_back({.cursor = 1,
                               .offset = 2,
                               .length = 3,
                               .number = 4,
                               .at = {5, 6},
                               .attempt = 1,
                               .globalRank = 2,
                               .stream = Stream::Stderr,
                               .isMatch = false});
        page.places.emplace_back();
        page.problems.push_back({code::FileNotReadable, {{"path", "/logs/0"}}, "gone"});
        const auto read = arrived<v1::LogSearchPart>(page);
        QVERIFY(read.has_value());
        QVERIFY(read->places == page.places && read->problems == page.problems);
        QVERIFY(read->matches == 7 && read->part == 0.25 && read->isAtEnd);
    }

    void figuresArriveAsTheyWere()
    {
        const RunFigures figures{.lastSequence = 4,
                                 .lastLine = "loss 0.2 \xff",
                                 .lastLineRank = 3,
                                 .stepsASecond = 1.5,
                                 .busBandwidth = 2e9,
                                 .isMore = true};
        QVERIFY(arrived<v1::RunFigures>(figures).value() == figures);
        QVERIFY(arrived<v1::RunFigures>(RunFigures()).value() == RunFigures());
        RunFigures endless;
        endless.busBandwidth = std::numeric_limits<double>::infinity();
        QVERIFY(!arrived<v1::RunFigures>(endless).has_value());
    }

    void numbersArriveAsTheyWere()
    {
        NumberSummary numbers{.attempt = 1,
                              .names = {"loss", "step"},
                              .latest = {{.name = "step",
                                          .rank = 2,
                                          .value = 5,
                                          .total = 10,
                                          .atNs = 77,
                                          .isCounter = true}},
                              .progress = NumberSummary::Progress{.name = "step",
                                                                  .value = 5,
                                                                  .total = 10,
                                                                  .part = 0.5,
                                                                  .perSecond = 2,
                                                                  .endWallNs = 99},
                              .isCut = true};
        const auto read = arrived<v1::LastNumbers>(numbers);
        QVERIFY(read.has_value());
        QVERIFY(read->progress == numbers.progress && read->latest == numbers.latest);
        QVERIFY(read->names == numbers.names && read->isCut);
        numbers.progress->part = 7;
        QCOMPARE(arrived<v1::LastNumbers>(numbers)->progress->part, 1.0);
    }

    void whatRasSaysOfARankArrivesAsItWas()
    {
        RankActivity rank{.rank = 3};
        rank.process.nccl = {{.communicator = "0x1",
                              .rank = 1,
                              .size = 4,
                              .launched = 12,
                              .isStill = true,
                              .isUnresponsive = true}};
        const auto read = arrived<v1::RankActivities>(std::vector{rank});
        QVERIFY(read.has_value());
        QVERIFY(read->front().process.nccl == rank.process.nccl);
        QVERIFY(!read->front().process.stack);
    }
};

QTEST_GUILESS_MAIN(tst_page_protos)
#include "tst_page_protos.moc"
