#pragma once

#include "app/learn/LessonPlayer.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSlider;

namespace ringmaster::app {

/// The player's buttons and keys: everything that moves a lesson.
class PlayBar : public QWidget
{
    Q_OBJECT

public:
    /// Keys work in `scope` and all that is in it.
    PlayBar(LessonPlayer& player, QWidget* scope, QWidget* parent = nullptr);

    void refresh();
    /// Without the buttons to both ends: the slider and the keys lead there, too.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    int buttonsWidth(bool withEnds) const;
    void showEnds();
    void addKeys(QWidget* scope);
    void setTexts();
    QString placeText() const;
    void keepPlace();

    LessonPlayer& m_player;
    QHBoxLayout* m_scrub;
    QPushButton* m_first;
    QPushButton* m_back;
    QPushButton* m_play;
    QPushButton* m_step;
    QPushButton* m_blocked;
    QPushButton* m_last;
    QPushButton* m_finish;
    QSlider* m_slider;
    QLabel* m_place;
    QComboBox* m_speed;
};

} // namespace ringmaster::app
