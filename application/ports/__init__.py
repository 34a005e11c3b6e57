"""What the use cases need from the outside, in their own words."""
