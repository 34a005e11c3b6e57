"""What is alike in calling AWS through boto3."""
