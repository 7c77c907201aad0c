#include "app/editor/StartFromButton.h"

#include "app/bridge/Words.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QMenu>

#include <algorithm>
#include <set>

namespace ringmaster::app {

namespace {

struct Example
{
    const char* file;
    const char* title;
};

constexpr Example Examples[] = {
    {"ddp_digits", QT_TRANSLATE_NOOP("ringmaster::app::StartFromButton", "Training with DDP")},
    {"ddp_digits_checkpoint",
     QT_TRANSLATE_NOOP("ringmaster::app::StartFromButton", "Training that goes on after a crash")},
    {"point_to_point",
     QT_TRANSLATE_NOOP("ringmaster::app::StartFromButton", "send and recv between two ranks")},
    {"shell_command", QT_TRANSLATE_NOOP("ringmaster::app::StartFromButton", "A shell command")},
};

/// The last run of each job, the newest first.
std::vector<RunSummary> lastRuns(std::vector<RunSummary> runs)
{
    std::erase_if(runs, [](const RunSummary& run) { return run.purpose != RunPurpose::Job; });
    std::ranges::sort(runs, std::ranges::greater{},
                      [](const RunSummary& run) { return run.startedAt.wallNs; });
    std::set<std::string> known;
    std::erase_if(runs, [&](const RunSummary& run) {
        return known.size() >= StartFromButton::MostRecent || !known.insert(run.name).second;
    });
    return runs;
}

} // namespace

StartFromButton::StartFromButton(EngineBridge& bridge, QWidget* parent)
    : QToolButton(parent), m_bridge(bridge), m_menu(new QMenu(this))
{
    setLook(this, "flat");
    setPopupMode(QToolButton::InstantPopup);
    setMenu(m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, &StartFromButton::fill);
    translated(this, [this] {
        setText(tr("Start from ▾"));
        setAccessibleName(tr("Start from an example or a recent job"));
        setToolTip(tr("An example, or a job that ran before, into the form"));
    });
}

void StartFromButton::fill()
{
    m_menu->clear();
    m_menu->addSection(tr("Examples"));
    for (const Example& example : Examples) {
        const QString file = QString::fromLatin1(example.file);
        connect(m_menu->addAction(tr(example.title)), &QAction::triggered, this,
                [this, file] { Q_EMIT exampleChosen(file); });
    }
    addRecent();
}

void StartFromButton::addRecent()
{
    const std::vector<RunSummary> runs = lastRuns(m_bridge.runs());
    if (runs.empty())
        return;
    m_menu->addSection(tr("Recent jobs"));
    for (const RunSummary& run : runs) {
        QString name = QString::fromStdString(run.shownName());
        name.replace(u'&', QStringLiteral("&&"));
        QAction* action =
            m_menu->addAction(tr("%1, started %2", "a job").arg(name, timeText(run.startedAt)));
        connect(action, &QAction::triggered, this,
                [this, id = QString::fromStdString(run.id)] { Q_EMIT runChosen(id); });
    }
}

} // namespace ringmaster::app
