#include "engine/store/Codes.h"
#include "engine/store/KeySpace.h"

#include <QtTest>

using namespace ringmaster;

namespace {

class TestWaiter final : public KeySpace::Waiter
{
public:
    using Waiter::Waiter;
    int told = 0;

private:
    void keysArrived() override { ++told; }
};

using Keys = std::vector<std::string_view>;

} // namespace

class tst_key_space : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comparesAndSetsAsTorchDoes()
    {
        KeySpace keys({});
        QCOMPARE(keys.compareSet("k", "x", "y"), std::string_view("x"));
        QVERIFY(!keys.contains("k"));
        QCOMPARE(keys.compareSet("k", "", "A"), std::string_view("A"));
        QCOMPARE(keys.compareSet("k", "A", "B"), std::string_view("B"));
        QCOMPARE(keys.compareSet("k", "A", "C"), std::string_view("B"));
        QCOMPARE(keys.compareSet("k", "", "C"), std::string_view("B"));
        QCOMPARE(*keys.find("k"), std::string("B"));
    }

    void addsToWhateverStartsWithANumber()
    {
        KeySpace keys({});
        QCOMPARE(keys.add("n", 5), 5);
        QCOMPARE(keys.add("n", -7), -2);
        QCOMPARE(*keys.find("n"), std::string("-2"));
        QVERIFY(keys.set("n", " \t+12abc"));
        QCOMPARE(keys.add("n", 1), 13);
        for (const char* text : {"", "abc", "+-5", "- 5", "+"}) {
            QVERIFY(keys.set("n", text));
            QCOMPARE(keys.add("n", 1).error().code, code::StoreNotANumber);
            QCOMPARE(*keys.find("n"), std::string(text));
        }
    }

    void refusesToOverflow()
    {
        KeySpace keys({});
        const auto most = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(keys.add("n", most), most);
        QCOMPARE(keys.add("n", 1).error().code, code::StoreNumberTooLarge);
        QVERIFY(keys.set("n", "9223372036854775808"));
        QCOMPARE(keys.add("n", -1).error().code, code::StoreNumberTooLarge);
        QCOMPARE(keys.add("m", std::numeric_limits<std::int64_t>::min()), -most - 1);
        QCOMPARE(keys.add("m", -1).error().code, code::StoreNumberTooLarge);
    }

    void appendsCreatesAndErases()
    {
        KeySpace keys({});
        QVERIFY(keys.append("a", "12"));
        QVERIFY(keys.append("a", "34"));
        QCOMPARE(*keys.find("a"), std::string("1234"));
        QVERIFY(keys.erase("a"));
        QVERIFY(!keys.erase("a"));
        QCOMPARE(keys.keyCount(), size_t{0});
        QCOMPARE(keys.bytes(), size_t{0});
    }

    void tellsAWaiterOnceItsLastKeyCame()
    {
        KeySpace keys({});
        TestWaiter waiter(keys);
        QVERIFY(keys.set("there", ""));
        QCOMPARE(keys.wait(Keys{"a", "there", "b", "a"}, waiter), false);
        QVERIFY(keys.set("a", "1"));
        keys.tellWaiters();
        QCOMPARE(waiter.told, 0);
        // What came and went counts as come.
        QVERIFY(keys.erase("a"));
        QVERIFY(keys.add("b", 1));
        QCOMPARE(waiter.told, 0);
        keys.tellWaiters();
        QCOMPARE(waiter.told, 1);
        QVERIFY(!waiter.isWaiting());
        QVERIFY(keys.set("b", "2"));
        keys.tellWaiters();
        QCOMPARE(waiter.told, 1);
    }

    void everyWriteWakes_data()
    {
        QTest::addColumn<int>("kind");
        const char* kinds[] = {"set", "append", "add", "compare_set", "multi_set", "queue_push"};
        for (int i = 0; i < 6; ++i)
            QTest::newRow(kinds[i]) << i;
    }

    void everyWriteWakes()
    {
        QFETCH(int, kind);
        KeySpace keys({});
        TestWaiter waiter(keys);
        QCOMPARE(keys.wait(Keys{"k"}, waiter), false);
        switch (kind) {
        case 0: QVERIFY(keys.set("k", "")); break;
        case 1: QVERIFY(keys.append("k", "")); break;
        case 2: QVERIFY(keys.add("k", 0)); break;
        case 3: QVERIFY(keys.compareSet("k", "", "")); break;
        case 4: QVERIFY(keys.setAll(Keys{"other", "", "k", ""})); break;
        case 5: QVERIFY(keys.pushToQueue("k", "")); break;
        }
        keys.tellWaiters();
        QCOMPARE(waiter.told, 1);
    }

    void oneQueuedElementWakesTheOneThatWaitsLongest()
    {
        KeySpace keys({});
        TestWaiter first(keys);
        TestWaiter second(keys);
        QCOMPARE(keys.wait(Keys{"q"}, first), false);
        QCOMPARE(keys.wait(Keys{"q"}, second), false);
        QVERIFY(keys.pushToQueue("q", "v1"));
        keys.tellWaiters();
        QCOMPARE(first.told, 1);
        QCOMPARE(second.told, 0);
        QCOMPARE(keys.queueLength("q"), size_t{1});
        QVERIFY(keys.contains("q"));
        QCOMPARE(keys.keyCount(), size_t{0});
        QCOMPARE(keys.popFromQueue("q"), std::string("v1"));
        QVERIFY(!keys.popFromQueue("q"));
        QVERIFY(!keys.contains("q"));
    }

    void aWaiterThatCancelsOrDiesIsForgotten()
    {
        KeySpace keys({});
        TestWaiter waiter(keys);
        {
            TestWaiter shortLived(keys);
            QCOMPARE(keys.wait(Keys{"a", "b"}, shortLived), false);
        }
        QCOMPARE(keys.wait(Keys{"a", "b"}, waiter), false);
        QVERIFY(keys.set("a", ""));
        waiter.cancelWait();
        QVERIFY(keys.set("b", ""));
        keys.tellWaiters();
        QCOMPARE(waiter.told, 0);
        // Cancelled between its last key and being told.
        QCOMPARE(keys.wait(Keys{"c"}, waiter), false);
        QVERIFY(keys.set("c", ""));
        waiter.cancelWait();
        keys.tellWaiters();
        QCOMPARE(waiter.told, 0);
        QVERIFY(keys.erase("a") && keys.erase("b") && keys.erase("c"));
        QCOMPARE(keys.bytes(), size_t{0});
    }

    void keepsWithinItsLimitsAndSetsAllOrNothing()
    {
        KeySpace keys({.bytes = 2000, .keys = 3});
        QVERIFY(keys.setAll(Keys{"a", "1", "b", "2", "c", "3"}));
        QCOMPARE(keys.set("d", "4").error().code, code::StoreFull);
        QVERIFY(keys.set("a", "overwritten"));
        QVERIFY(keys.erase("b"));
        QCOMPARE(keys.setAll(Keys{"b", "2", "d", "4"}).error().code, code::StoreFull);
        QVERIFY(!keys.contains("b"));
        const std::string large(2000, 'x');
        QCOMPARE(keys.set("b", large).error().code, code::StoreFull);
        QCOMPARE(keys.append("a", large).error().code, code::StoreFull);
        QCOMPARE(keys.pushToQueue("q", large).error().code, code::StoreFull);
        QCOMPARE(keys.compareSet("c", "3", large).error().code, code::StoreFull);
        TestWaiter waiter(keys);
        QCOMPARE(keys.wait(Keys{large}, waiter).error().code, code::StoreFull);
        QVERIFY(!waiter.isWaiting());
        QVERIFY(keys.erase("a") && keys.erase("c"));
        QCOMPARE(keys.bytes(), size_t{0});
    }

    void asksTheFilterAboutWhatAKeyOfARendezvousWouldHold()
    {
        std::vector<std::string> asked;
        KeySpace keys({}, [&asked](std::string_view key, std::string_view value) {
            asked.push_back(std::string(key) + "=" + std::string(value));
            return value != "bad";
        });
        QVERIFY(keys.set("/other", "bad"));
        QVERIFY(keys.set("/torch.rendezvous.id", "ba"));
        QCOMPARE(keys.append("/torch.rendezvous.id", "d").error().code, code::StoreWriteRefused);
        QCOMPARE(keys.compareSet("/torch.rendezvous.id", "ba", "bad").error().code,
                 code::StoreWriteRefused);
        QCOMPARE(keys.setAll(Keys{"/a", "1", "/torch.rendezvous.x", "bad"}).error().code,
                 code::StoreWriteRefused);
        QVERIFY(!keys.contains("/a"));
        QVERIFY(keys.add("/torch.rendezvous.n", 3));
        QCOMPARE(*keys.find("/torch.rendezvous.id"), std::string("ba"));
        QCOMPARE(asked.front(), std::string("torch.rendezvous.id=ba"));
        QCOMPARE(asked.back(), std::string("torch.rendezvous.n=3"));
    }
};

QTEST_GUILESS_MAIN(tst_key_space)
#include "tst_key_space.moc"
