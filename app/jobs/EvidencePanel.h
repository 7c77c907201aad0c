#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RunModel.h"
#include "app/widget/Card.h"

#include <optional>

class QComboBox;
class QLabel;
class QStackedLayout;
class QToolButton;

namespace ringmaster::app {

class EmptyState;
class EvidenceTree;

/// Where the ranks stood before they were ended, as the run has kept it; and, of a running one,
/// where they stand now.
class EvidencePanel : public Card
{
    Q_OBJECT

public:
    EvidencePanel(EngineBridge& bridge, const RunModel& run, QWidget* parent = nullptr);

    /// Asks the ranks of a running run.
    void takeStacks();

private:
    void build();
    void setTexts();
    void apply(const std::vector<Event>& events);
    void taken(const Result<KeptEvidence>& stacks);
    void fillChoice();
    void showChosen();
    void updateButtons();
    QString nameOf(const KeptEvidence& evidence, bool isNow) const;
    const KeptEvidence* chosen() const;

    EngineBridge& m_bridge;
    const RunModel& m_run;
    std::vector<Event> m_events;         ///< Those with evidence.
    std::vector<KeptEvidence> m_kept;    ///< What they amount to.
    std::optional<KeptEvidence> m_taken; ///< The last that was asked for.
    QString m_problem;                   ///< Why nothing came when it was.
    bool m_isAsking = false;
    QComboBox* m_choice;
    QToolButton* m_take;
    QToolButton* m_copy;
    QLabel* m_note;
    EvidenceTree* m_tree;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
};

} // namespace ringmaster::app
