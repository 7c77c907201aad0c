#include "engine/control/ServedSearches.h"
#include "tests/TestMain.h"

#include <QtTest>

using namespace ringmaster;

namespace {

LogSearchPage foundLines(std::uint64_t from, std::uint64_t until, bool isAtEnd = true)
{
    LogSearchPage page{.matches = until, .part = 0.5, .isAtEnd = isAtEnd};
    for (std::uint64_t number = from; number < until; ++number)
        page.places.push_back({.number = number});
    return page;
}

} // namespace

/// Searches that somebody at another machine has begun.
class tst_served_searches : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneGoesOnWhereItWas()
    {
        ServedSearches searches;
        const auto first = searches.lend("a", 0, {});
        first->take(foundLines(0, 3, false));
        QCOMPARE(first->next().places.size(), size_t{3});
        searches.giveBack(first);
        const auto second = searches.lend("a", 3, {});
        QCOMPARE(second, first);
        second->take(foundLines(3, 5));
        const LogSearchPage page = second->next();
        QCOMPARE(page.places.size(), size_t{2});
        QCOMPARE(page.places.front().number, std::uint64_t{3});
        QVERIFY(page.isAtEnd);
    }

    /// As after a broken connection.
    void oneThatIsNotKnownLeavesOutWhatWasTold()
    {
        ServedSearches searches;
        const auto anew = searches.lend("a", 4, {});
        anew->take(foundLines(0, 3, false));
        QVERIFY(anew->next().places.empty());
        anew->take(foundLines(3, 6));
        const LogSearchPage page = anew->next();
        QCOMPARE(page.places.size(), size_t{2});
        QCOMPARE(page.places.front().number, std::uint64_t{4});
        QCOMPARE(page.matches, std::uint64_t{6});
    }

    void muchIsToldInParts()
    {
        ServedSearches searches;
        const auto served = searches.lend("a", 0, {});
        served->take(foundLines(0, 2 * ServedSearches::MostPlacesAtOnce + 1));
        for (int part = 0; part < 2; ++part) {
            const LogSearchPage page = served->next();
            QCOMPARE(page.places.size(), ServedSearches::MostPlacesAtOnce);
            QVERIFY(!page.isAtEnd && served->hasMore());
        }
        QCOMPARE(served->next().places.size(), size_t{1});
        QVERIFY(!served->hasMore());
    }

    void moreThanAnybodyReadsIsCounted()
    {
        ServedSearches searches;
        const auto served = searches.lend("a", ServedSearches::MostPlaces - 1, {});
        served->take(foundLines(0, ServedSearches::MostPlaces + 10));
        const LogSearchPage page = served->next();
        QCOMPARE(page.places.size(), size_t{1});
        QCOMPARE(page.matches, ServedSearches::MostPlaces + 10);
        QVERIFY(page.isAtEnd);
    }

    void nobodyGetsOneThatIsUnderWayAndTheyAreBounded()
    {
        ServedSearches searches;
        const auto busy = searches.lend("a", 0, {});
        QVERIFY(searches.lend("a", 0, {}) != busy);
        searches.giveBack(busy);
        QVERIFY(searches.lend("b", 0, {}) != busy);
        QCOMPARE(searches.lend("a", 0, {}), busy);
        searches.giveBack(busy);
        for (size_t i = 0; i < ServedSearches::MostSearches; ++i)
            searches.giveBack(searches.lend("c" + std::to_string(i), 0, {}));
        QVERIFY(searches.lend("a", 0, {}) != busy);
    }

    void aProblemIsToldOnce()
    {
        ServedSearches searches;
        const auto served = searches.lend("a", 0, {});
        LogSearchPage page;
        page.problems.push_back({.detail = "gone"});
        served->take(page);
        served->take(foundLines(0, 1));
        QCOMPARE(served->next().problems.size(), size_t{1});
        QCOMPARE(served->next().problems.size(), size_t{0});
    }
};

QTEST_APPLESS_MAIN(tst_served_searches)
#include "tst_served_searches.moc"
