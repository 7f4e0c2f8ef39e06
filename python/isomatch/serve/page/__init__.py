"""The page of the service: server-rendered, with a script that needs no build step."""
