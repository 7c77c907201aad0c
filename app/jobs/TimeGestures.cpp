#include "app/jobs/TimeGestures.h"

namespace ringmaster::app {

namespace {

class ShownTime : public ShownRange
{
public:
    explicit ShownTime(TimeSpan& span) : m_span(span) {}

    void select(double from, double to) override { m_span.show({timeAt(from), timeAt(to)}); }
    void zoom(double factor, double at) override { m_span.zoom(factor, at); }
    void pan(double by) override { m_span.pan(by); }
    void showAll() override { m_span.showAll(); }
    bool goBack() override { return m_span.goBack(); }

private:
    std::int64_t timeAt(double fraction) const
    {
        const TimeSpan::Range shown = m_span.shown();
        return shown.from +
               static_cast<std::int64_t>(fraction * static_cast<double>(shown.length()));
    }

    TimeSpan& m_span;
};

} // namespace

TimeGestures::TimeGestures(TimeSpan& span, BareKeys bareKeys, QWidget* canvas, QWidget* keys,
                           std::function<QRect()> plot)
    : TimeGestures(std::make_unique<ShownTime>(span), bareKeys, canvas, keys, std::move(plot))
{
}

TimeGestures::TimeGestures(std::unique_ptr<ShownRange> range, BareKeys bareKeys, QWidget* canvas,
                           QWidget* keys, std::function<QRect()> plot)
    : RangeGestures(*range, bareKeys, canvas, keys, std::move(plot)), m_range(std::move(range))
{
}

} // namespace ringmaster::app
