"""Fresh pictures by seed: music composed for a question, engraved and rasterised."""
