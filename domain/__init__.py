"""Pure decisions about data health: facts, states and rules, without technology."""
