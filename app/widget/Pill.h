#pragma once

#include "app/widget/StateLook.h"

#include <QAbstractButton>
#include <QWidget>

namespace ringmaster::app {

/// A job's health as colour, shape and word.
class StatusBadge : public QWidget
{
    Q_OBJECT

public:
    explicit StatusBadge(QWidget* parent = nullptr);

    void setHealth(Health health, const QString& word);
    QString word() const { return m_word; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Health m_health = Health::Starting;
    QString m_word;
};

/// A filter that is on or off: "Running 7", with the colour of what it lets through.
class FilterChip : public QAbstractButton
{
    Q_OBJECT

public:
    using ColorOf = Tokens::State Tokens::*;

    FilterChip(ColorOf color, Glyph shape, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ColorOf m_color;
    Glyph m_shape;
};

} // namespace ringmaster::app
