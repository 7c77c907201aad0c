#include "engine/cli/SweepTable.h"

#include <QtTest>

using namespace ringmaster;

/// The table of a sweep, from its events.
class tst_sweep_table : public QObject
{
    Q_OBJECT

private:
    static SweepTable tableOf(const std::vector<std::int64_t>& wrong)
    {
        SweepTable table;
        for (const std::int64_t one : wrong) {
            Event event;
            event.body = SweepRow{.collective = "all_reduce", .backend = "ring", .wrong = one};
            (void)table.add(event);
        }
        return table;
    }

    static bool says(const SweepTable& table, const std::string& verdict)
    {
        return table.footer().find("# Out of bounds values : " + verdict + "\n") !=
               std::string::npos;
    }

private Q_SLOTS:
    void withoutACheckThereIsNoVerdict()
    {
        const SweepTable table = tableOf({-1, -1});
        QVERIFY(!table.wrong());
        QVERIFY2(says(table, "N/A (not checked)"), table.footer().c_str());
        QVERIFY(table.json()["wrong"].is_null());
    }

    void whatWasCheckedIsCounted()
    {
        QVERIFY(says(tableOf({0, 0}), "0 OK"));
        const SweepTable table = tableOf({2, 0, 3});
        QVERIFY2(says(table, "5 FAILED"), table.footer().c_str());
        QCOMPARE(table.json()["wrong"].get<int>(), 5);
    }

    /// One that couldn't be measured among others.
    void aRowWithoutACheckDoesNotHideTheOthers()
    {
        QVERIFY(says(tableOf({-1, 0}), "0 OK"));
        QVERIFY(says(tableOf({-1, 4}), "4 FAILED"));
    }
};

QTEST_GUILESS_MAIN(tst_sweep_table)
#include "tst_sweep_table.moc"
