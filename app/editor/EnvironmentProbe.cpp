#include "app/editor/EnvironmentProbe.h"

#include "app/bridge/Background.h"
#include "engine/base/Paths.h"
#include "engine/job/ContainerEngine.h"
#include "engine/job/Validation.h"
#include "engine/machine/Battery.h"
#include "engine/machine/RealSystemInfo.h"

#include <QDir>

#include <chrono>

namespace ringmaster::app {

using namespace std::chrono_literals;

namespace {

LocalFacts factsOf(const std::string& folder)
{
    const EnvironmentMap environment = currentEnvironment();
    const Interpreters interpreters(environment);
    const RealSystemInfo machine(environment, folder);
    LocalFacts facts{.counts = machine.counts(),
                     .devices = machine.devices(),
                     .interpreters = interpreters.all(folder),
                     .activeInterpreter = interpreters.active(),
                     .hasSbatch = !machine.findCommand("sbatch").empty(),
                     .hasBattery = hasBattery(machine)};
    facts.command = (executableFolder() / "ringmaster").string();
    if (!machine.file(facts.command).isExecutable)
        facts.command = machine.findCommand("ringmaster");
    const auto find = [&machine](const std::string& command) {
        return machine.findCommand(command);
    };
    for (const char* engine : {"podman", "docker", "apptainer", "charliecloud"})
        if (!findContainerEngine({.engine = engine}, find).first.empty())
            facts.containerEngines.emplace_back(engine);
    return facts;
}

} // namespace

EnvironmentProbe::EnvironmentProbe(QObject* parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(250ms);
    connect(&m_delay, &QTimer::timeout, this, &EnvironmentProbe::startCheck);
}

EnvironmentProbe::~EnvironmentProbe()
{
    m_pool.clear();
    m_pool.waitForDone();
}

void EnvironmentProbe::lookAround(const QString& workingFolder)
{
    const quint64 look = ++m_look;
    inBackground(
        m_pool, this, [folder = workingFolder.toStdString()] { return factsOf(folder); },
        [this, look](const LocalFacts& facts) {
            if (look != m_look)
                return;
            m_facts = facts;
            Q_EMIT factsChanged();
        });
}

void EnvironmentProbe::check(const JobSpec& spec, const Agreement& agreement)
{
    m_spec = spec;
    m_agreement = agreement;
    ++m_question; // What is still being answered is about another job.
    m_delay.start();
}

void EnvironmentProbe::checkNow(const JobSpec& spec, const Agreement& agreement)
{
    m_spec = spec;
    m_agreement = agreement;
    m_delay.stop();
    startCheck();
}

void EnvironmentProbe::startCheck()
{
    const quint64 question = ++m_question;
    inBackground(
        m_pool, this,
        [spec = m_spec, agreement = m_agreement, folder = QDir::currentPath().toStdString()] {
            return validate(spec, RealSystemInfo(currentEnvironment(), folder, agreement));
        },
        [this, question](const std::vector<Finding>& findings) {
            if (question == m_question)
                Q_EMIT checked(findings);
        });
}

} // namespace ringmaster::app
