#pragma once

#include <QSyntaxHighlighter>

class QWidget;

namespace ringmaster::app {

/// Colours Python as far as it helps to read: keywords, strings, comments, torch.distributed. Of a
/// lesson's file the program in it, too.
class PythonColors : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    PythonColors(QWidget& editor, QTextDocument* document);

protected:
    void highlightBlock(const QString& text) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void colourLine(const QString& text, int before);
    int colourText(const QString& text, int from, int state);
};

} // namespace ringmaster::app
