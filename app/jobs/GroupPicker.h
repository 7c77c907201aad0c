#pragma once

#include "engine/control/OperationSummary.h"

#include <QComboBox>

namespace ringmaster::app {

/// Chooses one of the process groups that a job has used.
class GroupPicker : public QComboBox
{
public:
    using Groups = std::vector<OperationSummary::GroupCollectives>;

    explicit GroupPicker(QWidget* parent = nullptr);

    /// The chosen one keeps its place while the others come and go.
    void setGroups(const Groups& groups);
    bool isChoice() const { return count() > 1; }
    /// Null: there is none.
    const OperationSummary::GroupCollectives* chosenOf(const Groups& groups) const;
};

} // namespace ringmaster::app
