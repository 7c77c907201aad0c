#include "app/jobs/LogRowLayout.h"

#include "app/model/LogModel.h"
#include "app/widget/TerminalColors.h"
#include "app/widget/Tokens.h"

#include <QFontMetrics>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr int Margin = 6;
constexpr int LeastWidth = 200; ///< Of wrapped text behind the prefix.
constexpr double MarkOpacity = 0.4;
constexpr qsizetype MostLetters = 8192; ///< Of a line; a row is laid out whenever it is painted.

QTextCharFormat colored(const QColor& color)
{
    QTextCharFormat format;
    format.setForeground(color);
    return format;
}

QColor plainColor(const QModelIndex& index, bool isGuessed)
{
    const Tokens& tokens = themeTokens();
    if (index.data(LogModel::AroundRole).toBool())
        return tokens.mutedText;
    // A program that paints its lines itself knows better than a guess.
    if (!isGuessed)
        return tokens.text;
    switch (static_cast<LogLevel>(index.data(LogModel::LevelRole).toInt())) {
    case LogLevel::Error: return tokens.failed.text;
    case LogLevel::Warning: return tokens.warning.text;
    case LogLevel::Info: return tokens.text;
    }
    return tokens.text;
}

QTextCharFormat formatOf(const TextStyle& style, const QColor& plain)
{
    const TerminalLook look = terminalLook(style, plain, themeTokens());
    QTextCharFormat format = colored(look.text);
    if (look.ground.isValid())
        format.setBackground(look.ground);
    if (style.isBold)
        format.setFontWeight(QFont::Bold);
    format.setFontItalic(style.isItalic);
    format.setFontUnderline(style.isUnderlined);
    return format;
}

} // namespace

LogRowLayout::LogRowLayout(const QModelIndex& index, const Look& look) : m_look(look)
{
    writePrefix(index);
    m_lineBegin = m_text.size();
    writeLine(index);
    m_foldBegin = m_text.size();
    if (const QString fold = index.data(LogModel::FoldRole).toString(); !fold.isEmpty())
        write(QStringLiteral("  ") + fold, colored(themeTokens().accent));
    breakLines();
}

int LogRowLayout::heightIn(const QFont& font)
{
    return QFontMetrics(font).height() + 2;
}

void LogRowLayout::write(const QString& text, const QTextCharFormat& format)
{
    m_formats.append({static_cast<int>(m_text.size()), static_cast<int>(text.size()), format});
    m_text += text;
}

void LogRowLayout::writePrefix(const QModelIndex& index)
{
    const Tokens& tokens = themeTokens();
    if (m_look.showsTimes)
        write(index.data(LogModel::TimeRole).toString() + QLatin1Char(' '),
              colored(tokens.mutedText));
    write(QStringLiteral("[%1] ").arg(index.data(LogModel::RankRole).toInt()),
          colored(tokens.running.text));
    if (const auto number = index.data(LogModel::NumberRole).toULongLong(); number > 0)
        write(QString::number(number) + QStringLiteral("  "), colored(tokens.mutedText));
}

void LogRowLayout::writeLine(const QModelIndex& index)
{
    const auto pieces = index.data(LogModel::PiecesRole).value<QList<StyledPiece>>();
    const bool isGuessed = pieces.size() == 1 && pieces.front().style == TextStyle{};
    const QColor plain = plainColor(index, isGuessed);
    qsizetype room = MostLetters;
    for (const StyledPiece& piece : pieces) {
        write(piece.text.left(room), formatOf(piece.style, plain));
        room -= std::min(room, piece.text.size());
        if (room == 0)
            break;
    }
    const QString line = m_text.mid(m_lineBegin);
    if (room == 0)
        write(QStringLiteral(" …"), colored(themeTokens().mutedText));
    if (m_look.marked.isAboutLines() && !index.data(LogModel::AroundRole).toBool())
        mark(line);
    m_mentions = sourceMentionsIn(line);
    for (SourceMention& mention : m_mentions)
        mention.begin += m_lineBegin;
}

void LogRowLayout::mark(const QString& line)
{
    const Tokens& tokens = themeTokens();
    const QByteArray bytes = line.toUtf8();
    const auto lengthOf = [&](size_t begin, size_t length) {
        return static_cast<int>(
            QString::fromUtf8(bytes.constData() + begin, static_cast<qsizetype>(length)).size());
    };
    QTextCharFormat format = colored(tokens.text);
    format.setBackground(withAlpha(tokens.warning.fill, MarkOpacity));
    const std::string_view text(bytes.constData(), static_cast<size_t>(bytes.size()));
    for (const LogFilter::Part& part : m_look.marked.partsIn(text))
        m_formats.append({static_cast<int>(m_lineBegin) + lengthOf(0, part.begin),
                          lengthOf(part.begin, part.length), format});
}

void LogRowLayout::breakLines()
{
    const int lineHeight = heightIn(m_look.font);
    const QFontMetrics metrics(m_look.font);
    QTextOption option;
    option.setWrapMode(m_look.width > 0 ? QTextOption::WrapAtWordBoundaryOrAnywhere
                                        : QTextOption::NoWrap);
    option.setTabStopDistance(8 * metrics.horizontalAdvance(QLatin1Char(' ')));
    m_layout.setText(m_text);
    m_layout.setFont(m_look.font);
    m_layout.setTextOption(option);
    m_layout.setFormats(m_formats);
    const int prefix = metrics.horizontalAdvance(m_text.left(m_lineBegin));
    // What goes on stands below its beginning, where there is room.
    const int indent = m_look.width - prefix - 2 * Margin < LeastWidth ? 0 : prefix;
    int lines = 0;
    double widest = 0;
    m_layout.beginLayout();
    for (QTextLine line = m_layout.createLine(); line.isValid(); line = m_layout.createLine()) {
        const int left = lines == 0 ? 0 : indent;
        // Also where any width will do: a line without one has none.
        line.setLineWidth(m_look.width > 0 ? m_look.width - 2 * Margin - left : QWIDGETSIZE_MAX);
        line.setPosition(QPointF(Margin + left, lines * lineHeight + 1));
        widest = std::max(widest, left + line.naturalTextWidth());
        ++lines;
        m_isCut = line.textStart() + line.textLength() < m_text.size();
        if (lines == m_look.mostLines)
            break;
    }
    m_layout.endLayout();
    m_width = static_cast<int>(std::ceil(widest)) + 2 * Margin;
    m_height = std::max(1, lines) * lineHeight;
}

/// -1: none.
qsizetype LogRowLayout::placeAt(const QPoint& place) const
{
    const int number = place.y() / heightIn(m_look.font);
    if (place.y() < 0 || number >= m_layout.lineCount())
        return -1;
    const QTextLine line = m_layout.lineAt(number);
    const double x = place.x();
    if (x < line.x() || x > line.x() + line.naturalTextWidth())
        return -1;
    return line.xToCursor(x, QTextLine::CursorOnCharacter);
}

std::optional<SourceMention> LogRowLayout::mentionAt(const QPoint& place) const
{
    const qsizetype at = placeAt(place);
    for (const SourceMention& mention : m_mentions) {
        if (at >= mention.begin && at < mention.begin + mention.length)
            return mention;
    }
    return std::nullopt;
}

bool LogRowLayout::isFoldAt(const QPoint& place) const
{
    return placeAt(place) >= m_foldBegin + 2;
}

void LogRowLayout::paint(QPainter& painter, const QPoint& corner,
                         const std::optional<SourceMention>& underlined) const
{
    QList<QTextLayout::FormatRange> over;
    if (underlined) {
        QTextCharFormat format;
        format.setFontUnderline(true);
        over.append(
            {static_cast<int>(underlined->begin), static_cast<int>(underlined->length), format});
    }
    painter.setPen(themeTokens().text);
    m_layout.draw(&painter, corner, over);
    if (!m_isCut)
        return;
    const QString sign = QStringLiteral("…");
    const int width = QFontMetrics(m_look.font).horizontalAdvance(sign);
    const QRect place(corner.x() + m_look.width - width - 1,
                      corner.y() + m_height - heightIn(m_look.font), width + 1,
                      heightIn(m_look.font));
    painter.fillRect(place, themeTokens().card);
    painter.drawText(place, Qt::AlignCenter, sign);
}

} // namespace ringmaster::app
