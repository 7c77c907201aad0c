#pragma once

#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "tests/app/Window.h"

#include <QAbstractButton>
#include <QTableView>

#include <memory>

namespace ringmaster::app {

/// A test of a job's page over made-up runs: a fresh window a function, in English.
class JobTest : public QObject
{
    Q_OBJECT

protected:
    JobPage& page() { return *m_dashboard->window.jobsPage().jobPage(); }
    QTableView* table(const char* name);
    /// Of the table of operations.
    QModelIndex tableIndex(int row, int column);
    QString cell(int row, int column) { return tableIndex(row, column).data().toString(); }
    /// By its text, in the card of this name; null: there is none.
    QAbstractButton* button(const char* card, const char* text);
    void press(const char* card, const char* text);
    /// The page has what the run has said so far.
    void open(const std::string& run);
    void openWithCollectives();

    std::unique_ptr<Window> m_dashboard;

protected Q_SLOTS: // no functions of the test, and for those that open more
    void init();
    void cleanup() { m_dashboard.reset(); }
};

} // namespace ringmaster::app
