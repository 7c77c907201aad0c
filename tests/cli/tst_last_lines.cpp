#include "engine/cli/LastLines.h"

#include <QtTest>

using namespace ringmaster;

/// The end of a log whose length isn't known.
class tst_last_lines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyTheLastAreHandedOn_data()
    {
        QTest::addColumn<int>("most");
        QTest::addColumn<QStringList>("atOnce");
        QTest::addColumn<QStringList>("released");
        const QStringList all{"1", "2", "3"};
        QTest::newRow("all") << -1 << all << all;
        QTest::newRow("none") << 0 << QStringList() << QStringList();
        QTest::newRow("two") << 2 << QStringList() << QStringList{"2", "3"};
        QTest::newRow("more than there are") << 9 << QStringList() << all;
    }
    void onlyTheLastAreHandedOn()
    {
        QFETCH(int, most);
        QFETCH(QStringList, atOnce);
        QFETCH(QStringList, released);
        QStringList seen;
        LastLines<QString> lines(most < 0 ? std::nullopt : std::optional(size_t(most)),
                                 [&](const QString& line) { seen += line; });
        for (const char* line : {"1", "2", "3"})
            lines.take(line);
        QCOMPARE(seen, atOnce);
        lines.release();
        QCOMPARE(seen, released);
        lines.take("4"); // of a log that is followed
        QCOMPARE(seen, released + QStringList("4"));
    }
};

QTEST_GUILESS_MAIN(tst_last_lines)
#include "tst_last_lines.moc"
