#include "app/learn/PythonColors.h"

#include "app/widget/Tokens.h"

#include <QEvent>
#include <QRegularExpression>
#include <QWidget>

namespace ringmaster::app {

namespace {

/// Block states: outside of a text over several lines, or in one of """ or '''; the last two in the
/// program that stands in a lesson's file.
enum State { Outside = 0, InDouble = 1, InSingle = 2, InSource = 3, InDoubleOfSource = 4 };

/// What is a text for a lesson's file is a program for its reader.
bool beginsSource(const QString& text)
{
    static const QRegularExpression begin(QStringLiteral("^source\\s*=\\s*'''\\s*$"));
    return begin.match(text).hasMatch();
}

const QString& quotesOf(int state)
{
    static const QString doubles = QStringLiteral("\"\"\"");
    static const QString singles = QStringLiteral("'''");
    return state == InSingle ? singles : doubles;
}

} // namespace

PythonColors::PythonColors(QWidget& editor, QTextDocument* document) : QSyntaxHighlighter(document)
{
    editor.installEventFilter(this);
}

bool PythonColors::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        rehighlight();
    return QSyntaxHighlighter::eventFilter(watched, event);
}

/// Of a text over several lines, up to its end or the line's; returns where it goes on.
int PythonColors::colourText(const QString& text, int from, int state)
{
    const int begin = from < 0 ? 0 : from + 3;
    const auto end = static_cast<int>(text.indexOf(quotesOf(state), begin));
    const int first = std::max(from, 0);
    const int until = end < 0 ? static_cast<int>(text.size()) : end + 3;
    setFormat(first, until - first, themeTokens().finished.text);
    setCurrentBlockState(end < 0 ? state : Outside);
    return until;
}

void PythonColors::highlightBlock(const QString& text)
{
    const bool isInSource = previousBlockState() >= InSource;
    const bool isItsEnd = isInSource && text.contains(quotesOf(InSingle));
    if (isItsEnd || (previousBlockState() <= Outside && beginsSource(text))) {
        setCurrentBlockState(isItsEnd ? Outside : InSource);
        return;
    }
    colourLine(text, isInSource ? previousBlockState() - InSource : previousBlockState());
    if (isInSource)
        setCurrentBlockState(currentBlockState() + InSource);
}

/// `before`: Outside, InDouble or InSingle.
void PythonColors::colourLine(const QString& text, int before)
{
    static const QRegularExpression tokens(QStringLiteral(
        "(?<comment>#.*)|(?<open>\"\"\"|''')|(?<string>\"[^\"]*\"|'[^']*')|"
        "\\b(?<keyword>and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|"
        "from|global|if|import|in|is|lambda|not|or|pass|raise|return|try|while|with|yield|True|"
        "False|None)\\b|\\b(?<library>dist\\.\\w+)"));
    setCurrentBlockState(Outside);
    int from = 0;
    if (before > Outside)
        from = colourText(text, -1, before);
    for (auto match = tokens.match(text, from); match.hasMatch();
         match = tokens.match(text, from)) {
        const auto begin = static_cast<int>(match.capturedStart());
        from = static_cast<int>(match.capturedEnd());
        const auto length = from - begin;
        if (!match.captured(QStringLiteral("open")).isEmpty())
            from = colourText(text, begin, match.captured().startsWith(u'"') ? InDouble : InSingle);
        else if (!match.captured(QStringLiteral("comment")).isEmpty())
            setFormat(begin, length, themeTokens().mutedText);
        else if (!match.captured(QStringLiteral("string")).isEmpty())
            setFormat(begin, length, themeTokens().finished.text);
        else if (!match.captured(QStringLiteral("keyword")).isEmpty())
            setFormat(begin, length, themeTokens().restarted.text);
        else
            setFormat(begin, length, themeTokens().accent);
    }
}

} // namespace ringmaster::app
