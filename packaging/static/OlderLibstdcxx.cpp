// What code that g++ 12 compiles wants of GLIBCXX_3.4.30, over what GCC 11's libstdc++ has. Hidden:
// what else is in the process keeps libstdc++'s own.
#include <condition_variable>

using Lock = std::unique_lock<std::mutex>;
__attribute__((visibility("hidden"))) void waitFor(std::condition_variable* condition,
                                                   Lock& lock) noexcept
    __asm__("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");

void waitFor(std::condition_variable* condition, Lock& lock) noexcept
{
    pthread_cond_wait(condition->native_handle(), lock.mutex()->native_handle());
}
