"""isomatch over HTTP. Needs the extra ``serve``; `isomatch.cli.serve` starts it."""
