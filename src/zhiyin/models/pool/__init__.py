"""`pool:URL,URL#MODEL`: one model behind several servers, which share the trials among them."""

from zhiyin.models.pool.addresses import Addresses
from zhiyin.models.pool.model import Pool, open_pool

__all__ = ["Addresses", "Pool", "open_pool"]
