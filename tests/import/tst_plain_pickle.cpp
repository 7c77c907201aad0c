#include "engine/base/Files.h"
#include "engine/import/Codes.h"
#include "engine/import/PlainPickle.h"
#include "tests/import/ImportSamples.h"

#include <QtTest>

#include <random>

using namespace ringmaster;
using namespace std::string_literals;

class tst_plain_pickle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatTorchsPicklerWrites()
    {
        const auto dump = readPlainPickle(samples::sample("fr-gloo-215-rank0.pkl"));
        QVERIFY(dump);
        QCOMPARE(dump->at("version").get<std::string>(), "2.10"s);
        const auto& entry = dump->at("entries").at(0);
        QCOMPARE(entry.at("profiling_name").get<std::string>(), "gloo:all_reduce"s);
        QCOMPARE(entry.at("process_group").at(1).get<std::string>(), "default_pg"s);
        QVERIFY(entry.at("retired").get<bool>());
        QVERIFY(entry.at("time_discovered_started_ns").is_null());
        QVERIFY(entry.at("time_created_ns").get<std::int64_t>() > 1'700'000'000'000'000'000);
        QCOMPARE(entry.at("frames").at(2).at("line").get<int>(), 12);
    }

    void readsWhatPythonsPicklerWrites()
    {
        // pickle.dumps({"a": [1, -2, 2.5, None, True], 3: ("x", "x")}, protocol=4)
        const auto read =
            readPlainPickle("\x80\x04\x95\x2d\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01"
                            "a\x94]\x94(K\x01J\xfe\xff\xff\xffG@\x04\x00\x00\x00\x00\x00\x00N\x88"
                            "eK\x03\x8c\x01x\x94h\x03\x86\x94u."s);
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        QCOMPARE(read->dump(), R"({"3":["x","x"],"a":[1,-2,2.5,null,true]})"s);
    }

    /// As torch's does for the sizes of tensors.
    void aListMayComeAgain()
    {
        const auto read = readPlainPickle("\x80\x02(]q\x01K\x05"
                                          "ah\x01t."s);
        QVERIFY(read);
        QCOMPARE(read->dump(), "[[5],[5]]"s);
    }

    void refusesWhateverCouldRunAProgram_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("os.system")
            << QByteArray::fromStdString("\x80\x02"
                                         "cposix\nsystem\nX\x04\x00\x00\x00true\x85R."s);
        QTest::newRow("a class by its name on the stack")
            << QByteArray::fromStdString("\x80\x04\x8c\x02os\x8c\x06system\x93."s);
        QTest::newRow("an object that is built") << QByteArray::fromStdString("\x80\x02}}b."s);
        QTest::newRow("an object of an extension")
            << QByteArray::fromStdString("\x80\x02\x82\x01."s);
        QTest::newRow("a persistent id") << QByteArray::fromStdString("\x80\x02Q."s);
    }

    void refusesWhateverCouldRunAProgram()
    {
        QFETCH(QByteArray, bytes);
        const auto read = readPlainPickle(bytes.toStdString());
        QVERIFY(!read);
        QVERIFY(read.error().code == code::ImportUnsafe);
    }

    void refusesWhatCouldGrowWithoutEnd()
    {
        // a = []; a.append(a)
        QVERIFY(!readPlainPickle("\x80\x02]q\x01h\x01"
                                 "a."s));
        std::string twofold = "\x80\x02(]q\x01"s;
        for (int i = 0; i < 30; ++i)
            twofold += "h\x01h\x01\x86q\x01"s;
        const auto grown = readPlainPickle(twofold + "t.");
        QVERIFY(!grown);
        QCOMPARE(grown.error().parameters.at("reason"), "it has too many values"s);
        std::string deep = "\x80\x02N"s;
        for (int i = 0; i < 100'000; ++i)
            deep += '\x85';
        const auto read = readPlainPickle(deep + '.');
        QVERIFY(!read);
        QVERIFY(read.error().code == code::ImportDamaged);
        std::string long_ = "\x80\x02(X\xff\xff\x00\x00"s + std::string(0xffff, 'x') + "q\x01"s;
        for (int i = 0; i < 10'000; ++i)
            long_ += "h\x01"s;
        QVERIFY(!readPlainPickle(long_ + "t."));
    }

    void refusesWhatIsCutOffOrDamaged()
    {
        const std::string whole = samples::sample("fr-gloo-215-rank1.pkl");
        QVERIFY(readPlainPickle(whole));
        for (size_t length = 0; length < whole.size(); ++length)
            QVERIFY(!readPlainPickle(whole.substr(0, length)));
        QVERIFY(!readPlainPickle(whole + "."));
        std::mt19937 random(7);
        for (int i = 0; i < 2000; ++i) {
            std::string damaged = whole;
            for (int hits = 0; hits < 3; ++hits)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            (void)readPlainPickle(damaged);
        }
    }
};

QTEST_GUILESS_MAIN(tst_plain_pickle)
#include "tst_plain_pickle.moc"
