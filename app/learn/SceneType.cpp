#include "app/learn/SceneType.h"

#include "app/widget/Theme.h"

#include <QGuiApplication>

namespace ringmaster::app {

QFont SceneType::plain(double pixels, bool isBold) const
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(static_cast<int>(pixels * m_scale));
    font.setBold(isBold);
    return font;
}

QFont SceneType::monospace(double pixels) const
{
    QFont font = monospaceFont();
    font.setPixelSize(static_cast<int>(pixels * m_scale));
    return font;
}

} // namespace ringmaster::app
