#include "app/widget/Banner.h"

#include "app/widget/Theme.h"
#include "app/widget/Translated.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {
constexpr int LeastTextHeight = 28;
} // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
    , m_detailsButton(new QPushButton(this))
    , m_copyButton(new QPushButton(this))
    , m_details(new QPlainTextEdit(this))
    , m_row(new QHBoxLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(42, 8, 10, 8);
    m_row->setSpacing(8);
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_label->setMinimumHeight(LeastTextHeight);
    m_row->addWidget(m_label, 1);
    m_row->addWidget(m_detailsButton);
    m_row->addWidget(m_copyButton);
    layout->addLayout(m_row);
    m_details->setReadOnly(true);
    m_details->setFont(monospaceFont());
    m_details->setLineWrapMode(QPlainTextEdit::NoWrap);
    layout->addWidget(m_details);
    m_detailsButton->setCheckable(true);
    connect(m_detailsButton, &QPushButton::toggled, this, &Banner::showDetails);
    connect(m_copyButton, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(text()); });
    translated(this, [this] { setTexts(); });
    clear();
}

void Banner::setTexts()
{
    const bool isEvidence = m_kind == Details::Evidence;
    m_copyButton->setText(tr("Copy"));
    m_copyButton->setToolTip(isEvidence ? tr("Copy the message and its evidence")
                                        : tr("Copy the message and its traceback"));
    m_detailsButton->setText(isEvidence ? tr("Show evidence") : tr("Traceback"));
    m_details->setAccessibleName(isEvidence ? tr("Evidence") : tr("Traceback"));
}

void Banner::show(Notice::Severity severity, const QString& headline, const QString& text,
                  const QString& details, Details kind)
{
    m_severity = severity;
    if (std::exchange(m_kind, kind) != kind)
        setTexts();
    m_plainText = headline + QLatin1Char(' ') + text;
    m_headline = headline;
    m_sentences = text;
    showText();
    setAccessibleName(m_plainText);
    if (m_details->toPlainText() != details)
        m_details->setPlainText(details);
    const int count = static_cast<int>(details.count(u'\n')) + 1;
    m_details->setFixedHeight(
        std::clamp(m_details->fontMetrics().lineSpacing() * count + 28, 60, 220));
    m_detailsButton->setVisible(!details.isEmpty());
    if (details.isEmpty())
        m_detailsButton->setChecked(false);
    showDetails(m_detailsButton->isChecked());
    setVisible(true);
    update();
}

void Banner::showText()
{
    m_label->setText(htmlOf(m_headline, m_sentences));
    m_measuredWidth = -1;
}

QString Banner::htmlOf(const QString& headline, const QString& text) const
{
    const QString lines = text.toHtmlEscaped().replace(
        QLatin1Char('\n'), m_isCompact ? QStringLiteral(" ") : QStringLiteral("<br>"));
    return QStringLiteral("<b>%1</b> %2").arg(headline.toHtmlEscaped(), lines);
}

int Banner::heightFor(int width, const QString& headline, const QString& text) const
{
    const QMargins margins = layout()->contentsMargins();
    int room = width - margins.left() - margins.right();
    for (int i = 0; i < m_row->count(); ++i) {
        const QWidget* widget = m_row->itemAt(i)->widget();
        if (widget != m_label && !(widget == m_copyButton && m_isCompact))
            room -= widget->sizeHint().width() + m_row->spacing();
    }
    const QFontMetrics letters = m_detailsButton->fontMetrics();
    room -= std::max(0, letters.horizontalAdvance(tr("Show evidence")) -
                            letters.horizontalAdvance(m_detailsButton->text()));
    QTextDocument document;
    document.setDocumentMargin(0);
    document.setDefaultFont(m_label->font());
    document.setHtml(htmlOf(headline, text));
    document.setTextWidth(room);
    const int height = static_cast<int>(std::ceil(document.size().height()));
    return margins.top() + margins.bottom() + std::max(LeastTextHeight, height);
}

void Banner::setCompact(bool isCompact)
{
    if (std::exchange(m_isCompact, isCompact) == isCompact)
        return;
    m_copyButton->setVisible(!isCompact);
    showText();
}

void Banner::clear()
{
    m_plainText.clear();
    m_detailsButton->setChecked(false);
    setVisible(false);
}

void Banner::setShape(std::optional<Glyph> shape)
{
    m_shape = shape;
    update();
}

Glyph Banner::shape() const
{
    return m_shape.value_or(lookOf(m_severity, themeTokens()).shape);
}

void Banner::addButton(QPushButton* button)
{
    m_row->addWidget(button);
}

QString Banner::text() const
{
    const QString details = m_details->toPlainText();
    return details.isEmpty() ? m_plainText : m_plainText + QLatin1Char('\n') + details;
}

void Banner::showDetails(bool shown)
{
    m_details->setVisible(shown);
}

void Banner::changeEvent(QEvent* event)
{
    m_measuredWidth = -1; // the font, or the style
    QFrame::changeEvent(event);
}

void Banner::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = themeTokens();
    const StateLook look = lookOf(m_severity, tokens);
    painter.setBrush(withAlpha(look.color.fill, tokens.isDark ? 0.14 : 0.12));
    painter.setPen(QPen(withAlpha(look.color.fill, 0.6), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 8, 8);
    paintGlyph(painter, glyphRect(), shape(), look.color.fill);
}

/// Beside the first line, however high the banner is. A label that is measured lays its text out
/// anew and asks to be painted, and the banner with it: once a width, or it would never end.
QRectF Banner::glyphRect()
{
    constexpr double Size = 14;
    if (std::exchange(m_measuredWidth, m_label->width()) != m_label->width())
        m_textHeight = m_label->heightForWidth(m_label->width());
    const double top = m_label->y() + std::max(0, m_label->height() - m_textHeight) / 2.0;
    return {16, top + (m_label->fontMetrics().height() - Size) / 2, Size, Size};
}

} // namespace ringmaster::app
