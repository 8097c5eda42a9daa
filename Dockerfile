# The gateway as one executable, its console inside, on a small base. Build, with the commit for the version, as the history is not copied:
#   docker build --build-arg COMMIT=$(git rev-parse --short=12 HEAD) -t tollgate .
# Run: docker run --stop-timeout 60 --ulimit nofile=262144 -p 127.0.0.1:3000:3000 -v tollgate:/data tollgate
# An image that others run should pin both bases by digest.
FROM oven/bun:1.4.5 AS build
WORKDIR /source
COPY . .
ARG COMMIT=
RUN bun install --frozen-lockfile && COMMIT=$COMMIT bun run build

FROM debian:bookworm-slim
# The group has the same number, as the chart expects. No home is made: its files would stand in the way of a restore.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --system --gid 10001 tollgate \
  && useradd --system --uid 10001 --gid tollgate --home-dir /data --no-create-home tollgate \
  && install -d -m 700 -o tollgate -g tollgate /data
COPY --from=build /source/dist/tollgate /usr/local/bin/tollgate
USER tollgate
# In a container no caller is at the machine itself.
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data REQUIRE_SETUP_CODE=true
VOLUME /data
EXPOSE 3000
# The engine kills what has not stopped after its stop timeout, 10 s unless told: see the line that runs it.
STOPSIGNAL SIGTERM
# Whether the process answers, not whether it is ready: an engine that restarts what is not ready would throw away the time
# a gateway serves from its leases while PostgreSQL is away.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/bin/bash", "-c", "case $HOST in 0.0.0.0) at=127.0.0.1;; ::) at=::1;; *) at=$HOST;; esac; exec 3<>/dev/tcp/$at/$PORT && printf 'GET /health/live HTTP/1.0\\r\\nHost: health\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q 200"]
ENTRYPOINT ["/usr/local/bin/tollgate"]
