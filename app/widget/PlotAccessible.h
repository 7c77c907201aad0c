#pragma once

#include <QAccessibleWidget>

namespace ringmaster::app {

class PlotView;

/// A plot for screen readers: a chart whose description says in words what its lines show, and
/// first what is under the cross-hair. Made only when somebody asks.
class PlotAccessible : public QAccessibleWidget
{
public:
    explicit PlotAccessible(PlotView& view);

    QString text(QAccessible::Text part) const override;

    static void install();
    /// The cross-hair was moved with the keyboard.
    static void tell(PlotView& view);

private:
    const PlotView& m_view;
};

} // namespace ringmaster::app
