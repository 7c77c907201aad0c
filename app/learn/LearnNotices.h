#pragma once

#include "app/learn/LessonRun.h"

#include <QObject>

#include <optional>

namespace ringmaster::app {

class Banner;

/// What is said above the lesson: that it doesn't run, or came to nothing, and what helps.
class LearnNotices : public QObject
{
    Q_OBJECT

public:
    LearnNotices(Banner& banner, QObject* parent);

    void clear();
    /// A file that was to be opened.
    void fileRefused(const QString& path, const QStringList& findings);
    void runFailed(const Error& error);
    /// One that was recorded, or started elsewhere.
    void runUnreadable(const Error& error);
    /// It came to an end that needs a word.
    void runOver(const LessonRun& run);
    /// A program that can't import torch is told how to get it.
    void adviseOnTorch(const lesson::State& state);
    /// What was predicted of a fault, and what came.
    void faultJudged(const QString& headline, const QString& told);

private:
    Banner& m_banner;
};

} // namespace ringmaster::app
