#include "app/main/LookMenus.h"

#include "app/main/Session.h"
#include "app/widget/Translated.h"

#include <QActionGroup>

namespace ringmaster::app {

namespace {

/// One that can be chosen in a menu, and is what holds now.
template <class Choose>
void addChoice(QMenu* menu, QActionGroup* group, bool isChosen, Choose choose)
{
    QAction* action = menu->addAction(QString());
    action->setCheckable(true);
    action->setChecked(isChosen);
    group->addAction(action);
    QObject::connect(action, &QAction::triggered, group, choose);
}

} // namespace

LookMenus::LookMenus(Theme& themes, Language& languages, Session& session, QWidget* parent)
    : QObject(parent)
    , theme(new QMenu(parent))
    , language(new QMenu(parent))
    , m_themes(new QActionGroup(this))
    , m_languages(new QActionGroup(this))
{
    for (const auto mode : {Theme::Mode::System, Theme::Mode::Light, Theme::Mode::Dark})
        addChoice(theme, m_themes, mode == themes.mode(), [&themes, &session, mode] {
            themes.setMode(mode);
            session.setTheme(mode);
        });
    for (const auto choice :
         {Language::Choice::System, Language::Choice::English, Language::Choice::Japanese})
        addChoice(language, m_languages, choice == languages.choice(),
                  [&languages, &session, choice] {
                      languages.choose(choice);
                      session.setLanguage(choice);
                  });
    translated(parent, [this] { setTexts(); });
}

void LookMenus::setTexts()
{
    theme->setTitle(tr("Theme"));
    const QList<QAction*> themes = m_themes->actions();
    themes.at(0)->setText(tr("Follow system"));
    themes.at(1)->setText(tr("Light"));
    themes.at(2)->setText(tr("Dark"));
    language->setTitle(tr("Language"));
    const QList<QAction*> languages = m_languages->actions();
    languages.at(0)->setText(tr("System language"));
    languages.at(1)->setText(QStringLiteral("English"));
    languages.at(2)->setText(QStringLiteral("日本語"));
}

} // namespace ringmaster::app
