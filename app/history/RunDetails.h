#pragma once

#include "app/history/RunJobs.h"
#include "app/widget/Card.h"

#include <QTimer>

#include <optional>
#include <utility>

class QTextEdit;

namespace ringmaster::app {

/// One finished run beside the list: why it ended, what it was asked to do, and what it printed
/// last. What isn't known of a run has no line.
class RunDetails : public Card
{
    Q_OBJECT

public:
    using Fact = std::pair<QString, QString>; ///< title, value

    explicit RunDetails(EngineBridge& bridge, QWidget* parent = nullptr);

    /// Nothing: none is chosen, or several are. `facts`: of the list's row.
    void show(const std::optional<RunSummary>& run, std::vector<Fact> facts);
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fetch();
    void readNumbers();
    std::vector<Fact> factsShown() const;
    void fill();
    void setTexts();

    EngineBridge& m_bridge;
    RunJobs m_jobs;
    std::optional<RunSummary> m_run;
    std::vector<Fact> m_facts;
    std::optional<RunStarted> m_job;
    NumberSummary m_numbers;
    bool m_hasNumbers = false; ///< Or it is known that there are none.
    std::string m_fetched;     ///< The run that was asked about.
    QTimer m_soon;             ///< Who walks through the list asks for the run that they stay at.
    QTimer m_again;            ///< The run's machine isn't reached now.
    QTextEdit* m_text;
};

} // namespace ringmaster::app
