#include "engine/record/Codes.h"
#include "engine/record/LogFilter.h"

#include <QtTest>

using namespace ringmaster;

namespace {

LogLine line(const std::string& text, int rank = 0, LogLevel level = LogLevel::Info)
{
    return {.attempt = 1, .globalRank = rank, .level = level, .text = text};
}

bool shows(const char* filter, const LogLine& candidate)
{
    const auto parsed = LogFilter::parse(filter);
    return parsed && parsed->matches(candidate);
}

} // namespace

class tst_log_filter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsEverythingWhenEmpty()
    {
        QVERIFY(shows("", line("x")));
        QVERIFY(LogFilter::parse("  ")->isEmpty());
        QVERIFY(LogFilter::parse("\"\"")->isEmpty());
    }

    void findsTextInEitherCase()
    {
        QVERIFY(shows("LOSS", line("the loss is")));
        QVERIFY(shows("loss the", line("the loss is")));
        QVERIFY(!shows("\"loss the\"", line("the loss is")));
        QVERIFY(shows("\"the loss\"", line("The Loss is")));
        QVERIFY(shows("/tmp/x.py", line("in /tmp/x.py line 3")));
        QVERIFY(shows("error:", line("an error: 3")));
        QVERIFY(shows("größe", line("die größe")));
        QVERIFY(shows("\"half", line("a \"half quote")));
    }

    void findsExpressions()
    {
        QVERIFY(shows("/lo.s \\d+/", line("loss 12")));
        QVERIFY(!shows("/LOSS/", line("loss")));
        QVERIFY(shows("/LOSS/i", line("loss")));
        QVERIFY(shows("/a/ /b/", line("b a")));
        QVERIFY(shows("/a\\/b/", line("a/b")));
        const auto broken = LogFilter::parse("x /(/");
        QVERIFY(broken.error().code == code::PatternInvalid);
        QCOMPARE(broken.error().parameters.at("pattern"), std::string("/(/"));
        QVERIFY(!broken.error().detail.empty());
    }

    void saysWhereInALineItIs()
    {
        using Part = LogFilter::Part;
        const auto parts = [](const char* filter, std::string_view text) {
            return LogFilter::parse(filter)->partsIn(text);
        };
        QVERIFY(parts("loss", "Loss 3, loss 4") == (std::vector<Part>{{0, 4}, {8, 4}}));
        QVERIFY(parts("/lo.s \\d/ 4", "Loss 3, loss 4") == (std::vector<Part>{{8, 6}}));
        QVERIFY(parts("ab bc", "xabcx") == (std::vector<Part>{{1, 3}}));
        QVERIFY(parts("level:error rank:0", "ERROR").empty());
        QVERIFY(parts("/x*/", "axxa").size() == 1);
        QVERIFY(parts("/^/", "axxa").empty());
        QVERIFY(parts("no", "axxa").empty());
    }

    void staysFastWithAnEvilExpression()
    {
        const LogLine evil = line(std::string(60'000, 'a') + "b");
        QVERIFY(!shows("/(a+)+$/", evil));
        QVERIFY(shows("/(a|b)*b$/", evil));
    }

    void selectsRanksLevelsStreamsAndAttempts()
    {
        QVERIFY(shows("rank:0,2-3", line("x", 3)));
        QVERIFY(!shows("rank:0,2-3", line("x", 1)));
        QVERIFY(shows("rank:1 rank:5", line("x", 5)));
        QVERIFY(shows("level:warning", line("x", 0, LogLevel::Error)));
        QVERIFY(!shows("level:warning", line("x")));
        QVERIFY(!shows("stream:stderr", line("x")));
        QVERIFY(shows("attempt:1", line("x")));
        QVERIFY(!shows("attempt:2", line("x")));
        QVERIFY(shows("rank:2 level:error /out of/ cuda",
                      line("CUDA out of memory", 2, LogLevel::Error)));
        const std::set<int> ranks{0, 2, 3};
        QVERIFY(LogFilter::parse("rank:0,2-3")->ranks() == ranks);
    }

    void saysWhichLevelsThereAre()
    {
        const auto wrong = LogFilter::parse("level:warn");
        QVERIFY(wrong.error().code == code::LevelUnknown);
        QVERIFY(describe(wrong.error()).find("“warn”") != std::string::npos);
        QVERIFY(describe(wrong.error()).find("info, warning and error") != std::string::npos);
    }

    void searchesATextOfManyLines()
    {
        const std::string text = "one\ntwo LOSS\nloss\nthree\n";
        const auto next = [&](const char* filter, size_t from) {
            return LogFilter::parse(filter)->nextCandidate(text, from);
        };
        QCOMPARE(next("loss", 0), size_t(4));
        QCOMPARE(next("loss", 4), size_t(4));
        QCOMPARE(next("loss", 13), size_t(13));
        QCOMPARE(next("loss", 18), std::string_view::npos);
        QCOMPARE(next("/^l/", 0), size_t(13));
        QCOMPARE(next("/o$/", 0), std::string_view::npos);
        QCOMPARE(next("rank:1", 4), size_t(4));
        QCOMPARE(next("/^/", text.size()), std::string_view::npos);
    }

    void refusesWhatItCantUse()
    {
        for (const char* wrong : {"rank:", "rank:x", "rank:-1", "rank:3-2", "rank:1,",
                                  "rank:0-99999999", "stream:x", "attempt:", "rank:99999999999"})
            QVERIFY2(LogFilter::parse(wrong).error().code == code::PatternInvalid, wrong);
    }
};

QTEST_GUILESS_MAIN(tst_log_filter)
#include "tst_log_filter.moc"
