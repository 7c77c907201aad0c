#pragma once

#include <QApplication>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <time.h>

namespace ringmaster::app {

inline double threadCpuMs()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Measures each task of the GUI thread: one outermost event, in CPU time of the thread, so that
/// other processes on a busy machine don't count.
class MeasuringApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth > 0 || !isMeasuring)
            return QApplication::notify(receiver, event);
        const QEvent::Type type = event->type();
        const char* name = receiver->metaObject()->className();
        ++m_depth;
        const double before = threadCpuMs();
        const bool result = QApplication::notify(receiver, event);
        const double took = threadCpuMs() - before;
        --m_depth;
        tasks.push_back(took);
        auto& [longest, who] = m_longest[type];
        if (took > longest) {
            longest = took;
            who = name;
        }
        return result;
    }

    void report()
    {
        std::sort(tasks.begin(), tasks.end());
        const auto at = [this](double share) {
            const auto index = static_cast<size_t>(share * static_cast<double>(tasks.size() - 1));
            return tasks[index];
        };
        std::printf("GUI tasks %zu\n  median %.3f ms\n  99 %%   %.3f ms\n  99.9 %% %.3f ms\n  "
                    "longest %.3f ms\n",
                    tasks.size(), at(0.5), at(0.99), at(0.999), tasks.back());
        const auto over = [this](double ms) {
            return tasks.end() - std::upper_bound(tasks.begin(), tasks.end(), ms);
        };
        std::printf("  over 16 ms: %td (%.3f %%)   over 50 ms: %td\n", over(16),
                    100.0 * static_cast<double>(over(16)) / static_cast<double>(tasks.size()),
                    over(50));
        double sum = 0;
        for (const double task : tasks)
            sum += task;
        std::printf("  CPU in all %.0f ms\nlongest by kind of event:\n", sum);
        for (const auto& [type, longest] : m_longest) {
            if (longest.first > 1)
                std::printf("  event %d to %s: %.2f ms\n", type, longest.second.c_str(),
                            longest.first);
        }
    }

    bool isMeasuring = false;
    std::vector<double> tasks;

private:
    int m_depth = 0;
    std::map<int, std::pair<double, std::string>> m_longest;
};

} // namespace ringmaster::app
