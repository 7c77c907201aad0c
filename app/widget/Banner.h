#pragma once

#include "app/widget/StateLook.h"
#include "engine/event/Event.h"

#include <QFrame>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QHBoxLayout;
class QPushButton;

namespace ringmaster::app {

/// A standing condition above a page: what happened, what to do, and the details on demand.
class Banner : public QFrame
{
    Q_OBJECT

public:
    explicit Banner(QWidget* parent = nullptr);

    enum class Details { Traceback, Evidence };

    /// `headline` is bold, `text` follows it; `details` may be empty.
    void show(Notice::Severity severity, const QString& headline, const QString& text,
              const QString& details, Details kind = Details::Traceback);
    /// For little room: sentences follow each other, and the text, which can be selected, has no
    /// button that copies it.
    void setCompact(bool isCompact);
    void clear();
    /// Another shape than its severity's; nothing: that one.
    void setShape(std::optional<Glyph> shape);
    void addButton(QPushButton* button);
    /// That it would have at that width with this in it, all of its buttons beside it, and no
    /// details.
    int heightFor(int width, const QString& headline, const QString& text) const;
    QString text() const;
    Notice::Severity severity() const { return m_severity; }
    Glyph shape() const;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showDetails(bool shown);
    void showText();
    QString htmlOf(const QString& headline, const QString& text) const;
    void setTexts();
    QRectF glyphRect();

    Notice::Severity m_severity = Notice::Severity::Info;
    std::optional<Glyph> m_shape;
    Details m_kind = Details::Traceback;
    QString m_headline;
    QString m_sentences;
    bool m_isCompact = false;
    QString m_plainText;
    QLabel* m_label;
    int m_measuredWidth = -1; ///< For which m_textHeight is; -1: none.
    int m_textHeight = 0;
    QPushButton* m_detailsButton;
    QPushButton* m_copyButton;
    QPlainTextEdit* m_details;
    QHBoxLayout* m_row;
};

} // namespace ringmaster::app
