#pragma once

#include <QFont>
#include <QFontMetricsF>

namespace ringmaster::app {

/// The type of a scene's drawing: its sizes grow together.
class SceneType
{
public:
    explicit SceneType(double scale) : m_scale(scale) {}

    double scale() const { return m_scale; }
    QFont plain(double pixels, bool isBold = false) const;
    QFont monospace(double pixels) const;

    QFont rankFont() const { return plain(12, true); }
    QFont textFont() const { return plain(11); }
    QFont valueFont() const { return monospace(11); }
    double lineHeight() const { return 17 * m_scale; }
    double cellHeight() const { return 19 * m_scale; }

private:
    double m_scale;
};

} // namespace ringmaster::app
