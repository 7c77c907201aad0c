#pragma once

#include "app/editor/EnvironmentProbe.h"
#include "app/editor/FormRows.h"
#include "engine/hosts/Host.h"

namespace ringmaster::app {

/// A titled part of the job's form. Shows the fields of one role or of the whole job, and writes
/// them back without touching what it doesn't show.
class FormSection : public FormRows
{
    Q_OBJECT

public:
    explicit FormSection(QWidget* parent = nullptr);

    /// Fields → widgets; emits nothing.
    virtual void load(const JobSpec& spec, size_t role) = 0;
    /// Widgets → fields.
    virtual void store(JobSpec& spec, size_t role) const = 0;
    virtual void setFacts(const LocalFacts& facts) { Q_UNUSED(facts) }
    /// Those of the host book.
    virtual void setHosts(const std::vector<Host>& hosts) { Q_UNUSED(hosts) }
    /// Another section was edited.
    virtual void jobChanged(const JobSpec& spec) { Q_UNUSED(spec) }

Q_SIGNALS:
    void edited();

protected:
    void setTitle(const QString& title) { m_title->setText(title); }

    /// While true, changes of widgets aren't the user's.
    bool m_isLoading = false;
    void tellEdited();

private:
    QLabel* m_title;
};

} // namespace ringmaster::app
