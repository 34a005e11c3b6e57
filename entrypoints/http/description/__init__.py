"""The description of the API: OpenAPI, examples and the documentation page."""
