"""Pure folds from recorded facts to views, and the runner that keeps them up to date."""
