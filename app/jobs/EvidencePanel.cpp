#include "app/jobs/EvidencePanel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/EvidenceTree.h"
#include "app/widget/EmptyState.h"
#include "app/widget/Translated.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// Of a run that restarts again and again the first and the last are of interest.
constexpr size_t MostEvents = 200;

} // namespace

EvidencePanel::EvidencePanel(EngineBridge& bridge, const RunModel& run, QWidget* parent)
    : Card(parent)
    , m_bridge(bridge)
    , m_run(run)
    , m_choice(new QComboBox(this))
    , m_take(new QToolButton(this))
    , m_copy(new QToolButton(this))
    , m_note(new QLabel(this))
    , m_tree(new EvidenceTree(this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
{
    build();
    connect(&run, &RunModel::eventsApplied, this, &EvidencePanel::apply);
    connect(&run, &RunModel::runChanged, this, &EvidencePanel::updateButtons);
    connect(m_take, &QToolButton::clicked, this, &EvidencePanel::takeStacks);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_tree->text()); });
    connect(m_choice, &QComboBox::activated, this, &EvidencePanel::showChosen);
    translated(this, [this] { setTexts(); });
}

void EvidencePanel::build()
{
    setLook(m_take, "flat");
    setLook(m_copy, "flat");
    addHeaderWidget(m_take);
    addHeaderWidget(m_copy);
    m_note->setWordWrap(true);
    m_note->hide();
    m_choice->hide();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_tree);
    content()->addWidget(m_choice);
    content()->addWidget(m_note);
    content()->addLayout(m_stack, 1);
}

void EvidencePanel::setTexts()
{
    setTitle(tr("Evidence"));
    m_take->setText(tr("Show stacks"));
    m_take->setToolTip(tr("Take where each rank stands now, without stopping it"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy all of it as text"));
    m_choice->setAccessibleName(tr("When the stacks were taken"));
    m_tree->setAccessibleName(tr("Where the ranks stood, equal stacks once"));
    m_empty->setTexts(tr("No stacks yet"),
                      tr("Before ranks are ended that have waited for more than 3 s, it is kept "
                         "where each of them stands."));
    fillChoice();
    showChosen();
}

void EvidencePanel::updateButtons()
{
    const bool isLive = m_run.isRunning() && !m_run.isComplete();
    m_take->setVisible(isLive);
    m_take->setEnabled(!m_isAsking);
    m_copy->setEnabled(chosen() != nullptr);
}

void EvidencePanel::apply(const std::vector<Event>& events)
{
    const size_t before = m_events.size();
    for (const Event& event : events) {
        if (std::holds_alternative<Evidence>(event.body))
            m_events.push_back(event);
    }
    if (m_events.size() == before)
        return;
    if (m_events.size() > MostEvents)
        m_events.erase(m_events.begin() + MostEvents / 2,
                       m_events.end() - static_cast<std::ptrdiff_t>(MostEvents / 2));
    m_kept = gatheredEvidence(m_events);
    m_taken.reset(); // what was asked for before is older
    fillChoice();
    showChosen();
}

void EvidencePanel::takeStacks()
{
    if (m_isAsking || !m_run.isRunning())
        return;
    m_isAsking = true;
    updateButtons();
    m_bridge.ask(&Cluster::takeStacks, m_run.run())
        .then(this, [this](const Result<KeptEvidence>& stacks) { taken(stacks); });
}

void EvidencePanel::taken(const Result<KeptEvidence>& stacks)
{
    m_isAsking = false;
    m_problem.clear();
    if (!stacks)
        m_problem = text(stacks.error());
    else if (stacks->evidence.ranks.empty())
        m_problem = tr("No rank is running now.");
    else
        m_taken = *stacks;
    fillChoice();
    showChosen();
}

/// The newest is chosen: what was asked for, else what was kept last.
void EvidencePanel::fillChoice()
{
    m_choice->clear();
    if (m_taken)
        m_choice->addItem(nameOf(*m_taken, true));
    for (auto kept = m_kept.rbegin(); kept != m_kept.rend(); ++kept)
        m_choice->addItem(nameOf(*kept, false));
    m_choice->setVisible(m_choice->count() > 1);
}

QString EvidencePanel::nameOf(const KeptEvidence& evidence, bool isNow) const
{
    const QString attempt = tr("Attempt %1").arg(evidence.evidence.attempt + 1);
    const Message& reason = evidence.evidence.reason;
    if (isNow)
        return tr("%1, %2: as you asked").arg(attempt, timeText(evidence.at));
    if (!saysAnything(reason))
        return tr("%1, %2").arg(attempt, timeText(evidence.at));
    return tr("%1, %2: %3").arg(attempt, timeText(evidence.at), text(reason));
}

const KeptEvidence* EvidencePanel::chosen() const
{
    int index = std::max(m_choice->currentIndex(), 0);
    if (m_taken && index-- == 0)
        return &*m_taken;
    const auto place = static_cast<size_t>(index);
    return place < m_kept.size() ? &m_kept[m_kept.size() - 1 - place] : nullptr;
}

void EvidencePanel::showChosen()
{
    const KeptEvidence* evidence = chosen();
    m_tree->setEvidence(evidence != nullptr ? evidence->evidence : Evidence());
    setSubtitle(m_choice->count() == 1 ? m_choice->itemText(0) : QString());
    QString note = m_problem;
    if (note.isEmpty() && evidence != nullptr && evidence->evidence.isPart)
        note = tr("It was too much: a part is left out.");
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_stack->setCurrentWidget(evidence != nullptr ? static_cast<QWidget*>(m_tree) : m_empty);
    updateButtons();
}

} // namespace ringmaster::app
