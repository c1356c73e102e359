"""Who may ask a page that this machine serves, and in which language it answers."""

import asyncio
import itertools

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from golden_help import kept, line_of
from zhiyin.errors import InputError
from zhiyin.plugins.methods import serving as local

HOSTS = ("localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:80", "[::1]:80", "[::1]", "::1",
         "evil.org", "evil.org:80", "me.lan", "ME.LAN:8000", "", "127.0.0.1.evil.org")  # fmt: skip


@pytest.mark.slow
def test_who_may_ask_a_page_of_this_machine():
    async def answer(request):
        if request.path == "/bad":
            raise InputError("mend it")
        if request.path == "/none":
            raise web.HTTPNotFound(text="none")
        return web.Response(text="page")

    guarded = local.guard("me.lan", local.strict_headers("default-src 'none'"))
    cases = [("GET", "/", {"Host": host}) for host in HOSTS]
    for method, path in itertools.product(("GET", "HEAD", "POST"), ("/", "/x", "/bad", "/none")):
        for site, origin, kind in itertools.product(
            (None, "none", "same-origin", "same-site", "cross-site"),
            (None, "http://me.lan", "http://evil.org"), ("application/json", "text/plain"),
        ):  # fmt: skip
            named = {"Sec-Fetch-Site": site, "Origin": origin, "Content-Type": kind}
            headers = {"Host": "me.lan", **{k: v for k, v in named.items() if v}}
            cases.append((method, path, headers))
    text = "".join(line_of(local.is_ours, host, "me.lan") for host in HOSTS)
    for method, path, headers in cases:
        request = make_mocked_request(method, path, headers=headers)
        try:
            found = asyncio.run(guarded(request, answer))
        except web.HTTPException as problem:
            found = problem
        text += f"{method} {path} {headers}: {found.status} {len(found.headers)} {found.text}\n"
    text += f"{dict(found.headers)}\n"
    for path, headers in itertools.product(
        ("/", "/?lang=zh", "/?lang=en", "/?lang=fr"),
        ({}, {"Accept-Language": "zh-CN"}, {"Accept-Language": "en,zh"},
         {"Cookie": "zhiyin-language=zh"}, {"Cookie": "zhiyin-language=xx"}),
    ):  # fmt: skip
        request, page = make_mocked_request("GET", path, headers=headers), web.Response()
        local.keep_language(request, page)
        text += f"{path} {headers}: {local.language_of(request)} {page.cookies}\n"
    kept("methods/serving.txt", text)
