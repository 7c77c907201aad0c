#pragma once

#include <QFrame>
#include <QVBoxLayout>

class QHBoxLayout;
class QLabel;

namespace ringmaster::app {

class ElidedLabel;

/// A framed part of a page: title, a subtitle that gives way, actions at the right, content below.
class Card : public QFrame
{
    Q_OBJECT

public:
    /// In pixels: below `least` it is of no use, beyond `wanted` it has no use for more.
    struct Height
    {
        int least = 0;
        int wanted = 0;
    };

    explicit Card(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Where something else at its left says the same.
    void setTitleShown(bool isShown);
    void setSubtitle(const QString& subtitle);
    /// In a narrow card all of its room goes to what stands at the right.
    void setSubtitleDispensable();
    void addHeaderWidget(QWidget* widget);
    /// Left of all else, also of the title.
    void putFirstInHeader(QWidget* widget);
    /// Without anything to show it asks for no place on its page.
    void setAvailable(bool isAvailable);

    QString title() const;
    bool isAvailable() const { return m_isAvailable; }
    QVBoxLayout* content() const { return m_content; }
    /// Of the card in this width, where it has a place among others.
    virtual Height heightIn(int width) const;

Q_SIGNALS:
    void titleChanged();
    void availabilityChanged();
    /// heightIn() says something else now.
    void heightChanged();
    void headDoubleClicked();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    int widthInside(int width) const;
    /// Of everything but these views, which are in the content.
    int heightAround(std::initializer_list<const QWidget*> views, int width) const;

private:
    bool m_isAvailable = true;
    bool m_isPressed = false; ///< Since it is shown.
    QLabel* m_title;
    ElidedLabel* m_subtitle;
    QHBoxLayout* m_header;
    QVBoxLayout* m_content;
};

/// Marks a widget for the style sheet: "primary", "flat", "muted" …
void setLook(QWidget* widget, const char* look);

} // namespace ringmaster::app
