#pragma once

#include "app/editor/EnvironmentModel.h"
#include "app/widget/Card.h"
#include "engine/job/JobSpec.h"
#include "engine/job/WorkerCounts.h"

class QLabel;
class QSpinBox;
class QTableView;
class QToolButton;

namespace ringmaster::app {

/// What the worker of any rank would get.
class EnvironmentPanel : public Card
{
    Q_OBJECT

public:
    explicit EnvironmentPanel(QWidget* parent = nullptr);

    void setJob(const JobSpec& spec, const MachineCounts& counts);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void render();
    void setTexts();

    JobSpec m_spec;
    MachineCounts m_counts;
    EnvironmentMap m_base;
    EnvironmentModel m_model;
    QSpinBox* m_rank;
    QToolButton* m_inherited;
    QLabel* m_problem;
    QTableView* m_table;
};

} // namespace ringmaster::app
