# MCP over HTTP to agents outside of the container: docs/container.md.
FROM node:22-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git tini && rm -rf /var/lib/apt/lists/*
COPY . /opt/pi-lsp
RUN cd /opt/pi-lsp && npm ci --omit=dev && npm cache clean --force \
	&& printf '#!/bin/sh\nexec node /opt/pi-lsp/dist/cli.cjs "$@"\n' > /usr/local/bin/pi-lsp && chmod 755 /usr/local/bin/pi-lsp \
	&& mkdir -m 1777 /state
# Any user has a home there: the one that owns the workspace is given with --user.
ENV HOME=/state
USER node
WORKDIR /workspace
EXPOSE 8080
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["tini", "--", "pi-lsp"]
CMD ["mcp", "--http", "--listen-addr", "0.0.0.0", "--no-daemon"]
