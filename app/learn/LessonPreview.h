#pragma once

#include "app/widget/Card.h"
#include "engine/lesson/Pack.h"

class QComboBox;
class QTextBrowser;

namespace ringmaster::app {

/// A lesson that is being written as Learn shows it, in either language, with its questions.
class LessonPreview : public Card
{
    Q_OBJECT

public:
    explicit LessonPreview(QWidget* parent = nullptr);

    void show(const lesson::Pack& pack);
    /// What is shown is of an earlier text: the newest can't be read.
    void setOutdated(bool isOutdated);
    QString shownText() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void setTexts();

    lesson::Pack m_pack;
    bool m_isOutdated = false;
    QComboBox* m_language;
    QTextBrowser* m_text;
};

} // namespace ringmaster::app
