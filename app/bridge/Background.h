#pragma once

#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace ringmaster::app {

/// Runs `work` on a thread of `pool` and `reply` with what it returned on the thread of `context`,
/// unless that is gone by then: files and drivers may take their time, the GUI thread may not.
template <class Work, class Reply>
void inBackground(QThreadPool& pool, QObject* context, Work work, Reply reply)
{
    pool.start([context = QPointer(context), work = std::move(work), reply = std::move(reply)] {
        auto result = work();
        // The pool ends before the objects that it replies to, so the pointer is still good here.
        if (context != nullptr) {
            QMetaObject::invokeMethod(
                context, [reply, result = std::move(result)] { reply(result); },
                Qt::QueuedConnection);
        }
    });
}

} // namespace ringmaster::app
