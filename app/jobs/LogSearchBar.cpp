#include "app/jobs/LogSearchBar.h"

#include "app/model/LogMatchModel.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace ringmaster::app {

namespace {
constexpr int MostLinesAround = 50;
/// That an int holds.
constexpr std::uint64_t MostCounted = 2'000'000'000;
} // namespace

LogSearchBar::LogSearchBar(const LogMatchModel& matches, QWidget* parent)
    : QWidget(parent)
    , m_matches(matches)
    , m_count(new QLabel(this))
    , m_previous(new QToolButton(this))
    , m_next(new QToolButton(this))
    , m_around(new QSpinBox(this))
    , m_others(new QToolButton(this))
{
    setLook(m_count, "muted");
    m_previous->setArrowType(Qt::UpArrow);
    m_next->setArrowType(Qt::DownArrow);
    m_others->setCheckable(true);
    m_others->setChecked(true);
    m_around->setRange(0, MostLinesAround);
    for (QToolButton* button : {m_previous, m_next, m_others})
        setLook(button, "flat");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_count, 1);
    row->addWidget(m_around);
    row->addWidget(m_others);
    connect(m_previous, &QToolButton::clicked, this, &LogSearchBar::previousRequested);
    connect(m_next, &QToolButton::clicked, this, &LogSearchBar::nextRequested);
    connect(m_around, &QSpinBox::valueChanged, this, &LogSearchBar::linesAroundChanged);
    connect(m_others, &QToolButton::toggled, this, [this](bool hides) {
        m_around->setEnabled(hides);
        Q_EMIT hidesOthersChanged();
    });
    connect(&matches, &LogMatchModel::progressed, this, &LogSearchBar::refresh);
    translated(this, [this] { setTexts(); });
}

int LogSearchBar::linesAround() const
{
    return m_around->value();
}

bool LogSearchBar::hidesOthers() const
{
    return m_others->isChecked();
}

void LogSearchBar::setCurrent(int row)
{
    m_current = row;
    refresh();
}

QString LogSearchBar::text() const
{
    return m_count->text();
}

void LogSearchBar::refresh()
{
    const QLocale locale;
    const QString all = locale.toString(static_cast<qulonglong>(m_matches.matches()));
    const auto count = static_cast<int>(std::min<std::uint64_t>(m_matches.matches(), MostCounted));
    QString text = m_current < 0
                       ? tr("%Ln lines match", nullptr, count)
                       : tr("%1 of %2").arg(locale.toString(m_matches.matchesUpTo(m_current)), all);
    if (!m_matches.isAtEnd())
        text += tr(" · %1 % searched").arg(static_cast<int>(m_matches.part() * 100));
    if (m_matches.isCut())
        text += tr(" · the first %1 lines are here").arg(locale.toString(LogMatchModel::MaxRows));
    m_count->setText(text);
    const bool hasMatches = m_matches.rowCount() > 0;
    m_next->setEnabled(hasMatches);
    m_previous->setEnabled(hasMatches);
}

void LogSearchBar::setTexts()
{
    m_previous->setAccessibleName(tr("Previous match"));
    m_previous->setToolTip(tr("Previous match (Shift+F3)"));
    m_next->setAccessibleName(tr("Next match"));
    m_next->setToolTip(tr("Next match (F3)"));
    m_around->setPrefix(QStringLiteral("± "));
    m_around->setAccessibleName(tr("Lines around a match"));
    m_around->setToolTip(tr("So many lines before and after each match are shown, too"));
    m_others->setText(tr("Only matches"));
    m_others->setToolTip(tr("Hide the lines that don't match"));
    refresh();
}

} // namespace ringmaster::app
