#include "app/editor/RendezvousSection.h"

#include "app/widget/Translated.h"

#include <QComboBox>
#include <QLineEdit>

namespace ringmaster::app {

namespace {

enum MethodRow { Standalone, Static, C10d };

MethodRow rowOf(const RendezvousSpec& spec)
{
    if (spec.standalone)
        return Standalone;
    return spec.method == RendezvousMethod::C10d ? C10d : Static;
}

} // namespace

RendezvousSection::RendezvousSection(QWidget* parent)
    : FormSection(parent)
    , m_method(new QComboBox(this))
    , m_endpoint(new QLineEdit(this))
    , m_id(new QLineEdit(this))
{
    for (int row = Standalone; row <= C10d; ++row)
        m_method->addItem(QString());
    m_labels = {addRow(m_method), addRow(m_endpoint), addRow(m_id)};
    connect(m_method, &QComboBox::activated, this, [this] {
        updateFields();
        tellEdited();
    });
    for (QLineEdit* field : {m_endpoint, m_id})
        connect(field, &QLineEdit::textEdited, this, &RendezvousSection::tellEdited);
    setFields({{"rendezvous.endpoint", m_endpoint},
               {"rendezvous.master_port", m_endpoint},
               {"rendezvous.id", m_id},
               {"rendezvous", m_method}});
    translated(this, [this] { setTexts(); });
}

void RendezvousSection::load(const JobSpec& spec, size_t /*role*/)
{
    m_isLoading = true;
    m_isLed = spec.isLed();
    m_isOneNode = spec.nodes.max == 1 && !spec.rendezvous.masterPort;
    // What was chosen comes back with this machine.
    if (!m_isLed)
        m_method->setCurrentIndex(rowOf(spec.rendezvous));
    m_endpoint->setText(QString::fromStdString(spec.rendezvous.endpoint));
    m_id->setText(QString::fromStdString(spec.rendezvous.id));
    updateFields();
    m_isLoading = false;
}

void RendezvousSection::store(JobSpec& spec, size_t /*role*/) const
{
    RendezvousSpec& rendezvous = spec.rendezvous;
    const bool isLed = spec.isLed();
    rendezvous.standalone = !isLed && m_method->currentIndex() == Standalone;
    if (m_method->currentIndex() != Standalone)
        rendezvous.method =
            m_method->currentIndex() == C10d ? RendezvousMethod::C10d : RendezvousMethod::Static;
    rendezvous.endpoint = isLed ? std::string() : m_endpoint->text().trimmed().toStdString();
    rendezvous.id = m_id->text().trimmed().toStdString();
}

void RendezvousSection::jobChanged(const JobSpec& spec)
{
    m_isLed = spec.isLed();
    m_isOneNode = spec.nodes.max == 1 && !spec.rendezvous.masterPort;
    updateFields();
}

void RendezvousSection::updateFields()
{
    const bool isStandalone = m_method->currentIndex() == Standalone;
    m_method->setEnabled(!m_isLed);
    m_endpoint->setEnabled(!isStandalone && !m_isLed);
    m_id->setEnabled(!isStandalone && !m_isLed);
    m_endpoint->setPlaceholderText(m_isLed        ? tr("the hosts meet through this machine")
                                   : isStandalone ? tr("automatic")
                                   : m_method->currentIndex() == C10d
                                       ? QStringLiteral("localhost:29400")
                                   : m_isOneNode ? tr("automatic")
                                                 : QStringLiteral("127.0.0.1:29500"));
}

void RendezvousSection::setTexts()
{
    setTitle(tr("Rendezvous"));
    label(m_labels[0], m_method, tr("Method"));
    label(m_labels[1], m_endpoint, tr("Endpoint"));
    label(m_labels[2], m_id, tr("Job id"));
    m_method->setItemText(Standalone, tr("standalone: this machine, a free port"));
    m_method->setItemText(Static, tr("static: every node knows its rank"));
    m_method->setItemText(C10d, tr("c10d: elastic, nodes may come and go"));
    updateFields();
}

} // namespace ringmaster::app
