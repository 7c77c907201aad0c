#include "app/editor/FailureSection.h"

#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace ringmaster::app {

namespace {

using Milliseconds = std::chrono::milliseconds;

double seconds(Milliseconds duration)
{
    return static_cast<double>(duration.count()) / 1000;
}

Milliseconds duration(const QDoubleSpinBox& box)
{
    return Milliseconds(qRound64(box.value() * 1000));
}

} // namespace

FailureSection::FailureSection(QWidget* parent)
    : FormSection(parent)
    , m_restarts(new QSpinBox(this))
    , m_delay(new QDoubleSpinBox(this))
    , m_healthy(new QDoubleSpinBox(this))
    , m_grace(new QDoubleSpinBox(this))
    , m_onlyIf(new QLineEdit(this))
    , m_unless(new QLineEdit(this))
    , m_leaveOut(new QSpinBox(this))
{
    m_restarts->setRange(0, 1'000'000);
    m_leaveOut->setRange(0, 1'000'000);
    for (QSpinBox* box : {m_restarts, m_leaveOut})
        connect(box, &QSpinBox::valueChanged, this, &FailureSection::tellEdited);
    for (QDoubleSpinBox* box : {m_delay, m_healthy, m_grace}) {
        box->setRange(0, 86'400);
        box->setDecimals(1);
        connect(box, &QDoubleSpinBox::valueChanged, this, &FailureSection::tellEdited);
    }
    for (QLineEdit* field : {m_onlyIf, m_unless})
        connect(field, &QLineEdit::textEdited, this, &FailureSection::tellEdited);
    m_labels = {addRow(withNote(m_restarts, m_restartsNote), m_restarts),
                addRow(withNote(m_delay, m_delayNote), m_delay),
                addRow(withNote(m_healthy, m_healthyNote), m_healthy),
                addRow(withNote(m_grace, m_graceNote), m_grace),
                addRow(m_onlyIf),
                addRow(m_unless),
                addRow(withNote(m_leaveOut, m_leaveOutNote), m_leaveOut)};
    setFields({{"restart.max", m_restarts},
               {"restart.first_delay", m_delay},
               {"restart.longest", m_delay},
               {"restart.minimum", m_healthy},
               {"restart.grace", m_grace},
               {"restart.only_if", m_onlyIf},
               {"restart.unless", m_unless},
               {"restart.leave_host_out_after", m_leaveOut}});
    translated(this, [this] { setTexts(); });
}

QLayout* FailureSection::withNote(QWidget* field, QLabel*& note)
{
    note = new QLabel(this);
    note->setWordWrap(true);
    setLook(note, "muted");
    field->setFixedWidth(120);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(field);
    row->addWidget(note, 1);
    return row;
}

void FailureSection::load(const JobSpec& spec, size_t /*role*/)
{
    m_isLoading = true;
    m_restarts->setValue(spec.restart.maxRestarts);
    m_delay->setValue(seconds(spec.restart.firstDelay));
    m_healthy->setValue(seconds(spec.restart.minimumHealthyTime));
    m_grace->setValue(seconds(spec.restart.grace));
    m_onlyIf->setText(QString::fromStdString(spec.restart.onlyIf));
    m_unless->setText(QString::fromStdString(spec.restart.unless));
    m_leaveOut->setValue(spec.restart.leaveHostOutAfter);
    m_isLoading = false;
}

void FailureSection::store(JobSpec& spec, size_t /*role*/) const
{
    spec.restart.maxRestarts = m_restarts->value();
    spec.restart.firstDelay = duration(*m_delay);
    spec.restart.minimumHealthyTime = duration(*m_healthy);
    spec.restart.grace = duration(*m_grace);
    spec.restart.onlyIf = m_onlyIf->text().toStdString();
    spec.restart.unless = m_unless->text().toStdString();
    spec.restart.leaveHostOutAfter = m_leaveOut->value();
}

void FailureSection::setTexts()
{
    setTitle(tr("When a worker fails"));
    label(m_labels[0], m_restarts, tr("Restart at most"));
    label(m_labels[1], m_delay, tr("Wait before it"));
    label(m_labels[2], m_healthy, tr("Only after"));
    label(m_labels[3], m_grace, tr("Grace to stop"));
    label(m_labels[4], m_onlyIf, tr("Only if it printed"));
    label(m_labels[5], m_unless, tr("Not if it printed"));
    label(m_labels[6], m_leaveOut, tr("Leave a host out after"));
    m_leaveOut->setSpecialValueText(tr("never"));
    m_onlyIf->setPlaceholderText(QStringLiteral("NCCL|Connection reset"));
    m_unless->setPlaceholderText(QStringLiteral("AssertionError|loss is nan"));
    for (QLineEdit* field : {m_onlyIf, m_unless})
        field->setToolTip(tr("An expression (RE2) for the last 64 KiB that the failed rank "
                             "printed; empty: whatever it printed"));
    m_restartsNote->setText(tr("times; the whole group restarts, since its process group is dead"));
    m_delayNote->setText(tr("then twice as long each time; 0: at once"));
    m_healthyNote->setText(
        tr("of healthy running; an attempt that failed sooner isn't repeated; 0: always"));
    m_leaveOutNote->setText(tr("failures that began on it, if the others are enough"));
    m_graceNote->setText(tr("between SIGTERM and SIGKILL, for a checkpoint"));
    for (QDoubleSpinBox* box : {m_delay, m_healthy, m_grace})
        box->setSuffix(tr(" s"));
}

} // namespace ringmaster::app
