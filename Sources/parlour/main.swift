import App
import Glibc

exit(runParlour())
