import type { Config } from '../../platform/config/config'
import type { Readiness } from '../../http/readiness'
import type { InFlight } from '../../relay/in-flight/in-flight'
import { within, type Timers } from '../../platform/time/timers'

interface Draining {
  readonly config: Pick<Config, 'shutdownDelayMs' | 'shutdownTimeoutMs'>
  readonly readiness: Readiness
  readonly inFlight: InFlight
  readonly timers: Timers
  readonly server: { stop(closesConnections?: boolean): Promise<void> }
}

/** How long calls that are cut may take to be charged and to send their error. */
const cutMs = 1000

/**
 * Readiness changes first; the port stays open until load balancers have noticed. Then no new connection is accepted, the calls in
 * flight may end, and sessions end after the response that runs. What has not ended in time is cut with an error, and charged for what it received. Resolves with whether nothing was
 * cut.
 */
export async function drain({ config, readiness, inFlight, server, timers }: Draining): Promise<boolean> {
  readiness.setDraining()
  await timers.wait(config.shutdownDelayMs)
  const stopping = server.stop()
  inFlight.sessions.drain()
  const isDone = await inFlight.whenIdle(config.shutdownTimeoutMs)
  if (!isDone) {
    inFlight.upstreams.stopAll('shutdown')
    await inFlight.whenIdle(cutMs)
  }
  await within(timers, 100, stopping, undefined)
  await server.stop(true)
  return isDone
}
