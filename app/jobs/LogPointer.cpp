#include "app/jobs/LogPointer.h"

#include "app/jobs/LogView.h"
#include "app/model/LogModel.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <utility>

namespace ringmaster::app {

LogPointer::LogPointer(LogView& view) : QObject(&view), m_view(view)
{
    view.viewport()->setMouseTracking(true);
    view.viewport()->installEventFilter(this);
}

std::optional<SourceMention> LogPointer::mentionIn(const QModelIndex& row) const
{
    return m_pointed.row == row ? m_pointed.mention : std::nullopt;
}

void LogPointer::forget()
{
    m_pressed = {};
    pointAt({});
}

LogPointer::Target LogPointer::targetAt(const QPoint& place) const
{
    const QModelIndex index = m_view.indexAt(place);
    if (!index.isValid())
        return {};
    const QPoint inRow = place - m_view.visualRect(index).topLeft();
    const LogRowLayout& layout = m_view.layoutOf(index);
    return {index, layout.mentionAt(inRow), layout.isFoldAt(inRow)};
}

void LogPointer::pointAt(const Target& target)
{
    const auto beginOf = [](const Target& one) { return one.mention ? one.mention->begin : -1; };
    const bool isOther = target.row != m_pointed.row || beginOf(target) != beginOf(m_pointed);
    m_pointed = target;
    m_view.viewport()->setCursor(target.isThere() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (isOther)
        m_view.viewport()->update();
}

void LogPointer::press(const QMouseEvent& event)
{
    const bool isPlain = event.button() == Qt::LeftButton && event.modifiers() == Qt::NoModifier;
    m_pressed = isPlain ? targetAt(event.pos()) : Target();
}

/// Where it was pressed, too: else lines were selected.
void LogPointer::release(const QMouseEvent& event)
{
    const Target pressed = std::exchange(m_pressed, {});
    const Target target = targetAt(event.pos());
    if (!pressed.isThere() || !target.isThere() || target.row != pressed.row)
        return;
    if (target.isFold && pressed.isFold)
        Q_EMIT foldChosen(target.row.row());
    else if (target.mention && pressed.mention && target.mention->place == pressed.mention->place)
        Q_EMIT sourceChosen(target.mention->place);
}

bool LogPointer::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseMove:
        if (const auto* move = static_cast<QMouseEvent*>(event); move->buttons() == Qt::NoButton)
            pointAt(targetAt(move->pos()));
        break;
    case QEvent::MouseButtonPress: press(*static_cast<QMouseEvent*>(event)); break;
    case QEvent::MouseButtonRelease: release(*static_cast<QMouseEvent*>(event)); break;
    case QEvent::Leave: pointAt({}); break;
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Target target = targetAt(help->pos());
        if (target.isFold)
            QToolTip::showText(help->globalPos(), target.row.data(LogModel::FoldTipRole).toString(),
                               &m_view);
        return target.isFold;
    }
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace ringmaster::app
