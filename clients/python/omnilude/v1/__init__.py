"""The generated messages and services of the package ``omnilude.v1``; remade from ``protos/`` by the build."""
