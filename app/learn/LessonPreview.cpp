#include "app/learn/LessonPreview.h"

#include "app/learn/LessonHtml.h"
#include "app/learn/LessonListModel.h"
#include "app/widget/Tokens.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QEvent>
#include <QScrollBar>
#include <QTextBrowser>

namespace ringmaster::app {

LessonPreview::LessonPreview(QWidget* parent)
    : Card(parent), m_language(new QComboBox(this)), m_text(new QTextBrowser(this))
{
    m_language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    m_language->addItem(QStringLiteral("日本語"), QStringLiteral("ja"));
    m_language->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_language->setCurrentIndex(
        m_language->findData(QString::fromStdString(lessonLanguage())) == 1 ? 1 : 0);
    addHeaderWidget(m_language);
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    content()->addWidget(m_text, 1);
    connect(m_language, &QComboBox::currentIndexChanged, this, &LessonPreview::refresh);
    translated(this, [this] { setTexts(); });
}

void LessonPreview::show(const lesson::Pack& pack)
{
    if (pack == m_pack && !m_text->document()->isEmpty())
        return;
    m_pack = pack;
    refresh();
}

void LessonPreview::setOutdated(bool isOutdated)
{
    m_isOutdated = isOutdated;
    setTexts();
}

QString LessonPreview::shownText() const
{
    return m_text->toPlainText();
}

/// The reader stays where he is.
void LessonPreview::refresh()
{
    const int place = m_text->verticalScrollBar()->value();
    m_text->setHtml(previewHtml(m_pack, m_language->currentData().toString().toStdString()));
    m_text->verticalScrollBar()->setValue(place);
}

void LessonPreview::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    // Colours are in the text.
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void LessonPreview::setTexts()
{
    setTitle(tr("Preview"));
    setSubtitle(m_isOutdated ? tr("of the last text that could be read") : QString());
    m_language->setAccessibleName(tr("Language of the preview"));
    m_text->setAccessibleName(tr("Preview of the lesson"));
    refresh();
}

} // namespace ringmaster::app
