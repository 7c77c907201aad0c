#pragma once

#include "app/model/ForeignJobs.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTableWidget;

namespace ringmaster::app {

class Banner;
class EvidenceTree;

/// A job that something else started, as it is seen from outside: who differs, a line a rank, their
/// stacks. It can be asked to end, after a question. On this machine or another one.
class ForeignJobDialog : public QDialog
{
    Q_OBJECT

public:
    /// `machine`: empty: this one.
    ForeignJobDialog(ForeignJobs& jobs, ForeignJob job, QString machine, QWidget* parent = nullptr);

    ProcessIdentity job() const { return m_job.identity(); }
    /// Not while a look is under way.
    void look();

private:
    enum Column { Rank, Process, State, Cpu, Memory, Gpu, StandsIn, ColumnCount };

    void build();
    void take(const Result<JobFindings>& found);
    void showJudgement(const JobFindings& found);
    void fillRanks(const std::vector<FoundRank>& ranks);
    void askToEnd();
    QString endInformation() const;
    void end();
    void follow();
    void setTexts();
    QString aboutText() const;
    QString wholeText() const;

    ForeignJobs& m_jobs;
    ForeignJob m_job;
    const QString m_machine;
    Message m_source; ///< How what is shown is known.
    bool m_isLooking = false;
    bool m_hasEnded = false;
    QLabel* m_about;
    Banner* m_words;
    QTableWidget* m_ranks;
    EvidenceTree* m_tree;
    QLabel* m_note;
    QPushButton* m_end;
    QPushButton* m_copy;
    QPushButton* m_again;
    QPushButton* m_close;
};

} // namespace ringmaster::app
