#pragma once

#include "engine/base/Error.h"

#include <QLabel>
#include <QTimer>

#include <optional>

namespace ringmaster::app {

class LogModel;

/// A sentence above the lines of a log, while there is something to say: what is wrong with the
/// filter, what was told last, why the log isn't read, what is missing in it.
class LogNote : public QLabel
{
    Q_OBJECT

public:
    /// `log` outlives it.
    explicit LogNote(const LogModel& log, QWidget* parent = nullptr);

    /// Empty: nothing is wrong with it.
    void setFilterError(const QString& error);
    /// For some seconds, or until there is something else to tell.
    void tell(const QString& sentence);
    /// The same. That a machine isn't reached is told only until something is read there again.
    void tell(const Error& error);
    void wasRead();

private:
    void refresh();
    QString sentence() const;

    const LogModel& m_log;
    QString m_filterError;
    QString m_told;
    QTimer m_toldTime;
    bool m_isUntilRead = false;       ///< What is told is so only until something is read.
    std::optional<Error> m_readError; ///< Why the log isn't read; until a page of it comes.
};

} // namespace ringmaster::app
