#pragma once

#include "app/model/ForeignJobModel.h"
#include "app/widget/Card.h"

#include <QPointer>

class QPushButton;
class QTableView;

namespace ringmaster::app {

class ForeignJobDialog;

/// Jobs on this machine that Ringmaster didn't start; not there without one. One of them can be
/// looked at.
class ElsewhereCard : public Card
{
    Q_OBJECT

public:
    ElsewhereCard(ForeignJobs& jobs, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void update();
    void look();
    void setTexts();

    ForeignJobs& m_jobs;
    ForeignJobModel m_model;
    QTableView* m_table;
    QPushButton* m_look;
    QPointer<ForeignJobDialog> m_dialog;
};

} // namespace ringmaster::app
