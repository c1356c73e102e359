"""Endpoint of a chat model: address, model and key, from a spec and the environment."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit

from zhiyin.errors import InputError, SetupError, reworded
from zhiyin.files import own_key
from zhiyin.text import printable
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.models import Provider
    from zhiyin.record import Reply

_PUBLIC = ("api-version", "version")
"""Parameters of an address that are no secret."""
_SHORTEST = 6
"""Characters of the shortest value that is hidden by itself: shorter ones are everyday words."""
_LONG, _LONG_WORD = 8, 16
"""Characters of the shortest key that is hidden in replies: with digits or signs, and without."""
SECRETS_HIDDEN = "secrets_hidden"
"""The entry of a reply's ``detail`` that says that a key in it was hidden."""
_COMPLETIONS = "/chat/completions"
_MARK = re.compile(r"hidden-[0-9a-f]{16}")
_WITH_QUERY = re.compile(
    r"""(https?://(?:(?!https?://)[^\s?#"',])*+)\?((?:(?!,\s*https?://)[^#"'\n])*)"""
)
"""An address with a query, wherever it stands: a pool has several, with commas between them."""


@dataclass(frozen=True)
class Endpoint:
    """An address, and the model to ask there.

    Attributes
    ----------
    name : str
        The spec, without anything secret.
    base : str
        The base URL without query, such as "http://localhost:8000/v1".
    model : str
        The model's name, as the server knows it.
    query : str
        What follows "?" in the URL; never shown.
    key : str or None
        Sent as a bearer token to this address and to no other; never shown.
    key_source : str or None
        The environment variable that holds the key.
    key_variable : str
        The one that would hold it.
    """

    name: str
    base: str
    model: str
    query: str = field(default="", repr=False)
    key: str | None = field(default=None, repr=False)
    key_source: str | None = None
    key_variable: str = ""

    @property
    def mark(self) -> str:
        """The mark written in place of the query; see `mark_of`."""
        return mark_of(self.query)

    @property
    def place(self) -> str:
        """The address with what stands for its query: two deployments are two places."""
        return f"{self.base}?{self.mark}" if self.query else self.base

    @property
    def identity(self) -> dict[str, str]:
        """The address and the model asked there: another deployment is another model."""
        query = {"query": self.mark} if self.query else {}
        return {"base_url": self.base, "model": self.model, **query}

    @property
    def deployment(self) -> str:
        """The spec with what stands for the query of its address."""
        return f"{self.place}#{self.model}" if self.query else self.name

    def url(self, path: str) -> str:
        """The full address of `path` below the base. May hold a secret: not for showing."""
        return f"{self.base}{path}{'?' if self.query else ''}{self.query}"

    def owns(self, url: str) -> bool:
        """Tell whether a full address named by a server is below the base: the key may go there."""
        return url.startswith(f"{self.base}/")

    @property
    def bearer(self) -> dict[str, str]:
        """The header that holds the key; empty without one.

        For each request by itself: what a session of aiohttp always sends, its proxies are sent,
        too, unencrypted.
        """
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def scrub(self, text: str) -> str:
        """`text` without the key and the URL's query, as they are written and in other spellings.

        Servers and libraries repeat an address decoded, encoded again, or in part.
        """
        for secret in self._secrets:
            text = secret.sub("[hidden]", text)
        return text

    def clean(self, text: str) -> str:
        """`text` on one line that may be shown; see `scrub`."""
        return printable(" ".join(self.scrub(text).split()))

    def conceal(self, reply: Reply, others: Iterable[str] = ()) -> Reply:
        """The same reply without a key that it repeats; then it says so in its detail.

        Hidden is what can be nothing but a secret (see `_is_secret`): errors hide more, but in a
        reply a word such as "none", where it is the key of a server that wants none, is an answer.
        `others` are keys that a package may have sent by itself.
        """
        more = (re.compile(re.escape(key)) for key in others if _is_secret(key))
        hidden = [*self._secrets_in_replies, *more]
        if hidden:
            before = (reply.text, reply.detail, reply.usage, reply.logprobs)
            after = tuple(_without(part, hidden) for part in before)
            if after != before:
                reply.text, reply.detail, reply.usage, reply.logprobs = after
                reply.detail[SECRETS_HIDDEN] = True
        return reply

    @cached_property
    def _secrets_in_replies(self) -> list[re.Pattern[str]]:
        known = {self.model, *(part for part in self.query.split("&") if _is_public(part))}
        return [_any_spelling(one) for one in self._sent if one not in known and _is_secret(one)]

    @cached_property
    def _sent(self) -> list[str]:
        """The key, the query and the values in it that may be secret, the longest first."""
        secrets = {self.key or "", self.query}
        for part in self.query.split("&"):
            value = part.partition("=")[2]
            if not _is_public(part) and len(value) >= _SHORTEST:
                secrets.add(value)
        return sorted((one for one in secrets if len(one) > 3), key=len, reverse=True)

    @cached_property
    def _secrets(self) -> list[re.Pattern[str]]:
        """Patterns that find each secret, in whatever spelling."""
        return [*map(_any_spelling, self._sent)]

    def proxy(self) -> str | None:
        """The proxy that the environment names for this address; never one for this machine."""
        import urllib.request  # with all of http and e-mail: runs that are only read do without

        parts = urlsplit(self.base)
        host = parts.hostname or ""
        if _is_this_machine(host) or urllib.request.proxy_bypass(host):
            return None
        return urllib.request.getproxies().get(parts.scheme)

    @property
    def way(self) -> str:
        """The address, and the proxy on the way to it, as an error names them; no password."""
        proxy = self.proxy()
        if proxy is None:
            return self.base
        variable = f"{urlsplit(self.base).scheme.upper()}_PROXY"
        return f"{self.base} by the proxy {proxy.rpartition('@')[2]} of {variable}"


def _is_public(part: str) -> bool:
    """Tell whether a parameter of an address is no secret."""
    return part.partition("=")[0].lower() in _PUBLIC


def _is_secret(word: str) -> bool:
    """Tell whether a key is one that no answer holds by chance: long, and no plain word."""
    return len(word) >= (_LONG_WORD if word.isalpha() else _LONG)


def _without(value: Any, hidden: Sequence[re.Pattern[str]]) -> Any:
    """A value of JSON without some secrets, also in the names of entries."""
    if isinstance(value, str):
        for secret in hidden:
            value = secret.sub("[hidden]", value)
        return value
    if isinstance(value, dict):
        return {_without(name, hidden): _without(inner, hidden) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without(inner, hidden) for inner in value]
    return value


def mark_of(query: str) -> str:
    """Return the mark of an address's query: its public part, and a keyed hash of the rest.

    Equal for equal queries of this user. Nobody else can try guesses on it: the key is the user's.
    """
    parts = sorted(filter(None, query.split("&")))
    public = [part for part in parts if _is_public(part)]
    rest = "&".join(part for part in parts if part not in public)
    if rest and not _MARK.fullmatch(rest):
        rest = f"hidden-{hashlib.blake2b(rest.encode(), digest_size=8, key=own_key()).hexdigest()}"
    return "&".join([*public, *([rest] if rest else [])])


def written(text: str) -> str:
    """A text such as a model's spec as it may be written down: each query as its mark."""
    return _each_query(text, lambda query: f"?{mark_of(query)}")


def bare(text: str) -> str:
    """A model's spec without the queries of its addresses."""
    return _each_query(text, lambda query: "")


def _each_query(text: str, put: Callable[[str], str]) -> str:
    return _WITH_QUERY.sub(lambda match: match[1] + (put(match[2]) if match[2] else ""), text)


def _any_spelling(secret: str) -> re.Pattern[str]:
    """A part of an address with every character as it is, encoded, or escaped as in JSON."""
    spelled = []
    for sign in unquote(secret):
        plain = r"(?:\\?/)" if sign == "/" else re.escape(sign)
        coded = "".join(f"%{byte:02X}" for byte in sign.encode(errors="replace"))
        more = r"|\+|%20|%2B|[ ]" if sign in "+ " else ""
        spelled.append(f"(?:{plain}|(?i:{coded}){more})")
    return re.compile("".join(spelled))


def provider_endpoint(kind: str, provider: Provider, model: str) -> Endpoint:
    """The endpoint of ``KIND:MODEL``, its address and key from the environment.

    Raises
    ------
    InputError
        When the model is not named, the address is malformed, or the provider's own needs a key.
    """
    source = next((name for name in provider.addresses if os.environ.get(name, "").strip()), None)
    address = os.environ[source] if source else provider.address
    parts = _parse(address, source or kind)
    return _endpoint(f"{kind}:{model}", parts, model, provider.keys, provider.address)


def url_endpoint(spec: str) -> Endpoint:
    """The endpoint of ``http://HOST[:PORT]/v1#MODEL``; key from ZHIYIN_API_KEY or OPENAI_API_KEY.

    Raises
    ------
    InputError
        As `provider_endpoint`.
    """
    address, _, model = spec.partition("#")
    parts = _parse(address, "model URL")
    name = f"{_base(parts)}#{model}"
    return _endpoint(name, parts, model, ("ZHIYIN_API_KEY", "OPENAI_API_KEY"))


def _endpoint(
    name: str,
    parts: SplitResult,
    model: str,
    variables: tuple[str, ...],
    wants_key: str = "https://api.openai.com/v1",
) -> Endpoint:
    """The endpoint at an address; `wants_key` is the address that needs a key."""
    if not model.strip():
        kind = name.partition(":")[0]
        form = f"{_base(parts)}#MODEL" if kind.startswith("http") else f"{kind}:MODEL"
        raise InputError(said("error-no-model-named", form=form))
    key_source = next((name for name in variables if os.environ.get(name, "").strip()), None)
    key = os.environ[key_source].strip() if key_source else None
    if key is None and parts.hostname == urlsplit(wants_key).hostname:
        raise SetupError(said("error-needs-key", name=name, variables=variables))
    if key is not None and not (key.isascii() and key.isprintable()):
        raise InputError(said("error-odd-key", variable=key_source))
    return Endpoint(name, _base(parts), model, parts.query, key, key_source, variables[0])


def _parse(address: str, where: str) -> SplitResult:
    """The parts of an address. Errors do not repeat it: it may hold a password."""
    example = "write http://HOST:PORT/v1"
    with reworded(f"{where}: not an address (", f"); {example}", of=ValueError):
        parts = urlsplit(address.strip())
        host, _ = parts.hostname, parts.port
        (host or "").encode("idna")
    if any(_MARK.fullmatch(part) for part in parts.query.split("&")):
        raise InputError(said("model-secret", where=where))
    if "@" in parts.netloc:
        raise InputError(said("error-password", where=where))
    if parts.scheme not in ("http", "https") or not host or any(c.isspace() for c in parts.netloc):
        raise InputError(said("error-no-address", where=where))
    return parts


def _base(parts: SplitResult) -> str:
    """Scheme, host and path, also where somebody gave the address of the completions itself."""
    path = parts.path.rstrip("/").removesuffix(_COMPLETIONS)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
