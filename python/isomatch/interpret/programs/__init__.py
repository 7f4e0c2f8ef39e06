"""Questions read as programs by a trained model."""
