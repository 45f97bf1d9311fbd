"""HTTP for browsers: the services by the Connect protocol and gRPC-Web."""
