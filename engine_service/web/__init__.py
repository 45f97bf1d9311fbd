"""HTTP for browsers: the page, and the services by the Connect protocol and gRPC-Web."""
