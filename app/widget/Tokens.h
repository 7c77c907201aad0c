#pragma once

#include <QColor>

namespace ringmaster::app {

/// The colours of one theme, by what they are for. State colours are Okabe and Ito's, or lightened
/// from them for dark; each has a second one that is readable as small text.
struct Tokens
{
    bool isDark = false;

    QColor window{};
    QColor sideBar{};
    QColor card{};
    QColor border{};
    QColor field{};
    QColor text{};
    QColor mutedText{};
    QColor accent{};
    QColor accentHover{};
    QColor accentText{};
    QColor hover{};
    QColor selection{};
    QColor grid{};

    struct State
    {
        QColor fill{};
        QColor text{};
    };
    State neutral{}; ///< starting, idle
    State running{};
    State finished{};
    State stopped{};
    State restarted{};
    State warning{};
    State failed{};
};

const Tokens& lightTokens();
const Tokens& darkTokens();

/// The tokens of the theme that is on, for widgets that paint themselves. Told from the
/// application's palette: a widget's own may have been changed by the style sheet.
const Tokens& themeTokens();

QColor withAlpha(QColor color, double alpha);

} // namespace ringmaster::app
