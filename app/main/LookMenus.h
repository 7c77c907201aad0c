#pragma once

#include "app/main/Language.h"
#include "app/widget/Theme.h"

#include <QMenu>

class QActionGroup;

namespace ringmaster::app {

class Session;

/// The menus of the theme and the language: what is chosen holds at once, and is remembered.
class LookMenus : public QObject
{
    Q_OBJECT

public:
    /// All of them outlive it.
    LookMenus(Theme& theme, Language& language, Session& session, QWidget* parent);

    QMenu* theme;
    QMenu* language;

private:
    void setTexts();

    QActionGroup* m_themes;
    QActionGroup* m_languages;
};

} // namespace ringmaster::app
