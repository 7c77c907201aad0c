#pragma once

#include "app/learn/ScenePainter.h"

#include <QWidget>

#include <memory>

namespace ringmaster::app {

/// Draws a scene: the ranks with what they hold, what moves between them, who waits for whom; in
/// motion, the moments between it and the one before. The wheel shows more of a full box. Its twin
/// is the table of SceneTableModel, with the same selection.
class LessonPicture : public QWidget
{
    Q_OBJECT

public:
    explicit LessonPicture(QWidget* parent = nullptr);

    /// `progress`: of the step that led from the scene before to this one.
    void show(const LessonScene& scene, double progress = 1);
    void setProgress(double progress);
    const SceneProgress& progress() const { return m_progress; }
    const LessonScene& scene() const { return m_scene; }
    void setSelectedRank(int rank);
    int selectedRank() const { return m_selectedRank; }
    /// 1 is for the desk, more for a projector; `growth`: how much larger where there is room.
    void setTypeScale(double scale, double growth = 1.5);
    /// The same drawing elsewhere: for files.
    void paint(QPainter& painter, const QRectF& area) const;
    QRectF boxOf(int rank) const;
    /// As it is drawn now.
    const ScenePainter& drawing() const;

Q_SIGNALS:
    void rankChosen(int rank);
    /// Clicked twice: this rank is to go on.
    void stepWanted(int rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    SceneLayout::Setting setting() const;
    void rememberBefore(const LessonScene& next);
    void redraw();

    LessonScene m_scene;
    SceneProgress m_progress;
    QSizeF m_grown; ///< Boxes have been so large.
    std::map<int, int> m_scrolled;
    int m_selectedRank = -1;
    double m_scale = 1;
    double m_growth = 1.5;
    mutable std::unique_ptr<ScenePainter> m_drawing; ///< Null: to be made anew.
};

} // namespace ringmaster::app
