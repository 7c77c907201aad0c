#include "app/widget/PlotRange.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr double Narrowest = 1e-4;
constexpr size_t MostKept = 50;

} // namespace

void PlotRange::keep(bool isAdjustment)
{
    if (!(isAdjustment && m_isAdjusting))
        m_before.push_back(m_shown);
    if (m_before.size() > MostKept)
        m_before.erase(m_before.begin());
    m_isAdjusting = isAdjustment;
}

void PlotRange::show(Part part)
{
    const double width = std::clamp(part.to - part.from, Narrowest, 1.0);
    const double from = std::clamp(part.from, 0.0, 1 - width);
    m_shown = width >= 1 ? Part() : Part{from, from + width};
    Q_EMIT changed();
}

void PlotRange::select(double from, double to)
{
    keep(false);
    const double width = m_shown.to - m_shown.from;
    show({m_shown.from + from * width, m_shown.from + to * width});
}

void PlotRange::zoom(double factor, double at)
{
    if (showsAll() && factor < 1)
        return;
    keep(true);
    const double width = m_shown.to - m_shown.from;
    const double wanted = width / factor;
    const double from = m_shown.from + (width - wanted) * at;
    show({from, from + wanted});
}

void PlotRange::pan(double by)
{
    if (showsAll())
        return;
    keep(true);
    const double way = by * (m_shown.to - m_shown.from);
    show({m_shown.from + way, m_shown.to + way});
}

void PlotRange::showAll()
{
    m_before.clear();
    m_isAdjusting = false;
    show({});
}

bool PlotRange::goBack()
{
    m_isAdjusting = false;
    if (m_before.empty())
        return false;
    const Part part = m_before.back();
    m_before.pop_back();
    show(part);
    return true;
}

} // namespace ringmaster::app
