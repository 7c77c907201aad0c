#include "app/learn/LessonPicture.h"

#include "app/learn/ScenePainter.h"
#include "app/widget/AccessibleRole.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace ringmaster::app {

LessonPicture::LessonPicture(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 180);
    setAccessibleRole(this, QAccessible::Graphic);
}

void LessonPicture::show(const LessonScene& scene)
{
    m_scene = scene;
    update();
}

void LessonPicture::setSelectedRank(int rank)
{
    if (m_selectedRank == rank)
        return;
    m_selectedRank = rank;
    update();
}

void LessonPicture::setTypeScale(double scale)
{
    m_scale = scale;
    update();
}

QRectF LessonPicture::boxOf(int rank) const
{
    return SceneLayout(m_scene, rect(), m_scale).boxOf(rank);
}

void LessonPicture::paint(QPainter& painter, const QRectF& area) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    ScenePainter(m_scene, area, m_scale).paint(painter, m_selectedRank);
}

void LessonPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paint(painter, rect());
    if (hasFocus()) {
        painter.setPen(themeTokens().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 5, 5);
    }
}

int LessonPicture::rankAt(const QPointF& point) const
{
    return SceneLayout(m_scene, rect(), m_scale).rankAt(point);
}

void LessonPicture::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    Q_EMIT rankChosen(rankAt(event->position()));
}

void LessonPicture::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const int rank = rankAt(event->position()); rank >= 0)
        Q_EMIT stepWanted(rank);
}

void LessonPicture::keyPressEvent(QKeyEvent* event)
{
    const int count = static_cast<int>(m_scene.ranks.size());
    if (count > 0 && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        const int step = event->key() == Qt::Key_Down ? 1 : count - 1;
        Q_EMIT rankChosen(m_selectedRank < 0 ? 0 : (m_selectedRank + step) % count);
    } else if (m_selectedRank >= 0 && event->key() == Qt::Key_Return) {
        Q_EMIT stepWanted(m_selectedRank);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace ringmaster::app
