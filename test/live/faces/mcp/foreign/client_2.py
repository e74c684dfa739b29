"""The official Python client of the second generation; foreign.test.ts says what it is given and what it prints."""

import asyncio
import os

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from outcome import outcome, print_outcome

STATUS = "lsp-status:///"


def server(asked):
    if "url" in asked:
        http = create_mcp_http_client(headers={"Authorization": asked["authorization"]})
        return streamable_http_client(asked["url"], http_client=http)
    program, *args = asked["command"]
    return StdioServerParameters(command=program, args=args, env=dict(os.environ))


async def main(asked):
    progress = asyncio.Queue()

    async def progressed(value, total, message):
        progress.put_nowait(value)

    # Without a mode the client requests the newest revision first.
    async with Client(server(asked)) as client:
        tools = await client.list_tools()
        async with client.listen(resource_subscriptions=[STATUS]) as subscription:
            hover = await client.call_tool(**asked["hover"])
            uri = (await anext(subscription)).uri
        hanging = asyncio.create_task(client.call_tool(**asked["hanging"], progress_callback=progressed))
        first = await progress.get()
        hanging.cancel()
        status = await client.read_resource(STATUS)
        return outcome(client.session.protocol_version, tools, uri, first, hover, status)


print_outcome(main)
