#pragma once

#include "app/learn/RingStepModel.h"
#include "app/learn/SceneTableModel.h"
#include "app/widget/Card.h"

#include <QVBoxLayout>

class QStackedWidget;
class QTableView;
class QToolButton;

namespace ringmaster::app {

class LaneView;
class MemoryView;
class LessonPicture;

/// One moment of a lesson, as a picture with its place in time, as the table that is its twin,
/// among all steps, and among those of the ring; what is found in it, and where the data came from.
class MomentPanel : public Card
{
    Q_OBJECT

public:
    MomentPanel(LessonPlayer& player, QWidget* parent = nullptr);

    /// `emptyText` stands where nothing has happened yet.
    void refresh(const QString& emptyText);
    LessonPicture& picture() { return *m_picture; }
    LaneView& lanes() { return *m_lanes; }
    /// Variables whose bytes are drawn; empty: none.
    void setBars(std::vector<std::string> names);
    void setPresenting(bool isOn, double typeScale);
    void addBelow(QWidget* widget) { content()->addWidget(widget); }

    QByteArray svg() const;
    QByteArray png() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void buildTables();
    void refreshRing();
    void arrangeLanes();
    void connectControls();
    void selectRank(int rank);
    void setTexts();

    LessonPlayer& m_player;
    SceneTableModel m_scene;
    StepTableModel m_steps;
    int m_selectedRank = -1;
    static constexpr int Ring = 3; ///< Among the views.
    RingStepModel m_ringSteps;
    QToolButton* m_views[4];
    QLabel* m_happening; ///< With this step.
    QStackedWidget* m_stack;
    QLabel* m_empty;
    LessonPicture* m_picture;
    LaneView* m_lanes;
    MemoryView* m_memory;
    QTableView* m_ringTable;
    QTableView* m_sceneTable;
    QTableView* m_stepTable;
    QLabel* m_findings;
    QLabel* m_origin;
};

} // namespace ringmaster::app
