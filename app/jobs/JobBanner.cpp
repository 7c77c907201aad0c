#include "app/jobs/JobBanner.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/StopGrace.h"
#include "app/jobs/VerdictBanner.h"
#include "app/widget/Banner.h"
#include "app/widget/Translated.h"
#include "engine/event/EndCause.h"

#include <QDateTime>
#include <QPushButton>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// Once the group is well again, the failure before is history: the timeline has it.
bool isPast(const RunSnapshot& run)
{
    return restartCauseOf(run) != nullptr && run.state == RunState::Running;
}

bool isVerdictTheCause(const RunSnapshot& run)
{
    const auto cause = endCauseOf(run);
    return cause && cause->verdict != nullptr;
}

/// Whose workers go on, as far as one knows.
std::optional<HostSnapshot> lostHostOf(const RunSnapshot& run)
{
    using State = HostChanged::State;
    for (const HostSnapshot& host : latestOfEachHost(run)) {
        const bool isLost = host.state == State::Lost || host.state == State::Reconnecting;
        if (isLost && saysAnything(host.reason))
            return host;
    }
    return std::nullopt;
}

/// The badge's; a banner about what is over keeps its own.
std::optional<Glyph> shapeOf(Health health)
{
    const bool isWell = health == Health::Running || health == Health::Starting ||
                        health == Health::Restarting || health == Health::Finished;
    return isWell ? std::nullopt : std::optional(lookOf(health, themeTokens()).shape);
}

} // namespace

JobBanner::JobBanner(const RunModel& run, QWidget* parent)
    : BannerPlace(parent), m_run(run), m_continue(new QPushButton(this))
{
    banner().addButton(m_continue);
    connect(m_continue, &QPushButton::clicked, this,
            [this] { Q_EMIT continueRequested(stoppedRankOf(m_run)); });
    connect(&run, &RunModel::runChanged, this, &JobBanner::update);
    connect(&run, &RunModel::feedFailed, this, [this](const Error& error) {
        m_feedError = error;
        update();
    });
    translated(this, [this] {
        update();
        keepPlaceOfVerdicts(*this);
    });
}

void JobBanner::update()
{
    updateContinue();
    showState();
    banner().setShape(shapeOf(m_run.health().health));
    const Health health = m_run.health().health;
    const std::optional<HostSnapshot> lost = lostHostOf(m_run.snapshot());
    if (health == Health::Running && lost)
        setQuietText(Health::Slow, text(lost->reason)); // as its lane in the timeline
    else
        setQuietText(health, quietText());
}

void JobBanner::updateContinue()
{
    const int rank = stoppedRankOf(m_run);
    m_continue->setText(tr("Continue rank %1").arg(std::max(0, rank)));
    m_continue->setToolTip(tr("It is stopped: send it SIGCONT"));
    m_continue->setVisible(rank >= 0);
}

void JobBanner::showState()
{
    const RunSnapshot& run = m_run.snapshot();
    const bool hasReason = saysAnything(run.reason);
    if (m_feedError)
        banner().show(Notice::Severity::Error, tr("This run can't be read."), text(*m_feedError),
                      {});
    else if (run.state == RunState::Stopping)
        banner().show(Notice::Severity::Info, tr("The job is being stopped."),
                      stopGraceText(run, QDateTime::currentMSecsSinceEpoch() * 1'000'000), {});
    else if (showVerdictOf(isPast(run) || isVerdictTheCause(run) ? Verdict::Kind::Waiting
                                                                 : Verdict::Kind::Hang) ||
             showFirstCause())
        return;
    else if (m_run.health().health == Health::Recorded)
        banner().show(Notice::Severity::Info, tr("Opened from files."), text(run.reason), {});
    else if (run.state == RunState::Lost)
        banner().show(Notice::Severity::Warning, tr("The agent is gone."),
                      withRestart(hasReason ? text(run.reason)
                                            : tr("It ended without saying how the run ended.")),
                      {});
    else if (run.state == RunState::Failed && hasReason)
        banner().show(Notice::Severity::Error, tr("The job failed."), withRestart(text(run.reason)),
                      detailOf(run.reason));
    else if (run.state == RunState::Stopped)
        banner().show(Notice::Severity::Info, tr("Stopped by you."), withRestart({}), {});
    else if (!showVerdictOf(Verdict::Kind::Waiting))
        banner().clear();
}

QString JobBanner::withRestart(const QString& reason) const
{
    QStringList sentences{reason, restartText(m_run.snapshot())};
    sentences.removeAll(QString());
    return sentences.join(u'\n');
}

bool JobBanner::showVerdictOf(Verdict::Kind least)
{
    return showVerdict(banner(), m_run, least, QDateTime::currentMSecsSinceEpoch() * 1'000'000);
}

bool JobBanner::showFirstCause()
{
    const RunSnapshot& run = m_run.snapshot();
    const bool isOfAnEarlierAttempt = restartCauseOf(run) != nullptr && isFinal(run.state);
    if (!run.firstCause || run.state == RunState::Succeeded || run.state == RunState::Stopped ||
        isOfAnEarlierAttempt)
        return false;
    const FirstCause& cause = *run.firstCause;
    QStringList sentences{text(cause.cause)};
    if (const QString place = lastOperationOf(m_run, cause.globalRank); !place.isEmpty())
        sentences << place;
    if (!cause.consequences.empty())
        sentences << tr("Ranks %1 ended because of it.", nullptr,
                        static_cast<int>(cause.consequences.size()))
                         .arg(ranksText(cause.consequences));
    if (saysAnything(cause.remedy))
        sentences << text(cause.remedy);
    QString headline =
        cause.sure ? tr("First cause.")
                   : tr("Not sure which rank failed first: %1.").arg(ranksText(cause.candidates));
    if (isPast(run))
        headline = tr("Restarted after attempt %1.").arg(cause.attempt + 1);
    banner().show(isPast(run) ? Notice::Severity::Warning : Notice::Severity::Error, headline,
                  sentences.join(QLatin1Char('\n')), QString::fromStdString(cause.traceback));
    return true;
}

QString JobBanner::quietText() const
{
    switch (m_run.health().health) {
    case Health::Starting: return tr("Starting; no trouble seen so far.");
    case Health::Restarting: return tr("The group is being restarted.");
    case Health::Running: return tr("No trouble seen.");
    case Health::Finished: return tr("Finished; every rank ended well.");
    case Health::Waiting:
    case Health::Slow:
    case Health::Hanging:
    case Health::Stopped:
    case Health::Stopping:
    case Health::Ended:
    case Health::StoppedByUser:
    case Health::Failed:
    case Health::Recorded:
    case Health::Lost: break;
    }
    return {};
}

} // namespace ringmaster::app
