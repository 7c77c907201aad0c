#pragma once

#include "app/main/Language.h"
#include "app/widget/Theme.h"

#include <QAction>
#include <QMenuBar>

class QActionGroup;

namespace ringmaster::app {

class JobActions;

/// Every action of the window, in menus; shortcuts work wherever the focus is.
class MenuBar : public QMenuBar
{
    Q_OBJECT

public:
    MenuBar(JobActions& job, QWidget* parent);

    void addPage(int id, const QString& title);
    void setPageTitle(int id, const QString& title);
    void setTheme(Theme::Mode mode);
    void setLanguage(Language::Choice choice);
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
    void themeChosen(ringmaster::app::Theme::Mode mode);
    void languageChosen(ringmaster::app::Language::Choice choice);

private:
    void build(JobActions& job);
    void buildChoices();
    void setTexts();

    QMenu* m_file;
    QMenu* m_edit;
    QMenu* m_job;
    QMenu* m_view;
    QMenu* m_themeMenu;
    QMenu* m_languageMenu;
    QMenu* m_help;
    QActionGroup* m_themes;
    QActionGroup* m_languages;
    QAction* m_firstOfView;
    QMap<int, QAction*> m_pages;
};

} // namespace ringmaster::app
