#pragma once

#include <QFont>

namespace ringmaster::app {

/// For what paints itself.
inline QFont sized(QFont font, int pixels, QFont::Weight weight = QFont::Normal)
{
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

} // namespace ringmaster::app
