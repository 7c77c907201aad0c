#include "app/jobs/LogView.h"

#include "app/jobs/CopiedLines.h"
#include "app/jobs/LogPointer.h"
#include "app/model/LogModel.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace ringmaster::app {

namespace {
constexpr int MarkWidth = 3; ///< Of lines of the selected span.
} // namespace

LogView::LogView(QWidget* parent) : QAbstractItemView(parent), m_pointer(new LogPointer(*this))
{
    setFont(monospaceFont());
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setEditTriggers(NoEditTriggers);
    setFrameShape(NoFrame);
    setTabKeyNavigation(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // what is behind isn't painted with it
    connect(m_pointer, &LogPointer::sourceChosen, this, &LogView::sourceChosen);
    connect(m_pointer, &LogPointer::foldChosen, this, &LogView::foldToggled);
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        QMetaObject::invokeMethod(
            this, [this] { reportPosition(); }, Qt::QueuedConnection);
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(),
            [this] { viewport()->update(); });
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(),
            [this] { viewport()->update(); });
}

void LogView::setModel(QAbstractItemModel* model)
{
    if (this->model() != nullptr)
        disconnect(this->model(), nullptr, this, nullptr);
    QAbstractItemView::setModel(model);
    m_widest = 0;
    m_rows.forget();
    m_pointer->forget();
    updateGeometries();
    connect(model, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_rows.forget();
        updateGeometries();
    });
    connect(model, &QAbstractItemModel::layoutChanged, this, [this] { m_rows.forget(); });
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
        m_rows.forget();
        m_widest = 0;
        updateGeometries();
        if (m_sticksToEnd)
            scrollToEnd();
        viewport()->update();
    });
}

ReadableRows::Range LogView::readableRows() const
{
    const int first = verticalScrollBar()->value();
    return {first, std::clamp(m_rows.count() - first, 0, m_rows.countIn(first, 1) + 1)};
}

void LogView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QAbstractItemView::currentChanged(current, previous);
    tellCurrentRow(this, current);
}

bool LogView::isAtEnd() const
{
    return verticalScrollBar()->value() >= verticalScrollBar()->maximum();
}

void LogView::setSticksToEnd(bool sticks)
{
    m_sticksToEnd = sticks;
    if (sticks)
        scrollToEnd();
}

void LogView::setShowsTimes(bool shows)
{
    m_rows.setShowsTimes(shows);
    viewport()->update();
}

void LogView::setWraps(bool wraps)
{
    const QModelIndex first = indexAt({0, 0});
    m_rows.setWraps(wraps);
    horizontalScrollBar()->setValue(0);
    m_widest = 0;
    updateGeometries();
    if (!m_sticksToEnd && first.isValid())
        verticalScrollBar()->setValue(first.row());
    viewport()->update();
}

void LogView::setMarked(const LogFilter& marked)
{
    m_rows.setMarked(marked);
    viewport()->update();
}

void LogView::scrollToEnd()
{
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LogView::reportPosition()
{
    if (verticalScrollBar()->value() == 0)
        Q_EMIT reachedBeginning();
    if (isAtEnd())
        Q_EMIT reachedEnd();
    else
        Q_EMIT leftEnd();
}

void LogView::wheelEvent(QWheelEvent* event)
{
    QAbstractItemView::wheelEvent(event);
    if (event->angleDelta().y() != 0)
        reportPosition();
}

void LogView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        event->ignore();
        return;
    }
    QAbstractItemView::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: reportPosition(); break;
    case Qt::Key_Home:
        reportPosition();
        Q_EMIT firstLineRequested();
        break;
    case Qt::Key_End:
        reportPosition();
        Q_EMIT lastLineRequested();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter: chooseCurrent(); break;
    default: break;
    }
}

/// As a click on what the row has.
void LogView::chooseCurrent()
{
    const QModelIndex index = currentIndex();
    if (!index.isValid())
        return;
    if (!index.data(LogModel::FoldRole).toString().isEmpty())
        Q_EMIT foldToggled(index.row());
    else if (const auto place = sourcePlaceIn(index.data().toString()))
        Q_EMIT sourceChosen(*place);
}

void LogView::changeEvent(QEvent* event)
{
    QAbstractItemView::changeEvent(event);
    m_rows.forget(); // the font, the colours, the language
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometries();
}

void LogView::resizeEvent(QResizeEvent* event)
{
    if (m_rows.wraps())
        m_rows.forget();
    QAbstractItemView::resizeEvent(event);
}

void LogView::updateGeometries()
{
    QAbstractItemView::updateGeometries();
    const int atEnd = std::min(m_rows.count(), m_rows.countIn(m_rows.count() - 1, -1));
    verticalScrollBar()->setPageStep(std::max(1, atEnd));
    verticalScrollBar()->setRange(0, std::max(0, m_rows.count() - atEnd));
    verticalScrollBar()->setSingleStep(1);
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setRange(
        0, m_rows.wraps() ? 0 : std::max(0, m_widest - viewport()->width()));
    horizontalScrollBar()->setSingleStep(20);
    if (m_sticksToEnd)
        scrollToEnd();
}

void LogView::rowsInserted(const QModelIndex& parent, int start, int end)
{
    QAbstractItemView::rowsInserted(parent, start, end);
    if (end + 1 < m_rows.count())
        m_rows.forget(); // they have other rows now
    const int top = verticalScrollBar()->value();
    updateGeometries();
    // Lines that come in above leave what is read where it is.
    if (!m_sticksToEnd && start <= top && m_rows.count() > end - start + 1)
        verticalScrollBar()->setValue(top + end - start + 1);
    viewport()->update();
}

void LogView::rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end)
{
    QAbstractItemView::rowsAboutToBeRemoved(parent, start, end);
    m_rows.forget();
    if (start < verticalScrollBar()->value())
        verticalScrollBar()->setValue(verticalScrollBar()->value() - (end - start + 1));
    viewport()->update();
}

void LogView::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                          const QList<int>& roles)
{
    QAbstractItemView::dataChanged(topLeft, bottomRight, roles);
    m_rows.forget(topLeft.row(), bottomRight.row());
    if (m_rows.wraps())
        updateGeometries();
    viewport()->update();
}

QRect LogView::visualRect(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const int top = verticalScrollBar()->value();
    const int width = std::max(m_widest, viewport()->width());
    const int left = -horizontalScrollBar()->value();
    const int y = m_rows.topOf(index.row(), top);
    const bool isSeen = y >= 0 && y <= viewport()->height();
    return {left, y, width, isSeen ? m_rows.heightOf(index.row()) : m_rows.lineHeight()};
}

QModelIndex LogView::indexAt(const QPoint& point) const
{
    if (point.y() < 0)
        return {};
    const int row = m_rows.rowAt(point.y(), verticalScrollBar()->value());
    return row < m_rows.count() ? model()->index(row, 0) : QModelIndex();
}

void LogView::scrollTo(const QModelIndex& index, ScrollHint)
{
    const int top = verticalScrollBar()->value();
    if (index.row() < top)
        verticalScrollBar()->setValue(index.row());
    else if (const int first = index.row() - m_rows.countIn(index.row(), -1) + 1; first > top)
        verticalScrollBar()->setValue(first);
}

void LogView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), themeTokens().card);
    const int widestBefore = m_widest;
    int y = 0;
    for (int row = verticalScrollBar()->value(); row < m_rows.count() && y < viewport()->height();
         ++row) {
        const QModelIndex index = model()->index(row, 0);
        const LogRowLayout& layout = layoutOf(index);
        const QRect rect(-horizontalScrollBar()->value(), y,
                         std::max({m_widest, viewport()->width(), layout.width()}),
                         layout.height());
        paintRow(painter, index, rect, layout);
        m_widest = std::max(m_widest, layout.width());
        y += layout.height();
    }
    if (m_widest > widestBefore && !m_rows.wraps())
        QMetaObject::invokeMethod(
            this, [this] { updateGeometries(); }, Qt::QueuedConnection);
}

void LogView::paintRow(QPainter& painter, const QModelIndex& index, const QRect& rect,
                       const LogRowLayout& layout)
{
    const Tokens& tokens = themeTokens();
    if (selectionModel()->isSelected(index))
        painter.fillRect(rect, tokens.selection);
    if (index == currentIndex() && hasFocus()) {
        painter.setPen(tokens.accent);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
    if (index.data(LogModel::SpanRole).toBool())
        painter.fillRect(rect.left(), rect.top(), MarkWidth, rect.height(), tokens.accent);
    layout.paint(painter, rect.topLeft(), m_pointer->mentionIn(index));
}

QModelIndex LogView::moveCursor(CursorAction action, Qt::KeyboardModifiers)
{
    if (m_rows.count() == 0)
        return {};
    int row = currentIndex().isValid() ? currentIndex().row() : m_rows.count() - 1;
    switch (action) {
    case MoveUp:
    case MovePrevious: --row; break;
    case MoveDown:
    case MoveNext: ++row; break;
    case MovePageUp: row -= m_rows.countIn(row, -1); break;
    case MovePageDown: row += m_rows.countIn(row, 1); break;
    case MoveHome: row = 0; break;
    case MoveEnd: row = m_rows.count() - 1; break;
    case MoveLeft:
        horizontalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepSub);
        break;
    case MoveRight:
        horizontalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        break;
    }
    return model()->index(std::clamp(row, 0, m_rows.count() - 1), 0);
}

int LogView::horizontalOffset() const
{
    return horizontalScrollBar()->value();
}

int LogView::verticalOffset() const
{
    return verticalScrollBar()->value() * m_rows.lineHeight(); // as far as they are all alike
}

bool LogView::isIndexHidden(const QModelIndex&) const
{
    return false;
}

void LogView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags)
{
    const QModelIndex top = indexAt({0, std::max(0, rect.normalized().top())});
    QModelIndex bottom = indexAt({0, rect.normalized().bottom()});
    if (!bottom.isValid() && m_rows.count() > 0)
        bottom = model()->index(m_rows.count() - 1, 0);
    if (top.isValid())
        selectionModel()->select({top, bottom}, flags);
}

QRegion LogView::visualRegionForSelection(const QItemSelection&) const
{
    return viewport()->rect();
}

QString LogView::selectedText() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.isEmpty()) {
        for (int row = 0; row < m_rows.count(); ++row)
            rows << model()->index(row, 0);
    }
    return copiedLines(std::move(rows), m_rows.showsTimes());
}

} // namespace ringmaster::app
