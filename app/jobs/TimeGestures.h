#pragma once

#include "app/model/TimeSpan.h"
#include "app/widget/RangeGestures.h"

#include <memory>

namespace ringmaster::app {

/// The hands of RangeGestures on the one span of time that all drawings of a run share.
class TimeGestures : public RangeGestures
{
    Q_OBJECT

public:
    TimeGestures(TimeSpan& span, BareKeys bareKeys, QWidget* canvas, QWidget* keys,
                 std::function<QRect()> plot);

private:
    TimeGestures(std::unique_ptr<ShownRange> range, BareKeys bareKeys, QWidget* canvas,
                 QWidget* keys, std::function<QRect()> plot);

    std::unique_ptr<ShownRange> m_range;
};

} // namespace ringmaster::app
