"""The official Python client of the first generation; foreign.test.ts says what it is given and what it prints."""

import asyncio
import os
from contextlib import AsyncExitStack

import mcp.types as types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from pydantic import AnyUrl

from outcome import outcome, print_outcome

STATUS = AnyUrl("lsp-status:///")


def transport(asked):
    if "url" in asked:
        return streamablehttp_client(asked["url"], headers={"Authorization": asked["authorization"]})
    program, *args = asked["command"]
    return stdio_client(StdioServerParameters(command=program, args=args, env=dict(os.environ)))


async def main(asked):
    updated = asyncio.Queue()
    progress = asyncio.Queue()

    async def heard(message):
        notification = getattr(message, "root", message)
        if isinstance(notification, Exception):
            raise notification
        if isinstance(notification, types.ResourceUpdatedNotification):
            updated.put_nowait(str(notification.params.uri))

    async def progressed(value, total, message):
        progress.put_nowait(value)

    async with AsyncExitStack() as stack:
        read, write, *_ = await stack.enter_async_context(transport(asked))
        session = await stack.enter_async_context(ClientSession(read, write, message_handler=heard))
        initialized = await session.initialize()
        tools = await session.list_tools()
        await session.subscribe_resource(STATUS)
        hover = await session.call_tool(**asked["hover"])
        uri = await updated.get()
        # The client numbers its requests, and cancels none by itself.
        number = session._request_id
        hanging = asyncio.create_task(session.call_tool(**asked["hanging"], progress_callback=progressed))
        first = await progress.get()
        params = types.CancelledNotificationParams(requestId=number, reason="changed its mind")
        await session.send_notification(types.ClientNotification(types.CancelledNotification(params=params)))
        hanging.cancel()
        status = await session.read_resource(STATUS)
        return outcome(initialized.protocolVersion, tools, uri, first, hover, status)


print_outcome(main)
