#pragma once

#include "engine/event/Command.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace ringmaster {
struct RunSnapshot;
}

namespace ringmaster::app {

/// Asks which rank or host a fire drill is for and what is done to it, and says what that costs.
/// Accepted, it may begin.
class DrillDialog : public QDialog
{
    Q_OBJECT

public:
    /// `rank`: the one that is chosen on the page; -1: none is.
    DrillDialog(const RunSnapshot& run, int rank, QWidget* parent = nullptr);

    BeginDrill drill() const;

private:
    void build();
    void update();
    BeginDrill::Kind chosenKind() const;
    QString whatComes() const;
    QString costOfKill() const;

    const int m_restartsLeft;
    QFormLayout* m_form;
    QComboBox* m_kind;
    QComboBox* m_rank;
    QComboBox* m_host; ///< Those that can be drilled.
    QSpinBox* m_seconds;
    QLabel* m_cost;
};

} // namespace ringmaster::app
