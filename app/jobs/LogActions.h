#pragma once

#include <QObject>
#include <QVariantMap>

class QAction;
class QMenu;
class QWidget;

namespace ringmaster::app {

/// What can be done with a log, for its menus and keys, and how its lines are shown.
class LogActions : public QObject
{
    Q_OBJECT

public:
    /// The keys work in `panel` and all that is in it.
    explicit LogActions(QWidget* panel);

    QAction* const wrap; ///< Checkable, as the next two.
    QAction* const times;
    QAction* const folds;
    QAction* const goToLine;
    QAction* const copy;
    QAction* const save;
    QAction* const openFolder;
    QAction* const editor;

    void addTo(QMenu& menu) const;

    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

private:
    void setTexts();
};

} // namespace ringmaster::app
