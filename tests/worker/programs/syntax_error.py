print("before")
if:
