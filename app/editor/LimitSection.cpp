#include "app/editor/LimitSection.h"

#include "app/widget/Translated.h"

#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QStringList>

#include <cmath>

namespace ringmaster::app {

namespace {

using Milliseconds = std::chrono::milliseconds;

/// As the field shows it.
double minutes(Milliseconds duration)
{
    return std::round(static_cast<double>(duration.count()) / 600) / 100;
}

/// "hang=10m, mismatch=1m"
QString textOf(const std::map<std::string, std::string>& rules)
{
    QStringList parts;
    for (const auto& [kind, time] : rules)
        parts.append(QString::fromStdString(kind + "=" + time));
    return parts.join(QStringLiteral(", "));
}

/// What isn't such a pair is kept as it is, for the checks to name it.
std::map<std::string, std::string> rulesOf(const QString& text)
{
    std::map<std::string, std::string> rules;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        if (part.trimmed().isEmpty())
            continue;
        const QString kind = part.section(u'=', 0, 0).trimmed();
        rules[kind.toStdString()] = part.section(u'=', 1).trimmed().toStdString();
    }
    return rules;
}

} // namespace

LimitSection::LimitSection(QWidget* parent)
    : FormSection(parent), m_longest(new QDoubleSpinBox(this)), m_stopOn(new QLineEdit(this))
{
    m_longest->setRange(0, 1'000'000);
    m_longest->setDecimals(2);
    connect(m_longest, &QDoubleSpinBox::valueChanged, this, &LimitSection::tellEdited);
    connect(m_stopOn, &QLineEdit::textEdited, this, &LimitSection::tellEdited);
    m_labels = {addRow(m_longest), addRow(m_stopOn)};
    setFields({{"longest_run", m_longest}, {"stop_on", m_stopOn}});
    translated(this, [this] { setTexts(); });
}

void LimitSection::load(const JobSpec& spec, size_t /*role*/)
{
    m_isLoading = true;
    m_longest->setValue(minutes(spec.longestRun));
    // What is being typed isn't put in order under the user's hands.
    if (rulesOf(m_stopOn->text()) != spec.stopOn)
        m_stopOn->setText(textOf(spec.stopOn));
    m_isLoading = false;
}

void LimitSection::store(JobSpec& spec, size_t /*role*/) const
{
    // A time that the field shows rounded stays as it is.
    if (m_longest->value() != minutes(spec.longestRun))
        spec.longestRun = Milliseconds(qRound64(m_longest->value() * 60'000));
    if (const auto rules = rulesOf(m_stopOn->text()); rules != spec.stopOn)
        spec.stopOn = rules;
}

void LimitSection::setTexts()
{
    setTitle(tr("When to end the run"));
    label(m_labels[0], m_longest, tr("Longest run"));
    label(m_labels[1], m_stopOn, tr("On a verdict"));
    m_longest->setSuffix(tr(" min"));
    m_longest->setSpecialValueText(tr("no limit"));
    m_longest->setToolTip(tr("All attempts together; then the run is ended as failed"));
    m_stopOn->setPlaceholderText(QStringLiteral("hang=10m, mismatch=1m"));
    m_stopOn->setToolTip(tr("The run is ended when a verdict of this kind has stood so long: "
                            "hang, mismatch, straggler, slowWire or waiting"));
}

} // namespace ringmaster::app
