#pragma once

#include <QString>

#include <map>
#include <string>
#include <vector>

class QPlainTextEdit;

namespace ringmaster::app {

// What several values look like in one field of a form.

/// "lab, gpu"; read, commas and blanks separate alike.
QString listText(const std::vector<std::string>& names);
std::vector<std::string> listIn(const QString& text);

/// A field of as many words or paths as one likes, one a line, none wrapped.
void dressLines(QPlainTextEdit& field, int height);
/// One a line; a field that says the same already keeps its text and its cursor.
void showLines(QPlainTextEdit& field, const std::vector<std::string>& items);
std::vector<std::string> linesIn(const QPlainTextEdit& field);

/// Variables as NAME=value lines. Lines that aren't one are left out and counted in `wrongLines`.
QString linesOf(const std::map<std::string, std::string>& variables);
std::map<std::string, std::string> variablesOf(const QString& lines, int* wrongLines = nullptr);

} // namespace ringmaster::app
