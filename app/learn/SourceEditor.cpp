#include "app/learn/SourceEditor.h"

#include <QKeyEvent>
#include <QTextBlock>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int IndentOfLine = 4;

} // namespace

SourceEditor::SourceEditor(QWidget* parent) : ProgramEditor(parent) {}

void SourceEditor::setSource(const std::string& text)
{
    setPlainText(QString::fromStdString(text));
    document()->clearUndoRedoStacks();
    document()->setModified(false);
}

/// toPlainText() makes blanks of blanks that don't break.
std::string SourceEditor::source() const
{
    return document()->toRawText().replace(QChar::ParagraphSeparator, u'\n').toStdString();
}

void SourceEditor::goTo(int line)
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (block.isValid()) {
        setTextCursor(QTextCursor(block));
        centerCursor();
    }
    setFocus();
}

int SourceEditor::currentLine() const
{
    return textCursor().blockNumber() + 1;
}

void SourceEditor::keyPressEvent(QKeyEvent* event)
{
    const bool isControl = event->modifiers() == Qt::ControlModifier;
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier)
        breakLine();
    else if (isControl && event->key() == Qt::Key_BracketRight)
        moveLines(true);
    else if (isControl && event->key() == Qt::Key_BracketLeft)
        moveLines(false);
    else
        ProgramEditor::keyPressEvent(event);
}

void SourceEditor::breakLine()
{
    QTextCursor cursor = textCursor();
    const QString line = cursor.block().text().left(cursor.positionInBlock());
    const auto blanks = std::ranges::find_if(line, [](QChar c) { return c != u' ' && c != u'\t'; });
    cursor.insertText(u'\n' + line.left(blanks - line.begin()));
    setTextCursor(cursor);
    ensureCursorVisible();
}

void SourceEditor::moveLines(bool isIn)
{
    QTextCursor cursor = textCursor();
    QTextBlock block = document()->findBlock(cursor.selectionStart());
    const int last = document()->findBlock(cursor.selectionEnd()).blockNumber();
    cursor.beginEditBlock();
    for (; block.isValid() && block.blockNumber() <= last; block = block.next()) {
        QTextCursor edit(block);
        const QString text = block.text();
        const auto blanks =
            std::ranges::find_if(text, [](QChar c) { return c != u' '; }) - text.begin();
        if (isIn && !text.isEmpty())
            edit.insertText(QString(IndentOfLine, u' '));
        for (auto left = std::min<qsizetype>(blanks, IndentOfLine); !isIn && left > 0; --left)
            edit.deleteChar();
    }
    cursor.endEditBlock();
}

} // namespace ringmaster::app
