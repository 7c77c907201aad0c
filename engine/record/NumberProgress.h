#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ringmaster {

/// How fast a counter goes, measured by when it was printed; tells when it reaches its total. Pure.
class NumberProgress
{
public:
    void add(std::int64_t ns, double value, std::optional<double> total);

    double value() const { return m_value; }
    std::optional<double> total() const { return m_total; }
    std::int64_t atNs() const { return m_atNs; } ///< When it was printed last.
    /// It began anew once, as steps do with each epoch.
    bool hasRestarted() const { return m_hasRestarted; }
    bool hasMoved() const { return m_samples.size() > 1; }
    bool hasFractions() const { return m_hasFractions; } ///< As "epoch 0.1" has.
    double firstValue() const { return m_firstValue; }

    /// Units a second, of the later half of what was seen; nothing: it hasn't moved.
    std::optional<double> perSecond() const;
    /// When it reaches its total if it goes on like that. Nothing where that can't be said: no
    /// total, no rate, or it stands still for much longer than it did before. Without the time
    /// that it is now, nothing either.
    std::optional<std::int64_t> reachesTotalNs(std::optional<std::int64_t> nowNs) const;
    /// The same of so many units from here.
    std::optional<std::int64_t> reachesNs(double units, std::optional<std::int64_t> nowNs) const;

private:
    struct Sample
    {
        std::int64_t ns = 0;
        double done = 0; ///< Since it was seen first, over all restarts of the counter.
    };

    double m_value = 0;
    std::optional<double> m_total{};
    std::int64_t m_atNs = 0;
    std::int64_t m_longestPauseNs = 0;
    double m_done = 0;
    double m_firstValue = 0;
    bool m_isSeen = false;
    bool m_hasFractions = false;
    bool m_hasRestarted = false;
    std::vector<Sample> m_samples; ///< Of when it moved; thinned, the last among them.
    Sample m_last{};
};

} // namespace ringmaster
