#include "app/learn/LaneLook.h"

#include "app/bridge/Words.h"
#include "app/learn/LaneView.h"
#include "app/widget/Tokens.h"

#include <QPainter>

#include <map>

namespace ringmaster::app {

namespace {

/// Nothing is done: an outline with thin lines, in no colour.
void paintHeld(QPainter& painter, const QRectF& place)
{
    const Tokens& tokens = themeTokens();
    const double thin = place.height() * 0.18;
    const QRectF box = place.adjusted(0, thin, 0, -thin);
    painter.fillRect(box, QBrush(withAlpha(tokens.mutedText, 0.35), Qt::FDiagPattern));
    painter.setPen(QPen(withAlpha(tokens.mutedText, 0.7), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
}

void paintFlat(QPainter& painter, const QRectF& place, double alpha)
{
    const double thin = place.height() * 0.3;
    painter.fillRect(place.adjusted(0, thin, 0, -thin),
                     withAlpha(themeTokens().neutral.fill, alpha));
}

} // namespace

void paintLaneSpan(QPainter& painter, const QRectF& place, LaneKind kind)
{
    const Tokens& tokens = themeTokens();
    switch (kind) {
    case LaneKind::Computing: return paintFlat(painter, place, 0.9);
    case LaneKind::ComputingOrHeld: return paintFlat(painter, place, 0.4);
    case LaneKind::Held: return paintHeld(painter, place);
    case LaneKind::Calling: return painter.fillRect(place, withAlpha(tokens.running.fill, 0.9));
    case LaneKind::Waiting:
        painter.fillRect(place, withAlpha(tokens.warning.fill, 0.35));
        return painter.fillRect(place, QBrush(tokens.warning.fill, Qt::BDiagPattern));
    case LaneKind::Stopped:
        painter.fillRect(place, withAlpha(tokens.stopped.fill, 0.35));
        return painter.fillRect(place, QBrush(tokens.stopped.fill, Qt::DiagCrossPattern));
    }
}

void paintLaneRequests(QPainter& painter, const QRectF& place)
{
    painter.fillRect(QRectF(place.left(), place.bottom() - 2, place.width(), 2.5),
                     themeTokens().running.fill);
}

QString laneText(LaneKind kind, bool isRecordedJob)
{
    switch (kind) {
    case LaneKind::Computing:
        return isRecordedJob ? LaneView::tr("outside of operations") : LaneView::tr("computes");
    case LaneKind::Held: return LaneView::tr("held by the reader");
    case LaneKind::ComputingOrHeld: return LaneView::tr("computes or is held");
    case LaneKind::Calling: return LaneView::tr("in an operation");
    case LaneKind::Waiting: return LaneView::tr("waits for others");
    case LaneKind::Stopped: return LaneView::tr("stopped by a signal");
    }
    return {};
}

QString laneSums(const std::vector<lesson::Lanes::Span>& lane, bool isRecordedJob)
{
    std::map<LaneKind, std::int64_t> sums;
    for (const lesson::Lanes::Span& span : lane)
        sums[span.kind] += span.lastedNs;
    QStringList parts;
    for (const auto& [kind, ns] : sums)
        parts << LaneView::tr("%1 %2").arg(laneText(kind, isRecordedJob), fineDurationText(ns));
    return parts.join(LaneView::tr(", "));
}

} // namespace ringmaster::app
