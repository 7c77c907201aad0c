#include "engine/diagnose/PauseFold.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ringmaster::diagnose {

namespace {

/// Of the dispersion, that the fold has to explain; and more than by chance.
constexpr double LeastExplained = 0.25;
constexpr double Deviations = 6;
/// Of what the best one explains: its multiples explain a little more.
constexpr double NearTheBest = 0.9;
/// The pause before a step, beside the others.
constexpr double TimesAll = 3;
constexpr double TimesEach = 2;
/// A program that only calls: between two calls it makes the next gradient.
constexpr double LongestOfACaller = 1e6;
/// How often a round begins in flight, within a step and at a step's beginning: there it seems to
/// when a call's end is written down later than who waits for it goes on.
constexpr double OftenInFlight = 0.4;
constexpr double RarelyInFlight = 0.3;

struct Pauses
{
    std::vector<double> logarithms{};
    std::vector<double> ranks{};
    double dispersion = 0; ///< Of the ranks: the sum of squares.
};

Pauses measured(std::span<const RoundPause> pauses)
{
    constexpr double Shortest = 20'000; // below that all are alike: the time of a call
    Pauses all;
    for (const RoundPause& pause : pauses)
        all.logarithms.push_back(std::log(std::max(Shortest, static_cast<double>(pause.ns))));
    std::vector<size_t> order(pauses.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::sort(order, {}, [&](size_t at) { return all.logarithms[at]; });
    all.ranks.resize(order.size());
    const double middle = (static_cast<double>(order.size()) - 1) / 2;
    for (size_t from = 0; from < order.size();) {
        size_t until = from;
        while (until < order.size() && all.logarithms[order[until]] == all.logarithms[order[from]])
            ++until;
        const double rank = static_cast<double>(from + until - 1) / 2 - middle;
        for (; from < until; ++from) {
            all.ranks[order[from]] = rank;
            all.dispersion += rank * rank;
        }
    }
    return all;
}

/// All pauses at one place of the fold.
struct Place
{
    double count = 0;
    double ranks = 0;
    double logarithms = 0;
    double inFlight = 0;

    double mean() const { return std::exp(logarithms / count); } ///< The geometric one.
};

std::vector<Place> folded(std::span<const RoundPause> pauses, const Pauses& all, size_t together)
{
    std::vector<Place> places(together);
    for (size_t i = 0; i < pauses.size(); ++i) {
        Place& place = places[i % together];
        place.count += 1;
        place.ranks += all.ranks[i];
        place.logarithms += all.logarithms[i];
        place.inFlight += pauses[i].isInFlight ? 1 : 0;
    }
    return places;
}

/// The part of the dispersion that is between the places; less what chance explains. 0: it may be
/// chance.
double explained(const std::vector<Place>& places, const Pauses& all)
{
    double between = 0;
    for (const Place& place : places)
        between += place.ranks * place.ranks / place.count;
    const auto count = static_cast<double>(all.ranks.size());
    const double freedom = static_cast<double>(places.size()) - 1;
    const double statistic = all.dispersion > 0 ? (count - 1) * between / all.dispersion : 0;
    if (statistic < freedom + Deviations * std::sqrt(2 * freedom))
        return 0;
    return (statistic - freedom) / (count - 1 - freedom);
}

/// Whether the first place alone is one where the program does more than call.
bool isAStep(const std::vector<Place>& places, size_t first)
{
    const Place& begin = places[first];
    if (begin.inFlight > RarelyInFlight * begin.count)
        return false;
    double logarithms = 0;
    double count = 0;
    for (size_t i = 0; i < places.size(); ++i) {
        const Place& place = places[i];
        if (i == first)
            continue;
        const bool isWithin =
            place.mean() < LongestOfACaller || place.inFlight >= OftenInFlight * place.count;
        if (!isWithin || begin.mean() < TimesEach * place.mean())
            return false;
        logarithms += place.logarithms;
        count += place.count;
    }
    return begin.mean() >= TimesAll * std::exp(logarithms / count);
}

} // namespace

std::optional<PauseFold> foldOf(std::span<const RoundPause> pauses, size_t leastSteps)
{
    const Pauses all = measured(pauses);
    std::optional<PauseFold> best;
    double most = LeastExplained;
    for (size_t together = 2; together * leastSteps <= pauses.size(); ++together) {
        const std::vector<Place> places = folded(pauses, all, together);
        const double part = explained(places, all);
        if (part < most)
            continue;
        const auto longest = std::ranges::max_element(places, {}, &Place::mean);
        const auto first = static_cast<size_t>(longest - places.begin());
        if (!isAStep(places, first))
            continue;
        best = PauseFold{together, first};
        most = part / NearTheBest;
    }
    return best;
}

} // namespace ringmaster::diagnose
