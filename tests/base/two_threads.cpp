// Two threads. With a file as argument the second opens it while the first waits; without, the
// first ends by pthread_exit() and the second lives on. Says "up" when both are there.
#include <cstdio>
#include <thread>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

int main(int argc, char** argv)
{
    const char* file = argc > 1 ? argv[1] : nullptr;
    std::thread second([file] {
        std::puts("up");
        std::fflush(stdout);
        if (file != nullptr)
            (void)!open(file, O_RDONLY | O_CLOEXEC);
        for (;;)
            pause();
    });
    if (file != nullptr)
        second.join();
    second.detach();
    pthread_exit(nullptr);
}
