#pragma once

#include "app/learn/LessonScene.h"

#include <QWidget>

namespace ringmaster::app {

/// Draws a scene: the ranks in a circle with what they hold, what moves between them, who waits for
/// whom. Its twin is the table of SceneTableModel, with the same selection.
class LessonPicture : public QWidget
{
    Q_OBJECT

public:
    explicit LessonPicture(QWidget* parent = nullptr);

    void show(const LessonScene& scene);
    const LessonScene& scene() const { return m_scene; }
    void setSelectedRank(int rank);
    int selectedRank() const { return m_selectedRank; }
    /// 1 is for the desk, more for a projector.
    void setTypeScale(double scale);
    /// The same drawing elsewhere: for files.
    void paint(QPainter& painter, const QRectF& area) const;
    QRectF boxOf(int rank) const;

Q_SIGNALS:
    void rankChosen(int rank);
    /// Clicked twice: this rank is to go on.
    void stepWanted(int rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF boxIn(const QRectF& area, int rank) const;
    int rankAt(const QPointF& point) const;

    LessonScene m_scene;
    int m_selectedRank = -1;
    double m_scale = 1;
};

} // namespace ringmaster::app
