#include "engine/base/ChildCommand.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

std::optional<ChildCommand::Outcome> outcomeOf(ChildCommand::Options options)
{
    EventLoop loop;
    std::optional<ChildCommand::Outcome> outcome;
    const auto limit = loop.callAfter(60s, [&] { loop.stop(); });
    const auto child =
        ChildCommand::start(loop, std::move(options), [&](const ChildCommand::Outcome& end) {
            outcome = end;
            loop.stop();
        });
    if (child)
        loop.run();
    return outcome;
}

} // namespace

class tst_child_command : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatAChildPrinted()
    {
        const auto outcome = outcomeOf(
            {.arguments = {"/bin/sh", "-c", "cat; echo oops >&2; exit 3"}, .input = "hello"});
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->output, std::string("hello"));
        QCOMPARE(outcome->error, std::string("oops\n"));
        QCOMPARE(outcome->exitCode, 3);
        QVERIFY(!outcome->wasTooSlow);
    }

    void answersThoughAGrandchildHoldsItsOutput()
    {
        QElapsedTimer took;
        took.start();
        const auto outcome =
            outcomeOf({.arguments = {"/bin/sh", "-c", "sleep 100 & echo said; echo more >&2"}});
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->output, std::string("said\n"));
        QCOMPARE(outcome->error, std::string("more\n"));
        QCOMPARE(outcome->exitCode, 0);
        QVERIFY(took.elapsed() < 50'000);
    }

    void endsAChildThatIsTooSlow()
    {
        const auto outcome =
            outcomeOf({.arguments = {"/bin/sh", "-c", "sleep 100 & sleep 100"}, .patience = 200ms});
        QVERIFY(outcome.has_value());
        QVERIFY(outcome->wasTooSlow);
        QCOMPARE(outcome->exitCode, -9);
    }
};

QTEST_GUILESS_MAIN(tst_child_command)
#include "tst_child_command.moc"
