"""Events to EventBridge."""
