"""The HTTP application: routers, errors and what surrounds every request, put together."""

from inspect import isfunction
from types import ModuleType

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from entrypoints.container import Container
from entrypoints.graphql.routes import graphql_routes
from entrypoints.http import (
    asked,
    caches,
    caller,
    dataset_reads,
    datasets,
    dead_letters,
    docs,
    events,
    evidence,
    evidence_archive,
    health,
    incident_actions,
    incident_context,
    incident_reads,
    incidents,
    lineage,
    lineage_pages,
    people,
    policies,
    projections,
    rules,
    set_aside,
    signal_lookup,
    signal_reads,
    signals,
)
from entrypoints.http.access_log import AccessLog
from entrypoints.http.errors import (
    ANSWERED,
    trouble,
    trouble_of_parameters,
    trouble_of_routing,
)
from entrypoints.http.freshness import NotStored
from entrypoints.http.last_resort import LastResort
from entrypoints.http.methods import HeadAsGet, allowed
from entrypoints.http.names import API
from entrypoints.http.openapi import TITLE, VERSION, description_of
from entrypoints.http.problems import problem_response
from entrypoints.http.request_ids import RequestIds
from entrypoints.http.size_limit import SizeLimit

_ROUTERS = (
    signals,
    signal_lookup,
    signal_reads,
    policies,
    health,
    dataset_reads,
    datasets,
    rules,
    lineage,
    incidents,
    incident_actions,
    incident_context,
    incident_reads,
    evidence,
    events,
    dead_letters,
    people,
    projections,
    evidence_archive,
    set_aside,
    caches,
)


def create_app(container: Container) -> FastAPI:
    asking = [_functions_of(module) for module in (asked, caller, lineage_pages, *_ROUTERS)]
    # Else every application in a process, as in the tests, would look through all signatures again.
    container.wire(modules=asking, keep_cache=True)
    app = FastAPI(
        # As a flat list: included routers are searched twice for each request.
        routes=[
            *(route for module in (*_ROUTERS, docs) for route in module.router.routes),
            *graphql_routes(container),
        ],
        title=TITLE,
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        separate_input_output_schemas=False,
    )
    _handle_errors(app)
    _surround(app, container)
    app.openapi = lambda: description_of(app)  # type: ignore[method-assign]  # FastAPI's own way
    return app


def _functions_of(module: ModuleType) -> ModuleType:
    """Without its classes: nothing in them asks the container, and looking took 50 ms a start."""
    functions = ModuleType(module.__name__)
    vars(functions).update({name: it for name, it in vars(module).items() if isfunction(it)})
    return functions


def _handle_errors(app: FastAPI) -> None:
    for kind in ANSWERED:
        app.add_exception_handler(kind, _expected)
    app.add_exception_handler(RequestValidationError, _parameters)
    app.add_exception_handler(HTTPException, _routing)


def _surround(app: FastAPI, container: Container) -> None:
    """The last one added comes first."""
    app.add_middleware(SizeLimit)
    app.add_middleware(NotStored, prefix=API)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)
    app.add_middleware(HeadAsGet)
    app.add_middleware(LastResort)
    app.add_middleware(AccessLog)
    app.add_middleware(RequestIds, new_id=container.new_id())


async def _expected(request: Request, error: Exception) -> Response:
    return problem_response(request, trouble(error))


async def _parameters(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem_response(request, trouble_of_parameters(error))


async def _routing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        error.headers = allowed(request) or error.headers
    return problem_response(request, trouble_of_routing(error))
