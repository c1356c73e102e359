"""What is published: pages made from run folders. Reads records, never makes them."""
