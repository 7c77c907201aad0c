#include "app/learn/FaultQuestion.h"

#include "app/learn/FaultText.h"
#include "app/learn/LearnText.h"
#include "app/widget/Card.h"

#include <QButtonGroup>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace ringmaster::app {

namespace {

using lesson::FaultOutcome;
using lesson::FaultWitness;

constexpr FaultOutcome Outcomes[] = {FaultOutcome::Completes, FaultOutcome::Waits,
                                     FaultOutcome::Restarts, FaultOutcome::Fails};
constexpr FaultWitness Witnesses[] = {FaultWitness::Agent, FaultWitness::Diagnosis,
                                      FaultWitness::Comparison, FaultWitness::Exceptions,
                                      FaultWitness::Nobody};

} // namespace

FaultQuestion::FaultQuestion(const InjectFault& fault, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Predict"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 18, 22, 16);
    layout->setSpacing(10);
    layout->addWidget(new QLabel(tr("%1, on rank %2").arg(word(fault.kind)).arg(fault.globalRank)));
    QStringList outcomes;
    for (const FaultOutcome outcome : Outcomes)
        outcomes << sentence(outcome, fault);
    m_outcome = ask(tr("What will come of it?"), outcomes);
    QStringList witnesses;
    for (const FaultWitness witness : Witnesses)
        witnesses << sentence(witness);
    m_witness = ask(tr("Who will say that it was rank %1?").arg(fault.globalRank), witnesses);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    QPushButton* go = buttons->addButton(tr("Break it and see"), QDialogButtonBox::AcceptRole);
    go->setDefault(true);
    go->setEnabled(false);
    layout->addWidget(buttons);
    for (QButtonGroup* group : {m_outcome, m_witness})
        connect(group, &QButtonGroup::idClicked, this, [this, go] {
            go->setEnabled(m_outcome->checkedId() >= 0 && m_witness->checkedId() >= 0);
        });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QButtonGroup* FaultQuestion::ask(const QString& question, const QStringList& answers)
{
    // A parent a question: the arrow keys go round among its answers.
    auto* box = new QWidget(this);
    box->setAccessibleName(question);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 6, 0, 2);
    layout->setSpacing(5);
    auto* label = new QLabel(question, box);
    setLook(label, "cardTitle");
    layout->addWidget(label);
    auto* group = new QButtonGroup(box);
    for (int answer = 0; answer < answers.size(); ++answer) {
        auto* button = new QRadioButton(answers.at(answer), box);
        group->addButton(button, answer);
        layout->addWidget(button);
    }
    this->layout()->addWidget(box);
    return group;
}

FaultOutcome FaultQuestion::outcome() const
{
    return Outcomes[std::max(m_outcome->checkedId(), 0)];
}

FaultWitness FaultQuestion::witness() const
{
    return Witnesses[std::max(m_witness->checkedId(), 0)];
}

} // namespace ringmaster::app
