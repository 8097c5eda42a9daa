import type { Config } from '../config'

/** Answers requests; told who is at the other end of the socket. */
export type Fetch = (request: Request, peer: { readonly address: string }) => Response | Promise<Response>

export type Server = Bun.Server<undefined>

/** A larger body than allowed still reaches the app, which refuses it in the caller's dialect. */
const bodyMarginBytes = 8 * 1024 * 1024
/** Longer than proxies and SDKs keep a connection they do not use, so that it is they who close it. */
const idleSeconds = 240

/**
 * Listen as configured. The time for the head of a request is the runtime's: ten seconds. A connection on which nothing is written
 * for `keptSeconds` after an answer began is closed, also one whose client does not read; while an answer is waited for it is kept.
 */
export function listen(config: Config, fetch: Fetch, keptSeconds = idleSeconds): Server {
  // A stream that may be silent for longer must not be cut by this.
  const isClosing = config.streamIdleTimeoutMs < keptSeconds * 1000
  return Bun.serve({
    hostname: config.host,
    port: config.port,
    reusePort: config.workers > 1,
    idleTimeout: 0,
    maxRequestBodySize: config.maxRequestBodyBytes + bodyMarginBytes,
    async fetch(request, server) {
      const response = await fetch(request, { address: server.requestIP(request)?.address ?? '' })
      if (isClosing) server.timeout(request, keptSeconds)
      return response
    },
  })
}
