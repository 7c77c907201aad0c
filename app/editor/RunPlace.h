#pragma once

#include "app/editor/EnvironmentProbe.h"
#include "app/editor/FormRows.h"
#include "engine/hosts/Host.h"
#include "engine/job/JobSpec.h"

namespace ringmaster::app {

/// One way to run a job, and the fields that only it has: a row of the editor's *Run on*.
class RunPlace : public FormRows
{
    Q_OBJECT

public:
    using FormRows::FormRows;

    bool hasFields() const { return form().rowCount() > 0; }

    virtual QString title() const = 0;
    /// Whether the job says that it runs so.
    virtual bool holds(const JobSpec& spec) const = 0;
    virtual void load(const JobSpec& spec) = 0;
    /// The job runs so: with what the fields say.
    virtual void store(JobSpec& spec) const = 0;
    /// The job runs otherwise.
    virtual void clear(JobSpec& spec) const = 0;
    virtual void setFacts(const LocalFacts& facts) { Q_UNUSED(facts) }
    virtual void setHosts(const std::vector<Host>& hosts) { Q_UNUSED(hosts) }

Q_SIGNALS:
    void edited();
    void preflightRequested();
};

/// This machine alone.
class ThisMachine : public RunPlace
{
    Q_OBJECT

public:
    using RunPlace::RunPlace;

    QString title() const override;
    bool holds(const JobSpec& spec) const override;
    void load(const JobSpec&) override {}
    void store(JobSpec& spec) const override;
    void clear(JobSpec&) const override {}
};

} // namespace ringmaster::app
