"""Pure folds from recorded facts to the cards that readers see."""
