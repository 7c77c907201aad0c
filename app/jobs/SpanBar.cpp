#include "app/jobs/SpanBar.h"

#include "app/bridge/Words.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace ringmaster::app {

SpanBar::SpanBar(TimeSpan& span, QWidget* parent)
    : QWidget(parent), m_span(span), m_label(new QLabel(this)), m_allButton(new QToolButton(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_allButton);
    setLook(m_label, "muted");
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setLook(m_allButton, "flat");
    connect(m_allButton, &QToolButton::clicked, &span, &TimeSpan::showAll);
    connect(&span, &TimeSpan::changed, this, &SpanBar::update);
    translated(this, [this] {
        m_allButton->setText(tr("Whole run"));
        m_allButton->setToolTip(tr("Show the whole time again (0)"));
        update();
    });
}

void SpanBar::setRange(std::optional<TimeSpan::Range> range)
{
    m_range = range;
    update();
}

void SpanBar::setNote(const QString& note)
{
    m_note = note;
    update();
}

QString SpanBar::text() const
{
    return m_label->text();
}

void SpanBar::update()
{
    setVisible(!m_span.showsAll());
    if (m_span.showsAll())
        return;
    const TimeSpan::Range range = m_range.value_or(m_span.shown());
    const QString span =
        tr("%1 – %2 (%3)")
            .arg(clockText(range.from - m_span.begin()), clockText(range.to - m_span.begin()),
                 durationText(range.length()));
    m_label->setText(m_note.isEmpty() ? span : tr("%1: %2").arg(span, m_note));
    m_label->setToolTip(m_label->text());
}

} // namespace ringmaster::app
