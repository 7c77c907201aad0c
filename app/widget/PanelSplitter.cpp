#include "app/widget/PanelSplitter.h"

#include <algorithm>

namespace ringmaster::app {

PanelSplitter::PanelSplitter(Qt::Orientation orientation, QWidget* parent)
    : QSplitter(orientation, parent)
{
    setHandleWidth(12);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, &PanelSplitter::rememberSizes);
}

void PanelSplitter::setDefaultSizes(const QList<int>& sizes)
{
    if (!isChosen())
        setSizes(sizes);
}

/// What isn't shown now keeps the size that it had.
void PanelSplitter::rememberSizes()
{
    QList<int> now = sizes();
    for (int i = 0; i < now.size(); ++i) {
        if (now[i] == 0 && i < m_chosen.size())
            now[i] = m_chosen[i];
    }
    m_chosen = now;
    Q_EMIT chosenNow();
}

QVariantList PanelSplitter::chosen() const
{
    QVariantList list;
    for (const int size : m_chosen)
        list << size;
    return list;
}

bool PanelSplitter::choose(const QVariantList& sizes)
{
    QList<int> wanted;
    for (const QVariant& size : sizes)
        wanted << size.toInt();
    const bool isUsable =
        wanted.size() == count() && std::ranges::all_of(wanted, [](int size) { return size >= 0; });
    if (!isUsable)
        return false;
    m_chosen = wanted;
    setSizes(wanted);
    return true;
}

bool PanelSplitter::nudge(const QWidget* place, int by)
{
    QList<int> now = sizes();
    for (int i = 0; i < count(); ++i) {
        if (widget(i) != place && !widget(i)->isAncestorOf(place))
            continue;
        for (const int step : {1, -1}) {
            int other = i + step;
            while (other >= 0 && other < count() && !widget(other)->isVisibleTo(this))
                other += step;
            if (other < 0 || other >= count())
                continue;
            now[i] += by;
            now[other] -= by;
            setSizes(now);
            rememberSizes();
            return true;
        }
    }
    return false;
}

void PanelSplitter::nameHandles(const QString& name)
{
    for (int i = 1; i < count(); ++i)
        handle(i)->setAccessibleName(name);
}

} // namespace ringmaster::app
