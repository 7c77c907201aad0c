#include "app/jobs/LogView.h"

#include "app/model/LogModel.h"
#include "app/widget/TerminalColors.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

namespace ringmaster::app {

namespace {
constexpr int Margin = 6;
constexpr int MarkWidth = 3; ///< Of lines of the selected span.
} // namespace

LogView::LogView(QWidget* parent) : QAbstractItemView(parent)
{
    setFont(monospaceFont());
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setEditTriggers(NoEditTriggers);
    setFrameShape(NoFrame);
    setTabKeyNavigation(false);
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
    updateGeometries();
    connect(model, &QAbstractItemModel::rowsRemoved, this, [this] { updateGeometries(); });
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
        m_widest = 0;
        updateGeometries();
        if (m_sticksToEnd)
            scrollToEnd();
        viewport()->update();
    });
}

int LogView::rowHeight() const
{
    return fontMetrics().height() + 2;
}

int LogView::visibleRows() const
{
    return std::max(1, viewport()->height() / rowHeight());
}

int LogView::rowCount() const
{
    return model() == nullptr ? 0 : model()->rowCount();
}

ReadableRows::Range LogView::readableRows() const
{
    const int first = verticalScrollBar()->value();
    return {first, std::clamp(rowCount() - first, 0, visibleRows() + 1)};
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
    m_showsTimes = shows;
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
    default: break;
    }
}

void LogView::changeEvent(QEvent* event)
{
    QAbstractItemView::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometries();
}

void LogView::updateGeometries()
{
    QAbstractItemView::updateGeometries();
    verticalScrollBar()->setPageStep(visibleRows());
    verticalScrollBar()->setRange(0, std::max(0, rowCount() - visibleRows()));
    verticalScrollBar()->setSingleStep(1);
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setRange(0, std::max(0, m_widest - viewport()->width()));
    horizontalScrollBar()->setSingleStep(20);
    if (m_sticksToEnd)
        scrollToEnd();
}

void LogView::rowsInserted(const QModelIndex& parent, int start, int end)
{
    QAbstractItemView::rowsInserted(parent, start, end);
    const int top = verticalScrollBar()->value();
    updateGeometries();
    // Lines that come in above leave what is read where it is.
    if (!m_sticksToEnd && start <= top && rowCount() > end - start + 1)
        verticalScrollBar()->setValue(top + end - start + 1);
    viewport()->update();
}

void LogView::rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end)
{
    QAbstractItemView::rowsAboutToBeRemoved(parent, start, end);
    if (start < verticalScrollBar()->value())
        verticalScrollBar()->setValue(verticalScrollBar()->value() - (end - start + 1));
    viewport()->update();
}

void LogView::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                          const QList<int>& roles)
{
    QAbstractItemView::dataChanged(topLeft, bottomRight, roles);
    viewport()->update(visualRect(topLeft).united(visualRect(bottomRight)));
}

QRect LogView::visualRect(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const int y = (index.row() - verticalScrollBar()->value()) * rowHeight();
    return {-horizontalScrollBar()->value(), y, std::max(m_widest, viewport()->width()),
            rowHeight()};
}

QModelIndex LogView::indexAt(const QPoint& point) const
{
    const int row = verticalScrollBar()->value() + point.y() / rowHeight();
    return point.y() >= 0 && row < rowCount() ? model()->index(row, 0) : QModelIndex();
}

void LogView::scrollTo(const QModelIndex& index, ScrollHint)
{
    const int top = verticalScrollBar()->value();
    if (index.row() < top)
        verticalScrollBar()->setValue(index.row());
    else if (index.row() >= top + visibleRows())
        verticalScrollBar()->setValue(index.row() - visibleRows() + 1);
}

void LogView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.setFont(font());
    const int top = verticalScrollBar()->value();
    const int first = top + event->rect().top() / rowHeight();
    const int last = std::min(rowCount() - 1, top + event->rect().bottom() / rowHeight());
    const int widestBefore = m_widest;
    for (int row = first; row <= last; ++row) {
        const QModelIndex index = model()->index(row, 0);
        paintRow(painter, index, visualRect(index));
    }
    if (m_widest > widestBefore)
        QMetaObject::invokeMethod(
            this, [this] { updateGeometries(); }, Qt::QueuedConnection);
}

void LogView::paintRow(QPainter& painter, const QModelIndex& index, const QRect& rect)
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
    const QFontMetrics metrics = fontMetrics();
    int x = rect.left() + Margin;
    const auto write = [&](const QString& text, const QColor& color) {
        painter.setPen(color);
        painter.drawText(x, rect.top() + metrics.ascent() + 1, text);
        x += metrics.horizontalAdvance(text);
    };
    if (m_showsTimes)
        write(index.data(LogModel::TimeRole).toString() + QLatin1Char(' '), tokens.mutedText);
    write(QStringLiteral("[%1] ").arg(index.data(LogModel::RankRole).toInt()), tokens.running.text);
    if (const auto number = index.data(LogModel::NumberRole).toULongLong(); number > 0)
        write(QString::number(number) + QStringLiteral("  "), tokens.mutedText);
    const bool isAround = index.data(LogModel::AroundRole).toBool();
    const auto pieces = index.data(LogModel::PiecesRole).value<QList<StyledPiece>>();
    const auto level = static_cast<LogLevel>(index.data(LogModel::LevelRole).toInt());
    // A program that paints its lines itself knows better than a guess.
    const bool isGuessed = pieces.size() == 1 && pieces.front().style == TextStyle{};
    const QColor plain = isAround                     ? tokens.mutedText
                         : !isGuessed                 ? tokens.text
                         : level == LogLevel::Error   ? tokens.failed.text
                         : level == LogLevel::Warning ? tokens.warning.text
                                                      : tokens.text;
    for (const StyledPiece& piece : pieces)
        x += paintPiece(painter, piece, {x, rect.top()}, plain);
    m_widest = std::max(m_widest, x - rect.left() + Margin);
}

/// Returns how wide it is.
int LogView::paintPiece(QPainter& painter, const StyledPiece& piece, const QPoint& corner,
                        const QColor& plain)
{
    const TerminalLook look = terminalLook(piece.style, plain, themeTokens());
    QFont face = font();
    face.setBold(piece.style.isBold);
    face.setItalic(piece.style.isItalic);
    face.setUnderline(piece.style.isUnderlined);
    const QFontMetrics metrics(face);
    const int width = metrics.horizontalAdvance(piece.text);
    if (look.ground.isValid())
        painter.fillRect(corner.x(), corner.y(), width, rowHeight(), look.ground);
    painter.setFont(face);
    painter.setPen(look.text);
    painter.drawText(corner.x(), corner.y() + fontMetrics().ascent() + 1, piece.text);
    painter.setFont(font());
    return width;
}

QModelIndex LogView::moveCursor(CursorAction action, Qt::KeyboardModifiers)
{
    if (rowCount() == 0)
        return {};
    int row = currentIndex().isValid() ? currentIndex().row() : rowCount() - 1;
    switch (action) {
    case MoveUp:
    case MovePrevious: --row; break;
    case MoveDown:
    case MoveNext: ++row; break;
    case MovePageUp: row -= visibleRows(); break;
    case MovePageDown: row += visibleRows(); break;
    case MoveHome: row = 0; break;
    case MoveEnd: row = rowCount() - 1; break;
    case MoveLeft:
        horizontalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepSub);
        break;
    case MoveRight:
        horizontalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        break;
    }
    return model()->index(std::clamp(row, 0, rowCount() - 1), 0);
}

int LogView::horizontalOffset() const
{
    return horizontalScrollBar()->value();
}

int LogView::verticalOffset() const
{
    return verticalScrollBar()->value() * rowHeight();
}

bool LogView::isIndexHidden(const QModelIndex&) const
{
    return false;
}

void LogView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags)
{
    const QModelIndex top = indexAt({0, std::max(0, rect.normalized().top())});
    QModelIndex bottom = indexAt({0, rect.normalized().bottom()});
    if (!bottom.isValid() && rowCount() > 0)
        bottom = model()->index(rowCount() - 1, 0);
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
        for (int row = 0; row < rowCount(); ++row)
            rows << model()->index(row, 0);
    }
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex& index : rows)
        lines << (m_showsTimes ? index.data(LogModel::TimeRole).toString() + QLatin1Char(' ')
                               : QString()) +
                     QStringLiteral("[%1] ").arg(index.data(LogModel::RankRole).toInt()) +
                     index.data().toString();
    return lines.join(QLatin1Char('\n'));
}

} // namespace ringmaster::app
