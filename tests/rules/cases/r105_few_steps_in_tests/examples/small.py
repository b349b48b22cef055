from main import required

print(required(64, 2))
