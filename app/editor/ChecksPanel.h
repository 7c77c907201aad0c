#pragma once

#include "app/editor/ChecksModel.h"
#include "app/widget/Card.h"
#include "engine/hosts/HostReport.h"

class QListView;

namespace ringmaster::app {

/// The list of checks: shape, colour and sentence; activating one leads to its field.
class ChecksPanel : public Card
{
    Q_OBJECT

public:
    explicit ChecksPanel(QWidget* parent = nullptr);

    /// What is shown may no longer be so, until the next findings.
    void setChecking();
    void setFindings(const std::vector<Finding>& findings);
    /// What the hosts said, below what is known here; until the job runs elsewhere.
    void setPreflight(const Result<std::vector<PreflightFinding>>& answer);
    void forgetPreflight();
    void setAsking();
    const ChecksModel& model() const { return m_model; }

Q_SIGNALS:
    void fieldChosen(const QString& field);

private:
    void setTexts();

    void show();

    bool m_isChecking = true;
    bool m_isAsking = false;
    std::vector<Finding> m_findings;
    std::vector<Finding> m_preflight;
    ChecksModel m_model;
    QListView* m_view;
};

} // namespace ringmaster::app
