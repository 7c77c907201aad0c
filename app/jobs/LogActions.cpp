#include "app/jobs/LogActions.h"

#include "app/widget/Translated.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

namespace ringmaster::app {

LogActions::LogActions(QWidget* panel)
    : QObject(panel)
    , wrap(new QAction(this))
    , times(new QAction(this))
    , folds(new QAction(this))
    , goToLine(new QAction(this))
    , copy(new QAction(this))
    , save(new QAction(this))
    , openFolder(new QAction(this))
    , editor(new QAction(this))
{
    for (QAction* choice : {wrap, times, folds})
        choice->setCheckable(true);
    times->setChecked(true);
    folds->setChecked(true);
    goToLine->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
    wrap->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Z));
    for (QAction* action : {goToLine, wrap}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        panel->addAction(action);
    }
    translated(panel, [this] { setTexts(); });
}

void LogActions::addTo(QMenu& menu) const
{
    menu.addActions({wrap, times, folds});
    menu.addSeparator();
    menu.addActions({goToLine, copy, save});
    menu.addSeparator();
    menu.addActions({openFolder, editor});
}

QVariantMap LogActions::saveState() const
{
    return {{QStringLiteral("wrap"), wrap->isChecked()},
            {QStringLiteral("times"), times->isChecked()},
            {QStringLiteral("folds"), folds->isChecked()}};
}

void LogActions::restoreState(const QVariantMap& state)
{
    wrap->setChecked(state.value(QStringLiteral("wrap"), false).toBool());
    times->setChecked(state.value(QStringLiteral("times"), true).toBool());
    folds->setChecked(state.value(QStringLiteral("folds"), true).toBool());
}

void LogActions::setTexts()
{
    wrap->setText(tr("Wrap long lines"));
    times->setText(tr("Times"));
    folds->setText(tr("Fold equal tracebacks"));
    folds->setToolTip(tr("A traceback that several ranks printed is shown once."));
    goToLine->setText(tr("Go to line…"));
    copy->setText(tr("Copy"));
    save->setText(tr("Save as…"));
    openFolder->setText(tr("Open folder"));
    editor->setText(tr("Editor…"));
}

} // namespace ringmaster::app
