# The gateway as one executable, its console inside, on a small base. Build: docker build -t tollgate .
FROM oven/bun:1.4.5 AS build
WORKDIR /source
COPY . .
RUN bun install --frozen-lockfile && bun run build

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /data --create-home tollgate
COPY --from=build /source/dist/tollgate /usr/local/bin/tollgate
USER tollgate
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
# Longer than SHUTDOWN_TIMEOUT, so that no stream is cut by the engine.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q 200"]
ENTRYPOINT ["/usr/local/bin/tollgate"]
