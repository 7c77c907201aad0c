#include "engine/text/TextSearch.h"

#include <QtTest>

#include <array>

using namespace ringmaster;

class tst_text_search : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsOneOfSeveral()
    {
        constexpr std::array<std::string_view, 2> Signs{"no such host", "timed out"};
        QVERIFY(containsAny("dial tcp: lookup x: no such host", Signs));
        QVERIFY(!containsAny("denied", Signs));
        QVERIFY(!containsAny("", Signs));
        QVERIFY(!containsAny("denied", {}));
        QVERIFY(contains("denied", "nie"));
        QVERIFY(contains("denied", ""));
    }

    void findsTheFirstAndTheLastLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("last");
        QTest::newRow("nothing") << QByteArray() << QByteArray() << QByteArray();
        QTest::newRow("only ends") << QByteArray("\r\n\n") << QByteArray() << QByteArray();
        QTest::newRow("one") << QByteArray("a b") << QByteArray("a b") << QByteArray("a b");
        QTest::newRow("of a terminal")
            << QByteArray("\r\na\r\nb \r\n") << QByteArray("a") << QByteArray("b");
        QTest::newRow("three") << QByteArray("a\nb\nc\n\n") << QByteArray("a") << QByteArray("c");
    }

    void findsTheFirstAndTheLastLine()
    {
        QFETCH(QByteArray, text);
        QTEST(QByteArray::fromStdString(std::string(firstLine(text.toStdString()))), "first");
        QTEST(QByteArray::fromStdString(std::string(lastLine(text.toStdString()))), "last");
    }
};

QTEST_GUILESS_MAIN(tst_text_search)
#include "tst_text_search.moc"
