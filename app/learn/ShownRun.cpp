#include "app/learn/ShownRun.h"

#include <utility>

namespace ringmaster::app {

ShownRun::ShownRun(EngineBridge& bridge, LessonPlayer& player, QWidget* page)
    : QObject(page), m_bridge(bridge), m_player(player), m_faultPredictor(page)
{
    connect(&m_faultPredictor, &FaultPredictor::judged, this, &ShownRun::faultJudged);
}

void ShownRun::start(LessonRun::Setting setting)
{
    replace(std::make_unique<LessonRun>(m_bridge, m_files, std::move(setting), nullptr));
}

void ShownRun::open(const std::string& run)
{
    replace(std::make_unique<LessonRun>(m_bridge, run, nullptr));
}

void ShownRun::open(const lesson::RecordedJob& job)
{
    replace(std::make_unique<LessonRun>(m_bridge, job, nullptr));
}

void ShownRun::replace(std::unique_ptr<LessonRun> run)
{
    m_player.setRun(nullptr);
    Q_EMIT replaced();
    m_wasOver = false;
    m_faultPredictor.forget();
    m_run = std::move(run);
    if (m_run) {
        connect(m_run.get(), &LessonRun::changed, this, &ShownRun::changed);
        connect(m_run.get(), &LessonRun::failed, this, &ShownRun::failed);
    }
    m_player.setRun(m_run.get());
}

bool ShownRun::hasJustEnded()
{
    return isOver() && !std::exchange(m_wasOver, true);
}

void ShownRun::inject(InjectFault::Kind kind, int rank)
{
    const InjectFault fault{.kind = kind, .globalRank = rank, .delay = std::chrono::seconds(3)};
    if (!m_run)
        return;
    if (kind == InjectFault::Kind::Resume)
        return m_run->inject(fault);
    m_faultPredictor.ask(*m_run, fault);
}

} // namespace ringmaster::app
