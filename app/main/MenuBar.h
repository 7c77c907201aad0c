#pragma once

#include <QAction>
#include <QMenuBar>

namespace ringmaster::app {

class JobActions;
class LookMenus;

/// Every action of the window, in menus; shortcuts work wherever the focus is.
class MenuBar : public QMenuBar
{
    Q_OBJECT

public:
    MenuBar(JobActions& job, LookMenus& look, QWidget* parent);

    void addPage(int id, const QString& title);
    void setPageTitle(int id, const QString& title);
    /// For the sheet of shortcuts: all that have one.
    QList<QAction*> allActions() const;

    QAction* newJob;
    QAction* open;
    QAction* openFolder; ///< Of files that belong together.
    QAction* save;
    QAction* launch;
    QAction* close;
    QAction* undo;
    QAction* redo;
    QAction* filter;
    QAction* play;
    QAction* alerts;
    QAction* shortcuts;
    QAction* about;

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void pageChosen(int id);

private:
    void build(JobActions& job, LookMenus& look);
    void setTexts();

    QMenu* m_file;
    QMenu* m_edit;
    QMenu* m_job;
    QMenu* m_view;
    QMenu* m_help;
    QAction* m_firstOfView;
    QMap<int, QAction*> m_pages;
};

} // namespace ringmaster::app
