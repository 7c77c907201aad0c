#include "app/jobs/LogNote.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/LogModel.h"
#include "app/model/PassingError.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <chrono>
#include <utility>

using namespace std::chrono_literals;

namespace ringmaster::app {

LogNote::LogNote(const LogModel& log, QWidget* parent) : QLabel(parent), m_log(log)
{
    setLook(this, "muted");
    setWordWrap(true);
    m_toldTime.setSingleShot(true);
    m_toldTime.setInterval(10s);
    connect(&m_toldTime, &QTimer::timeout, this, [this] {
        m_told.clear();
        refresh();
    });
    connect(&m_log, &LogModel::readFailed, this, [this](const Error& error) {
        m_readError = error;
        refresh();
    });
    connect(&m_log, &LogModel::pageArrived, this, [this] {
        m_readError.reset();
        wasRead();
    });
    translated(this, [this] { refresh(); });
}

void LogNote::setFilterError(const QString& error)
{
    m_filterError = error;
    refresh();
}

void LogNote::tell(const QString& sentence)
{
    m_told = sentence;
    m_isUntilRead = false;
    m_toldTime.start();
    refresh();
}

void LogNote::tell(const Error& error)
{
    tell(app::text(error));
    m_isUntilRead = isPassing(error);
}

void LogNote::wasRead()
{
    if (std::exchange(m_isUntilRead, false))
        m_told.clear();
    refresh();
}

void LogNote::refresh()
{
    setText(sentence());
    setVisible(!text().isEmpty());
}

QString LogNote::sentence() const
{
    if (!m_filterError.isEmpty())
        return m_filterError;
    if (!m_told.isEmpty())
        return m_told;
    if (m_readError)
        return app::text(*m_readError);
    if (m_log.lostBytes() > 0)
        return tr("%1 of output could not be kept; the run's warnings or its agent.log say why.")
            .arg(bytesText(static_cast<std::int64_t>(m_log.lostBytes())));
    if (m_log.hasSkipped())
        return tr("Output comes faster than it can be shown: some lines were skipped here. "
                  "Scroll up to read them; the files have all.");
    return {};
}

} // namespace ringmaster::app
