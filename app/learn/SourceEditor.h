#pragma once

#include "app/learn/ProgramEditor.h"

#include <string>

namespace ringmaster::app {

/// A text to be written: a new line begins where the one before does, Ctrl+] and Ctrl+[ move lines
/// in and out. Tab leaves it, as everywhere.
class SourceEditor : public ProgramEditor
{
    Q_OBJECT

public:
    explicit SourceEditor(QWidget* parent = nullptr);

    /// As something new: it isn't modified, and nothing can be undone.
    void setSource(const std::string& text);
    /// Every character as it is; lines end with a line feed.
    std::string source() const;
    void goTo(int line);
    int currentLine() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void breakLine();
    void moveLines(bool isIn);
};

} // namespace ringmaster::app
