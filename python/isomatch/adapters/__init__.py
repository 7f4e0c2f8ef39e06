"""isomatch in the frameworks of others; each module needs its framework's package."""
