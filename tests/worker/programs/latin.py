# coding: latin-1
print("äö".encode())
