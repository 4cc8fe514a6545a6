"""Runs texts in the Python libraries they are written for.

Reads cases from standard input, writes what happened to standard output: for each case some runs, each the waits in
seconds between the calls that were made. Time is virtual: a sleep only moves the clock.
"""

import asyncio
import importlib.metadata
import itertools
import json
import logging
import os
import sys
import time

from documents import CHECKS

NUMBERS = itertools.count()
MOST = 12  # calls, where nothing ends the retrying


class Enough(BaseException):
    """Ends a policy without an end."""


class Clock:
    now = 1e9
    calls = []

    @classmethod
    def sleep(cls, seconds=0):
        cls.now += seconds

    @classmethod
    def call(cls):
        cls.calls.append(cls.now)
        if len(cls.calls) > MOST:
            raise Enough


def fail(error=OSError):
    Clock.call()
    raise error("down")


def functions(text, names):
    """The names of a text whose function fails."""
    space = {"__name__": f"texts{next(NUMBERS)}", "fail": fail, **names}
    exec(text.replace("def call(): ...", "def call(): fail()"), space)
    return space


def decorated(text):
    functions(text, {})["call"]()


def backoff(text):
    import datetime
    import types

    from backoff import _sync

    class Date(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(Clock.now, tz)

    _sync.datetime = types.SimpleNamespace(datetime=Date, timedelta=datetime.timedelta)
    decorated(text)


def urllib3(text):
    import urllib3

    retries = functions(text, {})["retries"]
    refuse_connections()
    urllib3.PoolManager().request("GET", "http://localhost:9/", retries=retries)


def requests(text):
    session = functions(text, {})["session"]
    refuse_connections()
    session.mount("http://", session.get_adapter("https://localhost/"))
    session.get("http://localhost:9/")


def refuse_connections():
    from urllib3.util import connection

    connection.create_connection = lambda *_, **__: fail()


def celery(text):
    from celery import Celery, Task, _state

    # Every shared task so far would be made for the new app again.
    _state._on_app_finalizers.clear()
    app = Celery("app", set_as_current=True)
    original = Task.signature_from_request

    def waiting(self, *args, countdown=None, **options):
        Clock.sleep(countdown)
        return original(self, *args, countdown=countdown, **options)

    Task.signature_from_request = waiting
    try:
        task = functions(text, {})["call"]
        app.finalize()
        task.apply()
    finally:
        Task.signature_from_request = original


def botocore(text):
    from botocore.exceptions import EndpointConnectionError
    from botocore.httpsession import URLLib3Session

    os.environ.update(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", AWS_DEFAULT_REGION="eu-west-1")

    def send(self, request):
        Clock.call()
        raise EndpointConnectionError(endpoint_url=request.url)

    URLLib3Session.send = send
    client = functions(text, {})["client"]
    client.list_buckets() if hasattr(client, "list_buckets") else client.list_tables()


def google(text):
    from google.api_core.exceptions import ServiceUnavailable

    functions(text, {})["retry"](lambda: fail(ServiceUnavailable))()


def aiohttp(text):
    import aiohttp as library

    class Down:
        status, method, closed = 503, "GET", True

    async def request(*_, **__):
        Clock.call()
        return Down

    async def sleep(seconds):
        Clock.sleep(seconds)

    async def run():
        client = functions(text, {})["client"]
        real, asyncio.sleep = asyncio.sleep, sleep
        try:
            async with client.get("http://localhost:9/"):
                pass
        finally:
            asyncio.sleep = real
            await client.close()

    library.ClientSession.request = request
    asyncio.run(run())


def httpx(text):
    import httpx as library

    def handle(self, request):
        fail(library.ConnectError)

    library.HTTPTransport.handle_request = handle
    functions(text, {})["client"].get("http://localhost:9/")


def model(text):
    import httpx2 as library

    os.environ.update(OPENAI_API_KEY="x", ANTHROPIC_API_KEY="x")

    def handle(self, request):
        fail(library.ConnectError)

    library.HTTPTransport.handle_request = handle
    functions(text, {})["client"].models.list()


def dramatiq(text):
    import dramatiq as library
    from dramatiq.brokers.stub import StubBroker
    from dramatiq.middleware import Retries

    queued = []

    class Broker(StubBroker):
        def enqueue(self, message, *, delay=None):
            queued.append((message, delay))

    broker = Broker()
    library.set_broker(broker)
    message = functions(text, {})["call"].message()
    retries = next(m for m in broker.middleware if isinstance(m, Retries))
    while message:
        Clock.call()
        queued.clear()
        retries.after_process_message(broker, message, exception=OSError())
        message, delay = queued[0] if queued else (None, 0)
        Clock.sleep(delay / 1000)


def rq(text):
    import fakeredis
    import redis

    redis.Redis = fakeredis.FakeRedis
    jobs = []
    from rq import Queue

    enqueue = Queue.enqueue
    Queue.enqueue = lambda *args, **options: jobs.append(enqueue(*args, **options))
    functions(text, {"call": print})
    Queue.enqueue = enqueue
    job = jobs[0]
    Clock.call()
    while job.retries_left:
        Clock.sleep(job.get_retry_interval())
        job.retries_left -= 1
        Clock.call()


def huey(text):
    import datetime

    import huey as library

    library.RedisHuey = library.MemoryHuey
    space = functions(text, {})
    app, task = space["huey"], space["call"].s()
    start = datetime.datetime(2030, 1, 1)
    app._get_timestamp = lambda: start
    queued = []
    app.add_schedule = queued.append
    app.enqueue = queued.append
    while task:
        queued.clear()
        task.eta = None
        try:
            app.execute(task, start)
        except library.exceptions.TaskException:
            pass
        Clock.sleep((task.eta - start).total_seconds() if task.eta else 0)
        task = queued[0] if queued else None


RUN = {
    "tenacity": (decorated, "tenacity"),
    "backoff": (backoff, "backoff"),
    "urllib3": (urllib3, "urllib3"),
    "requests": (requests, "requests"),
    "celery": (celery, "celery"),
    "botocore": (botocore, "botocore"),
    "google-api-core": (google, "google-api-core"),
    "retrying": (decorated, "retrying"),
    "aiohttp-retry": (aiohttp, "aiohttp-retry"),
    "stamina": (decorated, "stamina"),
    "httpx-retries": (httpx, "httpx-retries"),
    "retry": (decorated, "retry"),
    "openai-python": (model, "openai"),
    "anthropic-python": (model, "anthropic"),
    "dramatiq": (dramatiq, "dramatiq"),
    "rq": (rq, "rq"),
    "huey": (huey, "huey"),
}


def checked(case):
    check, package = CHECKS[case["library"]]
    done = {"version": f"{package} {importlib.metadata.version(package)}", "checked": True}
    try:
        check(case["text"])
    except Exception as error:
        done["error"] = f"{type(error).__name__}: {error}"
    return done


def once(case):
    Clock.calls = []
    run, _ = RUN[case["library"]]
    try:
        run(case["text"])
    except Enough:
        pass
    except Exception as error:
        if not Clock.calls:
            raise error
    calls = Clock.calls[: MOST + 1]
    return [b - a for a, b in zip(calls, calls[1:])]


def main():
    cases = json.load(sys.stdin)
    if cases[0]["library"] in CHECKS:
        json.dump([checked(case) for case in cases], sys.__stdout__)
        return
    real = time.monotonic
    time.sleep = Clock.sleep
    # An event loop measures by the real clock.
    time.monotonic = lambda: Clock.now if sys._getframe(1).f_globals.get("__name__", "")[:7] != "asyncio" else real()
    time.time = lambda: Clock.now
    out = []
    for case in cases:
        package = RUN[case["library"]][1]
        done = {**case, "version": f"{package} {importlib.metadata.version(package)}"}
        try:
            done["runs"] = [once(case) for _ in range(case["times"])]
        except Exception as error:
            done["error"] = f"{type(error).__name__}: {error}"
        out.append(done)
    json.dump(out, sys.__stdout__)


sys.stdout = sys.stderr
logging.disable()
main()
