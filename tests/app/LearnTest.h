#pragma once

#include "tests/app/LearnWindow.h"

#include <QTemporaryDir>

#include <memory>

namespace ringmaster::app {

/// A test of the Learn page over made-up steps: a fresh window a function, with settings and
/// progress of the test's own.
class LearnTest : public QObject
{
    Q_OBJECT

protected:
    ProgramEditor* editor() { return &m_learn->editor(); }
    const LessonScene& scene() { return m_learn->scene(); }
    QAbstractButton* button(const char* text) { return m_learn->button(text); }
    void publish(const std::vector<EventBody>& bodies) { m_learn->publish(bodies); }

    /// The window as it is, into the folder that RINGMASTER_SCREENSHOTS names.
    void save(const QString& name);

    QTemporaryDir m_folder;
    std::unique_ptr<LearnWindow> m_learn;
    Window* m_dashboard = nullptr;
    LearnPage* m_page = nullptr;

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { m_learn.reset(); }
};

} // namespace ringmaster::app
