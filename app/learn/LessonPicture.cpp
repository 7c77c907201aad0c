#include "app/learn/LessonPicture.h"

#include "app/widget/AccessibleRole.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>

namespace ringmaster::app {

LessonPicture::LessonPicture(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 180);
    setAccessibleRole(this, QAccessible::Graphic);
}

void LessonPicture::show(const LessonScene& scene, double progress)
{
    rememberBefore(scene);
    if (scene.ranks.size() != m_scene.ranks.size()) {
        m_grown = {};
        m_scrolled.clear();
    }
    m_scene = scene;
    m_progress.done = progress;
    redraw();
}

/// What this step changes: until it has happened, its values are as they were.
void LessonPicture::rememberBefore(const LessonScene& next)
{
    m_progress.before.clear();
    for (const LessonScene::Rank& rank : m_scene.ranks) {
        const auto same = std::ranges::find(next.ranks, rank.rank, &LessonScene::Rank::rank);
        if (same == next.ranks.end())
            continue;
        for (const LessonScene::Value& value : rank.values) {
            const auto now = std::ranges::find(same->values, value.name, &LessonScene::Value::name);
            if (now != same->values.end() && now->elements != value.elements)
                m_progress.before[{rank.rank, value.name}] = value.elements;
        }
    }
}

void LessonPicture::setProgress(double progress)
{
    m_progress.done = progress;
    update();
}

void LessonPicture::redraw()
{
    m_drawing.reset();
    update();
}

SceneLayout::Setting LessonPicture::setting() const
{
    return {.scale = m_scale, .mostGrowth = m_growth, .atLeast = m_grown, .scrolled = m_scrolled};
}

const ScenePainter& LessonPicture::drawing() const
{
    if (!m_drawing)
        m_drawing = std::make_unique<ScenePainter>(m_scene, rect(), setting());
    return *m_drawing;
}

void LessonPicture::setSelectedRank(int rank)
{
    if (m_selectedRank == rank)
        return;
    m_selectedRank = rank;
    update();
}

void LessonPicture::setTypeScale(double scale, double growth)
{
    m_scale = scale;
    m_growth = growth;
    redraw();
}

QRectF LessonPicture::boxOf(int rank) const
{
    return drawing().layout().boxOf(rank);
}

void LessonPicture::paint(QPainter& painter, const QRectF& area) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    ScenePainter(m_scene, area, setting()).paint(painter, m_selectedRank, m_progress);
}

void LessonPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    drawing().paint(painter, m_selectedRank, m_progress);
    m_grown = m_grown.expandedTo(drawing().layout().wantedSize());
    if (hasFocus()) {
        painter.setPen(themeTokens().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 5, 5);
    }
}

void LessonPicture::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    Q_EMIT rankChosen(drawing().layout().rankAt(event->position()));
}

void LessonPicture::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const int rank = drawing().layout().rankAt(event->position()); rank >= 0)
        Q_EMIT stepWanted(rank);
}

void LessonPicture::keyPressEvent(QKeyEvent* event)
{
    const int count = static_cast<int>(m_scene.ranks.size());
    if (count > 0 && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        const int step = event->key() == Qt::Key_Down ? 1 : count - 1;
        const auto selected =
            std::ranges::find(m_scene.ranks, m_selectedRank, &LessonScene::Rank::rank);
        const auto place =
            selected == m_scene.ranks.end() ? 0 : (selected - m_scene.ranks.begin() + step) % count;
        Q_EMIT rankChosen(m_scene.ranks[static_cast<size_t>(place)].rank);
    } else if (m_selectedRank >= 0 && event->key() == Qt::Key_Return) {
        Q_EMIT stepWanted(m_selectedRank);
    } else {
        QWidget::keyPressEvent(event);
    }
}

/// A box that hasn't room for all shows other lines of it.
void LessonPicture::wheelEvent(QWheelEvent* event)
{
    const SceneLayout& layout = drawing().layout();
    const int rank = layout.rankAt(event->position());
    const SceneLayout::Box* box = layout.find(rank);
    if (box == nullptr || box->isWhole())
        return QWidget::wheelEvent(event);
    const int most = static_cast<int>(box->lines.size() - box->count);
    const int step = event->angleDelta().y() < 0 ? 1 : -1;
    m_scrolled[rank] = std::clamp(static_cast<int>(box->first) + step, 0, most);
    redraw();
    event->accept();
}

void LessonPicture::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    redraw();
}

void LessonPicture::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    redraw();
}

} // namespace ringmaster::app
