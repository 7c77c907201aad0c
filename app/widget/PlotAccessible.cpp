#include "app/widget/PlotAccessible.h"

#include "app/widget/PlotView.h"

namespace ringmaster::app {

namespace {

QAccessibleInterface* makePlotInterface(const QString&, QObject* object)
{
    auto* view = qobject_cast<PlotView*>(object);
    return view == nullptr ? nullptr : new PlotAccessible(*view);
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
    const QString words = m_view.description();
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
