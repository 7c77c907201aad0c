#pragma once

#include "app/editor/EnvironmentProbe.h"
#include "app/editor/FormRows.h"
#include "engine/hosts/Host.h"
#include "engine/text/Finding.h"

class QToolButton;

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
    /// What stands in its widgets and can't be in the job, which is without it.
    virtual std::vector<Finding> mistakes(const JobSpec& spec, size_t role) const;
    virtual void setFacts(const LocalFacts& facts) { Q_UNUSED(facts) }
    /// Those of the host book.
    virtual void setHosts(const std::vector<Host>& hosts) { Q_UNUSED(hosts) }
    /// Another section was edited.
    virtual void jobChanged(const JobSpec& spec) { Q_UNUSED(spec) }

    /// Most jobs leave it as it is: it shows its title alone until it is unfolded.
    void makeFolding();
    bool isFolded() const { return m_folds && rows().isHidden(); }
    void setFolded(bool isFolded);
    /// Something in it isn't as in a fresh job, which is said beside its title.
    void setChanged(bool isChanged);

Q_SIGNALS:
    void edited();
    /// By the user.
    void foldChosen(bool isFolded);

protected:
    void setTitle(const QString& title);

    /// While true, changes of widgets aren't the user's.
    bool m_isLoading = false;
    void tellEdited();

private:
    bool m_folds = false;
    QLabel* m_title;
    QToolButton* m_fold;
    QLabel* m_changed;
};

} // namespace ringmaster::app
