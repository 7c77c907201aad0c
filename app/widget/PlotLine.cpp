#include "app/widget/PlotLine.h"

#include <QRectF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringmaster::app {

namespace {

const QPointF Interruption{std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::quiet_NaN()};

QPointF between(const QPointF& one, const QPointF& other, double x)
{
    const double share = (x - one.x()) / (other.x() - one.x());
    return {x, one.y() + share * (other.y() - one.y())};
}

/// What of a line is within the axis; its ends are moved to the edges.
PlotLine::Piece clipped(const PlotLine::Piece& piece)
{
    PlotLine::Piece inside;
    for (size_t i = 0; i < piece.size(); ++i) {
        const QPointF& point = piece[i];
        if (i > 0 && piece[i - 1].x() < 0 && point.x() > 0)
            inside.push_back(between(piece[i - 1], point, 0));
        if (point.x() >= 0 && point.x() <= 1)
            inside.push_back(point);
        if (i > 0 && piece[i - 1].x() < 1 && point.x() > 1)
            inside.push_back(between(piece[i - 1], point, 1));
    }
    return inside;
}

/// The least and the greatest of each column, in their order.
PlotLine::Piece thinned(const PlotLine::Piece& piece, int columns)
{
    const auto columnOf = [columns](const QPointF& point) {
        return std::min(columns - 1, static_cast<int>(std::floor(point.x() * columns)));
    };
    PlotLine::Piece kept;
    for (size_t begin = 0; begin < piece.size();) {
        size_t end = begin;
        size_t least = begin;
        size_t greatest = begin;
        for (; end < piece.size() && columnOf(piece[end]) == columnOf(piece[begin]); ++end) {
            least = piece[end].y() < piece[least].y() ? end : least;
            greatest = piece[end].y() > piece[greatest].y() ? end : greatest;
        }
        kept.push_back(piece[std::min(least, greatest)]);
        if (least != greatest)
            kept.push_back(piece[std::max(least, greatest)]);
        begin = end;
    }
    return kept;
}

} // namespace

double PlotAxis::fractionOf(double value) const
{
    if (scale == Scale::Linear)
        return (value - from) / (to - from);
    return value > 0 ? std::log(value / from) / std::log(to / from)
                     : std::numeric_limits<double>::quiet_NaN();
}

double PlotAxis::valueAt(double fraction) const
{
    return scale == Scale::Linear ? from + fraction * (to - from)
                                  : from * std::pow(to / from, fraction);
}

PlotLine::PlotLine(const PlotSeries& series, const PlotAxis& horizontal, const PlotAxis& vertical,
                   int columns)
{
    std::vector<Piece> whole(1);
    const QPointF* before = nullptr;
    auto nextBreak = series.breaks.begin();
    for (const QPointF& point : series.points) {
        const QPointF place(horizontal.fractionOf(point.x()), vertical.fractionOf(point.y()));
        if (!std::isfinite(place.x()) || !std::isfinite(place.y())) {
            before = nullptr;
            continue;
        }
        while (nextBreak != series.breaks.end() && before != nullptr && *nextBreak <= before->x())
            ++nextBreak;
        const bool isBroken = nextBreak != series.breaks.end() && *nextBreak <= point.x();
        const bool isGap = before == nullptr || isBroken ||
                           (series.longestGap > 0 && point.x() - before->x() > series.longestGap);
        if (isGap && !whole.back().empty())
            whole.emplace_back();
        whole.back().push_back(place);
        before = &point;
    }
    for (const Piece& piece : whole) {
        Piece drawn = thinned(clipped(piece), std::max(1, columns));
        if (!drawn.empty())
            m_pieces.push_back(std::move(drawn));
    }
}

std::vector<PlotLine::Piece> cutIntoDashes(const PlotLine::Piece& line,
                                           const std::vector<double>& dashes)
{
    std::vector<PlotLine::Piece> parts;
    if (line.empty())
        return parts;
    size_t dash = 0;
    double left = dashes.front();
    const auto isOn = [&dash] { return dash % 2 == 0; };
    parts.push_back({line.front()});
    for (size_t i = 1; i < line.size(); ++i) {
        QPointF at = line[i - 1];
        while (line[i].x() - at.x() > left) {
            at = between(at, line[i], at.x() + left);
            if (isOn())
                parts.back().push_back(at);
            else
                parts.push_back({at});
            dash = (dash + 1) % dashes.size();
            left = dashes[dash];
        }
        left -= line[i].x() - at.x();
        if (isOn())
            parts.back().push_back(line[i]);
    }
    return parts;
}

std::vector<QPointF> PlotLine::dashed(const std::vector<double>& dashes, QSizeF plot) const
{
    const double width = std::max(1.0, plot.width());
    std::vector<double> fractions;
    for (const double dash : dashes)
        fractions.push_back(dash / width);
    std::vector<QPointF> line;
    const auto append = [&line](const Piece& part) {
        if (!line.empty())
            line.push_back(Interruption);
        line.insert(line.end(), part.begin(), part.end());
    };
    for (const Piece& piece : m_pieces) {
        // A point alone is seen, too.
        const QPointF half(0.75 / width, 0);
        if (piece.size() == 1)
            append({piece.front() - half, piece.front() + half});
        else if (dashes.empty())
            append(piece);
        else
            for (const Piece& part : cutIntoDashes(piece, fractions))
                append(part);
    }
    return line;
}

void paintPoints(QPainter& painter, const QRectF& plot, const PlotLine& line,
                 const SeriesLook& look, const QColor& color)
{
    constexpr double ShapeSize = 7;
    constexpr double RoomForAll = 16; // pixels
    constexpr double RoomWhereDense = 72;
    for (const PlotLine::Piece& piece : line.pieces()) {
        const double width = (piece.back().x() - piece.front().x()) * plot.width();
        const double spacing = piece.size() > 1 ? width / double(piece.size() - 1) : RoomForAll;
        const double room = spacing >= RoomForAll ? 0 : RoomWhereDense;
        double next = std::numeric_limits<double>::max();
        for (auto point = piece.rbegin(); point != piece.rend(); ++point) {
            const QPointF at(plot.left() + point->x() * plot.width(),
                             plot.bottom() - point->y() * plot.height());
            if (at.x() > next || at.y() < plot.top() - ShapeSize || at.y() > plot.bottom() + 1)
                continue;
            next = at.x() - room;
            paintPoint(painter, look, color, at, ShapeSize);
        }
    }
}

} // namespace ringmaster::app
