"""The evidence cache on DynamoDB."""
