#include "app/learn/ProgramEditor.h"

#include "app/learn/LessonScene.h"
#include "app/learn/PythonColors.h"
#include "app/widget/Theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int PointerWidth = 15;

} // namespace

/// The strip beside the text.
class ProgramGutter : public QWidget
{
public:
    explicit ProgramGutter(ProgramEditor& editor) : QWidget(&editor), m_editor(editor) {}

protected:
    void paintEvent(QPaintEvent* event) override { m_editor.paintGutter(event); }
    void mousePressEvent(QMouseEvent* event) override { m_editor.gutterClicked(event->pos()); }
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ToolTip) {
            const auto* help = static_cast<QHelpEvent*>(event);
            QToolTip::showText(help->globalPos(),
                               m_editor.troubleAt(m_editor.lineAt(help->pos().y())), this);
            return true;
        }
        return QWidget::event(event);
    }

private:
    ProgramEditor& m_editor;
};

ProgramEditor::ProgramEditor(QWidget* parent)
    : QPlainTextEdit(parent), m_gutter(new ProgramGutter(*this))
{
    setLineWrapMode(NoWrap);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setTabChangesFocus(true);
    setTypeSize(12);
    new PythonColors(*this, document());
    connect(this, &QPlainTextEdit::blockCountChanged, this, &ProgramEditor::placeGutter);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0)
            m_gutter->scroll(0, dy);
        else
            m_gutter->update(0, rect.y(), m_gutter->width(), rect.height());
    });
    placeGutter();
}

void ProgramEditor::setTypeSize(int pixels)
{
    QFont font = monospaceFont();
    font.setPixelSize(pixels);
    setFont(font);
    document()->setDefaultFont(font);
    setTabStopDistance(fontMetrics().horizontalAdvance(QLatin1Char(' ')) * 4);
    placeGutter();
}

void ProgramEditor::setPointers(const std::vector<int>& lines, int actor)
{
    if (lines == m_lines && actor == m_actor)
        return;
    m_lines = lines;
    m_actor = actor;
    placeGutter();
    updateMarks();
    followActor();
}

void ProgramEditor::followActor()
{
    const bool isKnown = m_actor >= 0 && static_cast<size_t>(m_actor) < m_lines.size();
    const int line = isKnown ? m_lines[static_cast<size_t>(m_actor)] : 0;
    // Whoever writes in the program isn't led away from where he writes.
    if (line <= 0 || hasFocus())
        return;
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    if (!block.isValid() || viewport()->rect().contains(place.center().toPoint()))
        return;
    setTextCursor(QTextCursor(block));
    centerCursor();
}

void ProgramEditor::setNumbers(std::vector<int> numbers)
{
    m_numbers = std::move(numbers);
    placeGutter();
}

int ProgramEditor::numberOf(int line) const
{
    if (m_numbers.empty())
        return line;
    const auto index = static_cast<size_t>(line) - 1;
    return index < m_numbers.size() ? m_numbers[index] : 0;
}

void ProgramEditor::setTroubles(const std::vector<Trouble>& troubles)
{
    if (troubles == m_troubles)
        return;
    m_troubles = troubles;
    updateMarks();
}

/// The lines where ranks are, and those where something went wrong.
void ProgramEditor::updateMarks()
{
    const Tokens& tokens = themeTokens();
    QList<QTextEdit::ExtraSelection> marks;
    const auto mark = [&](int line, const QColor& color) {
        const QTextBlock block = document()->findBlockByNumber(line - 1);
        if (line <= 0 || !block.isValid())
            return;
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.format.setBackground(color);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << selection;
    };
    for (size_t rank = 0; rank < m_lines.size(); ++rank) {
        if (static_cast<int>(rank) == m_actor)
            mark(m_lines[rank], withAlpha(rankColor(m_actor, tokens), 0.14));
    }
    for (const Trouble& trouble : m_troubles)
        mark(trouble.line, withAlpha(tokens.failed.fill, 0.18));
    setExtraSelections(marks);
    m_gutter->update();
}

int ProgramEditor::numberWidth() const
{
    const int most =
        m_numbers.empty() ? blockCount() : *std::max_element(m_numbers.begin(), m_numbers.end());
    const int digits = std::max(2, static_cast<int>(QString::number(most).size()));
    return fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits + 8;
}

int ProgramEditor::gutterWidth() const
{
    std::map<int, int> ranks;
    int most = 2;
    for (const int line : m_lines) {
        if (line > 0)
            most = std::max(most, ++ranks[line]);
    }
    return numberWidth() + PointerWidth * std::min(most, 8) + 4;
}

void ProgramEditor::placeGutter()
{
    setViewportMargins(gutterWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    // As high as the text: beside a bar below it, half a number would stand.
    m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), viewport()->height());
    m_gutter->update();
}

void ProgramEditor::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    placeGutter();
    // What the program prints takes room from it.
    followActor();
}

void ProgramEditor::paintGutter(QPaintEvent* event)
{
    QPainter painter(m_gutter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), themeTokens().window);
    painter.setFont(font());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        QRectF row = blockBoundingGeometry(block).translated(contentOffset());
        if (row.top() > event->rect().bottom())
            break;
        // Beside the first line of one that goes on below.
        row.setHeight(row.height() / std::max(1, block.layout()->lineCount()));
        const int line = block.blockNumber() + 1;
        const bool isTrouble = !troubleAt(line).isEmpty();
        painter.setPen(isTrouble ? themeTokens().failed.text : themeTokens().mutedText);
        painter.drawText(QRectF(0, row.top(), numberWidth() - 5, row.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         numberOf(line) > 0 ? QString::number(numberOf(line)) : QString());
        paintPointers(painter, line, row);
    }
}

void ProgramEditor::paintPointers(QPainter& painter, int line, const QRectF& row) const
{
    int column = 0;
    QFont small = font();
    small.setPixelSize(11);
    small.setBold(true);
    painter.save();
    painter.setFont(small);
    for (size_t rank = 0; rank < m_lines.size(); ++rank) {
        if (m_lines[rank] != line)
            continue;
        const QColor color = rankColor(static_cast<int>(rank), themeTokens());
        const double size = std::min<double>(PointerWidth - 1, row.height() - 1);
        const QRectF mark(numberWidth() + column++ * PointerWidth, row.center().y() - size / 2,
                          size, size);
        const bool isActor = static_cast<int>(rank) == m_actor;
        painter.setPen(QPen(color, 1.2));
        painter.setBrush(isActor ? color : withAlpha(color, 0.12));
        painter.drawRoundedRect(mark, 3, 3);
        painter.setPen(isActor ? themeTokens().card : color);
        painter.drawText(mark, Qt::AlignCenter, QString::number(rank));
    }
    painter.restore();
}

int ProgramEditor::lineAt(int y) const
{
    return cursorForPosition({0, y}).blockNumber() + 1;
}

QString ProgramEditor::troubleAt(int line) const
{
    QStringList texts;
    for (const Trouble& trouble : m_troubles) {
        if (trouble.line == line)
            texts << trouble.text;
    }
    return texts.join(u'\n');
}

void ProgramEditor::gutterClicked(const QPoint& point)
{
    const int column = (point.x() - numberWidth()) / PointerWidth;
    if (point.x() < numberWidth())
        return;
    const int line = lineAt(point.y());
    int seen = 0;
    for (size_t rank = 0; rank < m_lines.size(); ++rank) {
        if (m_lines[rank] == line && seen++ == column)
            Q_EMIT rankChosen(static_cast<int>(rank));
    }
}

bool ProgramEditor::event(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        updateMarks();
    return QPlainTextEdit::event(event);
}

} // namespace ringmaster::app
