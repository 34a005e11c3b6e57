"""Events to an EventBridge bus."""
