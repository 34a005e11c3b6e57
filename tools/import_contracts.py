"""A contract import-linter does not bring: a package imports nothing but what is named.

A list of what is forbidden forgets the next library; a list of what is allowed does not.
"""

import sys
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class OnlyContract(Contract):
    """`source` and all below it import only `root_packages`, the standard library and `allowed`.

    Which of our own packages may import which is left to the layers contract.
    """

    type_name = "only"

    # import-linter puts what the configuration says in the place of these fields.
    source = cast(str, fields.StringField())
    allowed = cast(set[str], fields.SetField(subfield=fields.StringField()))

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        known = {*sys.stdlib_module_names, *self.allowed, *self.session_options["root_packages"]}
        strangers = [
            (importer, imported)
            for importer in sorted({self.source, *graph.find_descendants(self.source)})
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if imported.partition(".")[0] not in known
        ]
        return ContractCheck(kept=not strangers, metadata={"strangers": strangers})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["strangers"]:
            output.print_error(f"{importer} imports {imported}")
