// Stands for torch's library: see worker_of_torch.cpp.
extern "C" int torchOfWorker()
{
    return 0;
}
