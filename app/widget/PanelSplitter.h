#pragma once

#include <QSplitter>
#include <QVariantList>

namespace ringmaster::app {

/// A splitter whose sizes are its owner's until somebody moves a handle, with the mouse or by
/// nudge(); from then on they are his.
class PanelSplitter : public QSplitter
{
    Q_OBJECT

public:
    explicit PanelSplitter(Qt::Orientation orientation, QWidget* parent = nullptr);

    /// Of all widgets, also of those that aren't shown.
    void setDefaultSizes(const QList<int>& sizes);
    /// What somebody chose; empty: nothing.
    QVariantList chosen() const;
    /// False, and nothing is changed, for what isn't of these widgets.
    bool choose(const QVariantList& sizes);
    bool isChosen() const { return !m_chosen.isEmpty(); }
    void forget() { m_chosen.clear(); }
    /// Makes the place where this widget is larger, at the cost of the next one; false: it isn't
    /// here, or alone.
    bool nudge(const QWidget* widget, int by);
    /// Names the handles for screen readers.
    void nameHandles(const QString& name);

Q_SIGNALS:
    void chosenNow();

private:
    void rememberSizes();

    QList<int> m_chosen;
};

} // namespace ringmaster::app
