#include "app/main/ShortcutSheet.h"

#include "app/widget/Card.h"
#include "app/widget/Theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QGridLayout>
#include <QLabel>

namespace ringmaster::app {

namespace {

class SheetText
{
    Q_DECLARE_TR_FUNCTIONS(ShortcutSheet)
};

void addRow(QGridLayout* grid, const QString& what, const QString& keys)
{
    const int row = grid->rowCount();
    auto* name = new QLabel(what);
    auto* shortcut = new QLabel(keys);
    shortcut->setFont(monospaceFont());
    setLook(shortcut, "muted");
    grid->addWidget(name, row, 0);
    grid->addWidget(shortcut, row, 1, Qt::AlignRight);
}

} // namespace

void showShortcutSheet(QWidget* parent, const QList<QAction*>& actions)
{
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("shortcutSheet"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(SheetText::tr("Keyboard shortcuts"));
    auto* grid = new QGridLayout(dialog);
    grid->setContentsMargins(24, 18, 24, 20);
    grid->setHorizontalSpacing(48);
    grid->setVerticalSpacing(7);
    for (const QAction* action : actions) {
        QString name = action->text();
        addRow(grid, name.remove(QLatin1Char('&')),
               action->shortcut().toString(QKeySequence::NativeText));
    }
    addRow(grid, SheetText::tr("Move between workers"), SheetText::tr("Arrow keys"));
    addRow(grid, SheetText::tr("Zoom the timeline"), QStringLiteral("+  -  0"));
    addRow(grid, SheetText::tr("Move the timeline"), QStringLiteral("←  →"));
    addRow(grid, SheetText::tr("Chart: from point to point; another line"),
           QStringLiteral("←  →  ↑  ↓"));
    addRow(grid, SheetText::tr("Chart: zoom, move, back to the range before"),
           QStringLiteral("+  -  Shift+←  Backspace"));
    addRow(grid, SheetText::tr("Make a panel larger or smaller"),
           QStringLiteral("Ctrl+Alt+←  →  ↑  ↓"));
    addRow(grid, SheetText::tr("Beginning and end of the log"), QStringLiteral("Home  End"));
    addRow(grid, SheetText::tr("Lesson: run the program, and stop it"),
           QStringLiteral("Ctrl+Enter"));
    addRow(grid, SheetText::tr("Lesson: a step on and back; ten with Shift"),
           QStringLiteral("→  ←"));
    addRow(grid, SheetText::tr("Lesson: a step of one rank"), QStringLiteral("0 … 7"));
    addRow(grid, SheetText::tr("Lesson: on until a rank blocks; to its end"),
           QStringLiteral("B  E"));
    addRow(grid, SheetText::tr("Lesson: to the answer; break something"), QStringLiteral("A  F"));
    addRow(grid, SheetText::tr("Lesson: full screen with large type"), QStringLiteral("F11"));
    addRow(grid, SheetText::tr("Writing a lesson: save; under another name"),
           QStringLiteral("Ctrl+S  Ctrl+Shift+S"));
    addRow(grid, SheetText::tr("Writing a lesson: save and run it"), QStringLiteral("Ctrl+Enter"));
    addRow(grid, SheetText::tr("Writing a lesson: to the next error"), QStringLiteral("F8"));
    addRow(grid, SheetText::tr("Writing a lesson: indent, and back"),
           QStringLiteral("Ctrl+]  Ctrl+["));
    dialog->open();
}

} // namespace ringmaster::app
