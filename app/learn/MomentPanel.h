#pragma once

#include "app/learn/SceneTableModel.h"
#include "app/widget/Card.h"

#include <QVBoxLayout>

class QStackedWidget;
class QTableView;
class QToolButton;

namespace ringmaster::app {

class LessonPicture;

/// One moment of a lesson, as a picture, as the table that is its twin, and among all steps; what
/// is found in it, and where the data came from.
class MomentPanel : public Card
{
    Q_OBJECT

public:
    MomentPanel(LessonPlayer& player, QWidget* parent = nullptr);

    /// `emptyText` stands where nothing has happened yet.
    void refresh(const QString& emptyText);
    LessonPicture& picture() { return *m_picture; }
    void addBelow(QWidget* widget) { content()->addWidget(widget); }

    QByteArray svg() const;
    QByteArray png() const;

private:
    void build();
    void connectControls();
    void selectRank(int rank);
    void setTexts();

    LessonPlayer& m_player;
    SceneTableModel m_scene;
    StepTableModel m_steps;
    int m_selectedRank = -1;
    QToolButton* m_views[3];
    QLabel* m_happening; ///< With this step.
    QStackedWidget* m_stack;
    QLabel* m_empty;
    LessonPicture* m_picture;
    QTableView* m_sceneTable;
    QTableView* m_stepTable;
    QLabel* m_findings;
    QLabel* m_origin;
};

} // namespace ringmaster::app
