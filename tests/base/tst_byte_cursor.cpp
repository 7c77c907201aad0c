#include "engine/base/ByteCursor.h"
#include "tests/TestMain.h"

#include <string_view>

using namespace ringmaster;
using namespace std::string_view_literals;

class tst_byte_cursor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsFromTheFront()
    {
        ByteCursor bytes("\x01\x02\x03"
                         "abc\xff\xfe"sv);
        QCOMPARE(bytes.takeNumber(1), std::uint64_t{1});
        QCOMPARE(bytes.takeNumber(2), std::uint64_t{0x0302});
        QVERIFY(bytes.take(3) == "abc");
        QCOMPARE(bytes.takeSigned(2), std::int64_t{-257});
        QCOMPARE(bytes.left(), size_t{0});
        QVERIFY(!bytes.hasEndedEarly());
    }

    void readsTheWidestNumbers()
    {
        constexpr std::string_view Most = "\xff\xff\xff\xff\xff\xff\xff\x7f"sv;
        QCOMPARE(ByteCursor(Most).takeNumber(8), std::uint64_t{INT64_MAX});
        QCOMPARE(ByteCursor(Most).takeSigned(8), INT64_MAX);
        QCOMPARE(ByteCursor("").takeSigned(0), std::int64_t{0});
    }

    void nothingIsLeftBehindTheEnd()
    {
        ByteCursor bytes("abc");
        QVERIFY(bytes.take(4).empty());
        QVERIFY(bytes.hasEndedEarly());
        QCOMPARE(bytes.left(), size_t{0});
        QVERIFY(bytes.take(1).empty());
        QCOMPARE(bytes.takeNumber(8), std::uint64_t{0});
        QVERIFY(ByteCursor("abc").take(UINT64_MAX).empty());
    }
};

QTEST_GUILESS_MAIN(tst_byte_cursor)
#include "tst_byte_cursor.moc"
