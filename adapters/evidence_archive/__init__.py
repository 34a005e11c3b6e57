"""The archive of evidence on blobs: a folder, or S3."""
