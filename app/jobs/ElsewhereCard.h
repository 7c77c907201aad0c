#pragma once

#include "app/model/ForeignJobModel.h"
#include "app/widget/Card.h"

#include <QPointer>

class QPushButton;
class QTableView;

namespace ringmaster::app {

class ForeignJobDialog;

/// Jobs on one machine that Ringmaster didn't start; not there without one. One of them can be
/// looked at.
class ElsewhereCard : public Card
{
    Q_OBJECT

public:
    /// `machine`: empty: this one.
    ElsewhereCard(std::unique_ptr<ForeignJobs::Machine> looks, QString machine,
                  QWidget* parent = nullptr);

    ~ElsewhereCard() override;

    ForeignJobs& jobs() { return m_jobs; }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void update();
    void look();
    void setTexts();

    ForeignJobs m_jobs;
    const QString m_machine;
    ForeignJobModel m_model;
    QTableView* m_table;
    QPushButton* m_look;
    QPointer<ForeignJobDialog> m_dialog;
};

} // namespace ringmaster::app
