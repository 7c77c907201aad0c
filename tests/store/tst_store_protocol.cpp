#include "RawPeer.h"
#include "engine/base/Codes.h"
#include "engine/store/Codes.h"
#include "engine/store/StoreProtocol.h"
#include "engine/store/StoreReply.h"

#include <QtTest>

#include <ctime>

using namespace ringmaster;
using test::hex;
using Progress = StoreRequestScanner::Progress;

namespace {

/// What a request came to when its bytes arrived one by one.
struct Scanned
{
    Progress progress = Progress::Incomplete;
    size_t needed = 0;
};

Scanned scanByteByByte(std::string_view bytes)
{
    StoreRequestScanner scanner;
    Scanned scanned;
    for (size_t size = 0; size <= bytes.size(); ++size) {
        scanned = {scanner.scan(bytes.substr(0, size)), size};
        if (scanned.progress != Progress::Incomplete)
            break;
    }
    return scanned;
}

Code problemOf(std::string_view bytes)
{
    StoreRequestScanner scanner;
    return scanner.scan(bytes) == Progress::Malformed ? scanner.problem().code : code::None;
}

std::string withLength(std::string bytes, std::uint64_t length)
{
    wire::appendInteger(bytes, length);
    return bytes;
}

} // namespace

class tst_store_protocol : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void understandsTheBytesThatTorchSends_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("opcode");
        QTest::addColumn<QByteArrayList>("strings");
        QTest::addColumn<qlonglong>("integer");
        const auto row = [](const char* name, const char* bytes, int opcode,
                            QByteArrayList strings = {}, qlonglong integer = 0) {
            const std::string raw = hex(bytes);
            QTest::newRow(name) << QByteArray(raw.data(), static_cast<int>(raw.size())) << opcode
                                << strings << integer;
        };
        row("validate", "00 ce f7 85 3c", 0, {}, 0x3C85F7CE);
        row("set", "01 02.. 2f 6b 03.. 76 61 6c", 1, {"/k", "val"});
        row("compare_set", "02 03.. 2f 63 73 00.. 01.. 41", 2, {"/cs", "", "A"});
        row("get", "03 02.. 2f 6b", 3, {"/k"});
        row("add", "04 02.. 2f 6e f9 ff ff ff ff ff ff ff", 4, {"/n"}, -7);
        row("check", "05 02.. 02.. 2f 6b 03.. 2f 7a 7a", 5, {"/k", "/zz"});
        row("wait", "06 01.. 02.. 2f 6b", 6, {"/k"});
        row("wait for nothing", "06 00..", 6);
        row("num_keys", "07", 7);
        row("delete_key", "08 02.. 2f 6b", 8, {"/k"});
        row("append", "09 02.. 2f 61 02.. 31 32", 9, {"/a", "12"});
        row("multi_get", "0a 01.. 03.. 2f 6d 31", 10, {"/m1"});
        row("multi_set", "0b 02.. 03.. 2f 6d 31 01.. 78 03.. 2f 6d 32 02.. 79 79", 11,
            {"/m1", "x", "/m2", "yy"});
        row("cancel_wait", "0c", 12);
        row("ping", "0d 0a 5d 00 00", 13, {}, 0x5D0A);
        row("queue_push", "0e 02.. 2f 71 02.. 76 31", 14, {"/q", "v1"});
        row("queue_pop", "0f 02.. 2f 71", 15, {"/q"});
        row("queue_len", "10 02.. 2f 71", 16, {"/q"});
        row("list_keys", "11", 17);
    }

    void understandsTheBytesThatTorchSends()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, opcode);
        QFETCH(QByteArrayList, strings);
        QFETCH(qlonglong, integer);
        const std::string raw = bytes.toStdString();

        const Scanned scanned = scanByteByByte(raw);
        QCOMPARE(scanned.progress, Progress::Complete);
        QCOMPARE(scanned.needed, raw.size());

        StoreRequest request;
        decodeStoreRequest(raw, request);
        QCOMPARE(static_cast<int>(request.opcode), opcode);
        QByteArrayList got;
        for (const std::string_view text : request.strings)
            got.append(QByteArray(text.data(), static_cast<int>(text.size())));
        QCOMPARE(got, strings);
        const bool isAdd = request.opcode == wire::Opcode::Add;
        QCOMPARE(isAdd ? request.number : qlonglong{request.word}, integer);
    }

    void stopsAtTheEndOfOneRequestInALineOfThem()
    {
        const std::string first = hex("03 02.. 2f 6b");
        StoreRequestScanner scanner;
        QCOMPARE(scanner.scan(first + hex("07 11")), Progress::Complete);
        QCOMPARE(scanner.size(), first.size());
    }

    void refusesALengthBeforeItsBytesCome()
    {
        QCOMPARE(problemOf(hex("12")), code::StoreProtocolViolation);
        QCOMPARE(problemOf("GET / HTTP/1.1\r\n"), code::StoreProtocolViolation);
        QCOMPARE(problemOf(withLength(hex("03"), 8193)), code::StoreLimitExceeded);
        QCOMPARE(problemOf(withLength(hex("03"), 8192)), code::None);
        QCOMPARE(problemOf(withLength(hex("03"), 1ULL << 63U)), code::StoreLimitExceeded);
        QCOMPARE(problemOf(withLength(hex("01 01.. 6b"), (8U << 20U) + 1)),
                 code::StoreLimitExceeded);
        QCOMPARE(problemOf(withLength(hex("01 01.. 6b"), 8U << 20U)), code::None);
        QCOMPARE(problemOf(withLength(hex("01 01.. 6b"), ~0ULL)), code::StoreLimitExceeded);
        QCOMPARE(problemOf(withLength(hex("05"), 131073)), code::StoreLimitExceeded);
        QCOMPARE(problemOf(withLength(hex("05"), 131072)), code::None);
        QCOMPARE(problemOf(withLength(hex("0b"), ~0ULL)), code::StoreLimitExceeded);
        // A MULTI_SET's second string is a value, its third a key again.
        QCOMPARE(problemOf(withLength(hex("0b 02.. 01.. 6b"), 8193)), code::None);
        QCOMPARE(problemOf(withLength(hex("0b 02.. 01.. 6b 01.. 76"), 8193)),
                 code::StoreLimitExceeded);
    }

    void refusesARequestOfTooMuchInAll()
    {
        const std::string value(8U << 20U, 'v');
        std::string bytes = hex("0b 08.."); // a MULTI_SET of eight
        for (int i = 0; i < 7; ++i) {
            wire::appendString(bytes, "/k");
            wire::appendString(bytes, value);
        }
        wire::appendString(bytes, "/k");
        const size_t left = wire::RequestLimit - bytes.size() - sizeof(std::uint64_t);
        QCOMPARE(problemOf(withLength(bytes, left)), code::None);
        QCOMPARE(problemOf(withLength(bytes, left + 1)), code::StoreLimitExceeded);
    }

    void looksAtEachKeyOnceHoweverManyPiecesCome()
    {
        std::vector<std::string> keys;
        for (size_t i = 0; i < wire::KeysPerRequestLimit; ++i)
            keys.push_back("/key" + std::to_string(i));
        const std::string bytes = test::keysRequest(wire::Opcode::Wait, keys);
        // In pieces of 100 bytes a scan from the start each time would look at 3 thousand million.
        StoreRequestScanner scanner;
        const std::clock_t begun = std::clock();
        Progress progress = Progress::Incomplete;
        for (size_t size = 0; progress == Progress::Incomplete; size += 100)
            progress = scanner.scan(std::string_view(bytes).substr(0, size));
        QCOMPARE(progress, Progress::Complete);
        const std::clock_t used = std::clock() - begun;
        QVERIFY2(used < 2 * CLOCKS_PER_SEC, qPrintable(QString::number(used)));
    }

    void readsRepliesInPieces()
    {
        using Kind = StoreReplyReader::Kind;
        const std::string bytes = hex("02.. 03.. 61 62 63 00..");
        StoreReplyReader reader(Kind::CountedTexts);
        for (size_t size = 0; size < bytes.size(); ++size)
            QCOMPARE(reader.read(std::string_view(bytes).substr(0, size)), false);
        QCOMPARE(reader.read(bytes), true);
        QCOMPARE(reader.size(), bytes.size());
        QCOMPARE(reader.take().texts, (std::vector<std::string>{"abc", ""}));
    }

    void doesNotBelieveAServersLengths()
    {
        using Kind = StoreReplyReader::Kind;
        StoreReplyReader value(Kind::Text);
        QVERIFY(!value.read(withLength({}, 1ULL << 40U)).has_value());
        StoreReplyReader negative(Kind::Text);
        QVERIFY(!negative.read(withLength({}, ~0ULL)).has_value());
        StoreReplyReader keys(Kind::CountedTexts);
        // A number of keys alone costs nothing.
        QCOMPARE(keys.read(withLength({}, ~0ULL)), false);
    }
};

QTEST_GUILESS_MAIN(tst_store_protocol)
#include "tst_store_protocol.moc"
