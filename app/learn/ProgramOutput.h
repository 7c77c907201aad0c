#pragma once

#include "app/learn/LessonRun.h"
#include "app/model/LogModel.h"

#include <QListView>

#include <memory>

namespace ringmaster::app {

/// What a lesson's program has printed, each line with its rank. Hidden as long as that is nothing.
class ProgramOutput : public QListView
{
    Q_OBJECT

public:
    explicit ProgramOutput(QWidget* parent = nullptr);

    /// Null: of none.
    void show(const LessonRun* run);
    /// Nothing is read while nobody looks at the page.
    void setLooking(bool isLooking);
    void setTypeSize(int pixels);

private:
    void linesCame();

    std::unique_ptr<LogModel> m_lines;
    std::string m_run;
    bool m_isLooking = false;
};

} // namespace ringmaster::app
