#pragma once

#include <QObject>
#include <QTemporaryDir>

namespace ringmaster::test {

/// A test that needs an interpreter with torch, and is skipped where there is none.
class TorchTest : public QObject
{
    Q_OBJECT

protected:
    const QString& python() const { return m_python; }
    /// For XDG_RUNTIME_DIR: with a warm start torch is imported once for all functions.
    QString runtime() const { return m_runtime.path(); }

    /// What else the class needs first.
    virtual void prepare() {}

private Q_SLOTS:
    void initTestCase();

private:
    QString m_python;
    QTemporaryDir m_runtime;
};

} // namespace ringmaster::test
