"""What routes are given, as FastAPI dependencies."""

from typing import Annotated

from fastapi import Depends, Request

from application.use_cases import UseCases
from entrypoints.interfaces.dependencies import Dependencies, Operations


def dependencies_of(request: Request) -> Dependencies:
    dependencies: Dependencies = request.app.state.dependencies
    return dependencies


# Coroutines: FastAPI calls plain functions in a thread, on each request.
async def _dependencies(request: Request) -> Dependencies:
    return dependencies_of(request)


async def _use_cases(request: Request) -> UseCases:
    return dependencies_of(request).use_cases()


async def _operations(request: Request) -> Operations:
    return dependencies_of(request).operations()


async def _page_secret(request: Request) -> bytes:
    return dependencies_of(request).page_secret()


Shared = Annotated[Dependencies, Depends(_dependencies)]
Use = Annotated[UseCases, Depends(_use_cases)]
Operated = Annotated[Operations, Depends(_operations)]
PageSecret = Annotated[bytes, Depends(_page_secret)]
