#include "app/main/ShortcutSheet.h"

#include "app/widget/Card.h"
#include "app/widget/Theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QGridLayout>
#include <QLabel>

namespace ringmaster::app {

namespace {

class Text
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
    dialog->setWindowTitle(Text::tr("Keyboard shortcuts"));
    auto* grid = new QGridLayout(dialog);
    grid->setContentsMargins(24, 18, 24, 20);
    grid->setHorizontalSpacing(48);
    grid->setVerticalSpacing(7);
    for (const QAction* action : actions) {
        QString name = action->text();
        addRow(grid, name.remove(QLatin1Char('&')),
               action->shortcut().toString(QKeySequence::NativeText));
    }
    addRow(grid, Text::tr("Move between workers"), Text::tr("Arrow keys"));
    addRow(grid, Text::tr("Zoom the timeline"), QStringLiteral("+  -  0"));
    addRow(grid, Text::tr("Move the timeline"), QStringLiteral("←  →"));
    addRow(grid, Text::tr("Beginning and end of the log"), QStringLiteral("Home  End"));
    dialog->open();
}

} // namespace ringmaster::app
