"""The HTTP application: routers, errors and what surrounds every request, put together."""

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from entrypoints.container import Container, dependencies_of
from entrypoints.graphql.transport.routes import graphql_routes
from entrypoints.http.datasets import read_routes as dataset_reads
from entrypoints.http.datasets import routes as datasets
from entrypoints.http.datasets import rule_routes
from entrypoints.http.description import page
from entrypoints.http.description.openapi import TITLE, VERSION, description_of
from entrypoints.http.errors import (
    ANSWERED,
    trouble,
    trouble_of_parameters,
    trouble_of_routing,
)
from entrypoints.http.evidence import archive_routes
from entrypoints.http.evidence import routes as evidence
from entrypoints.http.incidents import action_routes, context_routes
from entrypoints.http.incidents import read_routes as incident_reads
from entrypoints.http.incidents import routes as incidents
from entrypoints.http.lineage import routes as lineage
from entrypoints.http.middleware.access_log import AccessLog
from entrypoints.http.middleware.methods import HeadAsGet, allowed
from entrypoints.http.middleware.no_store import NotStored
from entrypoints.http.middleware.request_ids import RequestIds
from entrypoints.http.middleware.size_limit import SizeLimit
from entrypoints.http.middleware.unexpected_errors import LastResort
from entrypoints.http.operations import (
    caches,
    dead_letters,
    events,
    health,
    people,
    projections,
    quarantine,
)
from entrypoints.http.policies import routes as policies
from entrypoints.http.problems import problem_response
from entrypoints.http.signals import lookup_routes, update_routes
from entrypoints.http.signals import read_routes as signal_reads
from entrypoints.http.validation.names import API
from entrypoints.interfaces.dependencies import Dependencies

_ROUTERS = (
    update_routes,
    lookup_routes,
    signal_reads,
    policies,
    health,
    dataset_reads,
    datasets,
    rule_routes,
    lineage,
    incidents,
    action_routes,
    context_routes,
    incident_reads,
    evidence,
    events,
    dead_letters,
    people,
    projections,
    archive_routes,
    quarantine,
    caches,
)


def create_app(container: Container) -> FastAPI:
    dependencies = dependencies_of(container)
    app = FastAPI(
        # As a flat list: included routers are searched twice for each request.
        routes=[
            *(route for module in (*_ROUTERS, page) for route in module.router.routes),
            *graphql_routes(dependencies),
        ],
        title=TITLE,
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        separate_input_output_schemas=False,
    )
    app.state.dependencies = dependencies
    _handle_errors(app)
    _surround(app, dependencies)
    app.openapi = lambda: description_of(app)  # type: ignore[method-assign]  # FastAPI's own way
    return app


def _handle_errors(app: FastAPI) -> None:
    for kind in ANSWERED:
        app.add_exception_handler(kind, _expected)
    app.add_exception_handler(RequestValidationError, _parameters)
    app.add_exception_handler(HTTPException, _routing)


def _surround(app: FastAPI, dependencies: Dependencies) -> None:
    """The last one added comes first."""
    app.add_middleware(SizeLimit)
    app.add_middleware(NotStored, prefix=API)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)
    app.add_middleware(HeadAsGet)
    app.add_middleware(LastResort)
    app.add_middleware(AccessLog)
    app.add_middleware(RequestIds, new_id=dependencies.new_id)


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
