#include "app/widget/PlotAccessible.h"

#include "app/widget/PlotView.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

QAccessibleInterface* makePlotInterface(const QString&, QObject* object)
{
    auto* view = qobject_cast<PlotView*>(object);
    return view == nullptr ? nullptr : new PlotAccessible(*view);
}

QString wordsOf(const PlotView& view, int index)
{
    const PlotSeries& line = view.series()[static_cast<size_t>(index)];
    const PlotLabel& value = view.vertical().text;
    if (!view.isShown(index))
        return PlotView::tr("%1: hidden").arg(line.name);
    if (line.points.empty())
        return PlotView::tr("%1: nothing measured").arg(line.name);
    if (line.isLimit)
        return PlotView::tr("%1: %2").arg(line.name, value(line.points.front().y()));
    const auto [least, most] = std::ranges::minmax_element(line.points, {}, &QPointF::y);
    return PlotView::tr("%1: %2 to %3, last %4")
        .arg(line.name, value(least->y()), value(most->y()), value(line.points.back().y()));
}

QString descriptionOf(const PlotView& view)
{
    QStringList sentences;
    if (const QString reading = view.readingText(); !reading.isEmpty())
        sentences << QString(reading).replace(u'\n', QStringLiteral(", "));
    for (int i = 0; i < static_cast<int>(view.series().size()) && view.vertical().text; ++i)
        sentences << wordsOf(view, i);
    return sentences.join(QStringLiteral("; "));
}

} // namespace

PlotAccessible::PlotAccessible(PlotView& view)
    : QAccessibleWidget(&view, QAccessible::Chart), m_view(view)
{
}

QString PlotAccessible::text(QAccessible::Text part) const
{
    const QString own = QAccessibleWidget::text(part);
    if (part != QAccessible::Description)
        return own;
    const QString words = descriptionOf(m_view);
    return own.isEmpty() ? words : own + u' ' + words;
}

void PlotAccessible::install()
{
    QAccessible::installFactory(makePlotInterface);
}

void PlotAccessible::tell(PlotView& view)
{
    QAccessibleEvent event(&view, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

} // namespace ringmaster::app
