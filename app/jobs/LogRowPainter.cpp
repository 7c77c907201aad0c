#include "app/jobs/LogRowPainter.h"

#include "app/model/LogModel.h"
#include "app/widget/TerminalColors.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int SideMargin = 6;

/// Of text that has no colours of its own.
QColor plainColor(const QModelIndex& line, bool isGuessed)
{
    const Tokens& tokens = themeTokens();
    if (line.data(LogModel::AroundRole).toBool())
        return tokens.mutedText;
    // A program that paints its lines itself knows better than a guess.
    if (!isGuessed)
        return tokens.text;
    switch (static_cast<LogLevel>(line.data(LogModel::LevelRole).toInt())) {
    case LogLevel::Error: return tokens.failed.text;
    case LogLevel::Warning: return tokens.warning.text;
    case LogLevel::Info: break;
    }
    return tokens.text;
}

} // namespace

int LogRowPainter::rowHeight() const
{
    return QFontMetrics(m_look.font).height() + 2;
}

int LogRowPainter::height(const QModelIndex& line, int width) const
{
    return m_look.isWrapped ? wrap(line, {0, 0, width, 0}, nullptr) : rowHeight();
}

QList<LogRowPainter::Run> LogRowPainter::headOf(const QModelIndex& line) const
{
    const Tokens& tokens = themeTokens();
    QList<Run> runs;
    if (m_look.hasTime)
        runs.append(
            {line.data(LogModel::TimeRole).toString() + QLatin1Char(' '), tokens.mutedText});
    runs.append(
        {QStringLiteral("[%1] ").arg(line.data(LogModel::RankRole).toInt()), tokens.running.text});
    if (const auto number = line.data(LogModel::NumberRole).toULongLong(); number > 0)
        runs.append({QString::number(number) + QStringLiteral("  "), tokens.mutedText});
    return runs;
}

QList<LogRowPainter::Run> LogRowPainter::runsOf(const QModelIndex& line) const
{
    QList<Run> runs = headOf(line);
    const auto pieces = line.data(LogModel::PiecesRole).value<QList<StyledPiece>>();
    const bool isGuessed = pieces.size() == 1 && pieces.front().style == TextStyle{};
    const QColor plain = plainColor(line, isGuessed);
    for (const StyledPiece& piece : pieces) {
        const TerminalLook look = terminalLook(piece.style, plain, themeTokens());
        runs.append({piece.text, look.text, look.ground, piece.style.isBold, piece.style.isItalic,
                     piece.style.isUnderlined});
    }
    return runs;
}

int LogRowPainter::paint(QPainter& painter, const QModelIndex& line, const QRect& rect) const
{
    if (m_look.isWrapped) {
        wrap(line, rect, &painter);
        return rect.width();
    }
    int x = rect.left() + SideMargin;
    for (const Run& run : runsOf(line))
        x += paintRun(painter, run, {x, rect.top()});
    return x - rect.left() + SideMargin;
}

int LogRowPainter::paintRun(QPainter& painter, const Run& run, const QPoint& corner) const
{
    QFont face = m_look.font;
    face.setBold(run.isBold);
    face.setItalic(run.isItalic);
    face.setUnderline(run.isUnderlined);
    const int width = QFontMetrics(face).horizontalAdvance(run.text);
    if (run.ground.isValid())
        painter.fillRect(corner.x(), corner.y(), width, rowHeight(), run.ground);
    painter.setFont(face);
    painter.setPen(run.color);
    painter.drawText(corner.x(), corner.y() + QFontMetrics(m_look.font).ascent() + 1, run.text);
    return width;
}

int LogRowPainter::wrap(const QModelIndex& line, const QRect& rect, QPainter* painter) const
{
    QString text;
    QList<QTextLayout::FormatRange> formats;
    for (const Run& run : runsOf(line)) {
        QTextCharFormat format;
        format.setForeground(run.color);
        if (run.ground.isValid())
            format.setBackground(run.ground);
        format.setFontWeight(run.isBold ? QFont::Bold : QFont::Normal);
        format.setFontItalic(run.isItalic);
        format.setFontUnderline(run.isUnderlined);
        formats.append({static_cast<int>(text.size()), static_cast<int>(run.text.size()), format});
        text += run.text;
    }
    QTextLayout layout(text, m_look.font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.setFormats(formats);
    layout.beginLayout();
    int rows = 0;
    for (QTextLine row = layout.createLine(); row.isValid(); row = layout.createLine(), ++rows) {
        row.setLineWidth(std::max(1, rect.width() - 2 * SideMargin));
        row.setPosition(QPointF(SideMargin, rows * rowHeight() + 1));
    }
    layout.endLayout();
    if (painter != nullptr)
        layout.draw(painter, rect.topLeft());
    return std::max(1, rows) * rowHeight();
}

} // namespace ringmaster::app
