#pragma once

#include "engine/job/JobSpec.h"

#include <QString>

#include <optional>

namespace ringmaster::app {

/// What is known of the job in the form: the file it is kept in, whether it was changed since, and
/// as what it was launched. Pure: the caller reads and writes files.
class JobDocument
{
public:
    /// Empty: it is in no file yet.
    const QString& path() const { return m_path; }
    bool isDirty() const { return m_isDirty; }
    /// As it runs, or last ran.
    const std::optional<JobSpec>& launched() const { return m_launched; }

    /// Another job is in the form, as it is in this file.
    void opened(const QString& path);
    void edited() { m_isDirty = true; }
    /// As `saved`; somebody may have gone on writing meanwhile.
    void saved(const QString& path, const JobSpec& saved, const JobSpec& now);
    /// Whether it will run isn't known yet.
    void launchAsked(const JobSpec& spec) { m_asked = spec; }
    /// A job has started as `spec`. If it is the one that was asked for, then what is in no file is
    /// as good as kept: the run has it. Somebody may have gone on writing meanwhile.
    void started(const JobSpec& spec, const JobSpec& now);
    /// It is a run's, as it was launched.
    void openedFromRun(const JobSpec& spec) { m_launched = spec; }

    /// Changed since it was launched: what runs isn't what is shown.
    bool waitsForLaunch(const JobSpec& now) const { return m_launched && *m_launched != now; }
    /// It would be lost with another one in its place.
    bool wouldBeLost(const JobSpec& now, const JobSpec& next) const
    {
        return m_isDirty && now != next;
    }

private:
    QString m_path;
    bool m_isDirty = false;
    std::optional<JobSpec> m_asked; ///< To be launched, last.
    std::optional<JobSpec> m_launched;
};

} // namespace ringmaster::app
