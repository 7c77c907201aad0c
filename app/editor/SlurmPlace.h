#pragma once

#include "app/editor/RunPlace.h"

class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace ringmaster::app {

/// On nodes that Slurm gives: what is asked of it beside workers and nodes.
class SlurmPlace : public RunPlace
{
    Q_OBJECT

public:
    explicit SlurmPlace(QWidget* parent = nullptr);

    QString title() const override;
    bool holds(const JobSpec& spec) const override;
    void load(const JobSpec& spec) override;
    void store(JobSpec& spec) const override;
    /// What is asked for stays with the job: it comes back with Slurm, and is exported.
    void clear(JobSpec&) const override {}
    void setFacts(const LocalFacts& facts) override;

private:
    void build();
    void setTexts();

    QLabel* m_missing;
    QLineEdit* m_partition;
    QLineEdit* m_account;
    QLineEdit* m_time;
    QSpinBox* m_gpus;
    QPlainTextEdit* m_options;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
