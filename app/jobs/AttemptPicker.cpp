#include "app/jobs/AttemptPicker.h"

#include "app/model/AttemptChoice.h"
#include "app/widget/Translated.h"

#include <QSignalBlocker>

namespace ringmaster::app {

AttemptPicker::AttemptPicker(AttemptChoice& choice, QWidget* parent)
    : QComboBox(parent), m_choice(choice)
{
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(this, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_choice.choose(index - 1); });
    connect(&choice, &AttemptChoice::countChanged, this, &AttemptPicker::fill);
    connect(&choice, &AttemptChoice::changed, this, &AttemptPicker::fill);
    translated(this, [this] { fill(); });
}

void AttemptPicker::fill()
{
    const QSignalBlocker blocker(this);
    clear();
    addItem(tr("All attempts"));
    for (int attempt = 1; attempt <= m_choice.count(); ++attempt)
        addItem(tr("Attempt %1").arg(attempt));
    setCurrentIndex(m_choice.chosen() + 1);
    setAccessibleName(tr("Attempt"));
    setToolTip(tr("Whose workers, collectives and output are shown; the time axis keeps all"));
    setVisible(m_choice.count() > 1);
}

} // namespace ringmaster::app
