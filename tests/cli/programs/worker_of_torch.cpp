// A sweep's worker as it is installed: it needs a library that it doesn't know the folder of.
extern "C" int torchOfWorker();

int main()
{
    return torchOfWorker();
}
