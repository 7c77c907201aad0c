#pragma once

#include "engine/lesson/Lanes.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace ringmaster::app {

using LaneKind = lesson::Lanes::Span::Kind;

/// Colour, and a shape that goes without it: flat, an outline, full, hatched.
void paintLaneSpan(QPainter& painter, const QRectF& place, LaneKind kind);

/// Requests that are under way meanwhile, along the lower edge.
void paintLaneRequests(QPainter& painter, const QRectF& place);

/// "computes", "held by the reader". A recorded job tells of operations only.
QString laneText(LaneKind kind, bool isRecordedJob);

/// Of one rank: "computes 40 ms, held by the reader 1.3 s"; measured, not as far as it is drawn.
QString laneSums(const std::vector<lesson::Lanes::Span>& lane, bool isRecordedJob);

} // namespace ringmaster::app
