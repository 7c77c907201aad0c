#include "app/jobs/GroupPicker.h"

#include "app/model/OperationText.h"

#include <QSignalBlocker>

#include <algorithm>

namespace ringmaster::app {

GroupPicker::GroupPicker(QWidget* parent) : QComboBox(parent)
{
    hide();
    setSizeAdjustPolicy(AdjustToContents);
}

void GroupPicker::setGroups(const Groups& groups)
{
    QStringList names;
    for (const OperationSummary::GroupCollectives& group : groups)
        names << groupText(group.group);
    names.sort();
    QStringList shown;
    for (int i = 0; i < count(); ++i)
        shown << itemText(i);
    if (names == shown)
        return;
    const QString current = currentText();
    const QSignalBlocker blocker(this);
    clear();
    addItems(names);
    setCurrentIndex(std::max(0, static_cast<int>(names.indexOf(current))));
}

const OperationSummary::GroupCollectives* GroupPicker::chosenOf(const Groups& groups) const
{
    const auto chosen = std::ranges::find(
        groups, currentText(),
        [](const OperationSummary::GroupCollectives& group) { return groupText(group.group); });
    if (chosen != groups.end())
        return &*chosen;
    return groups.empty() ? nullptr : &groups.front();
}

} // namespace ringmaster::app
