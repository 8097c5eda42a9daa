import type { Config } from '../config'
import type { Readiness } from '../http/readiness'
import type { InFlight } from '../relay/in-flight/in-flight'

interface Draining {
  readonly config: Pick<Config, 'shutdownDelayMs' | 'shutdownTimeoutMs'>
  readonly readiness: Readiness
  readonly inFlight: InFlight
  readonly server: { stop(closesConnections?: boolean): Promise<void> }
}

/** So long those that are cut may take to be charged and told. */
const cutMs = 1000

/**
 * Readiness turns first; the port stays open until balancers have heard of it. Then no new connection is taken and the calls
 * in flight may end. What has not ended in time is told so, and charged for what it got. Answers whether nothing was cut.
 */
export async function drain({ config, readiness, inFlight, server }: Draining): Promise<boolean> {
  readiness.setDraining()
  await Bun.sleep(config.shutdownDelayMs)
  const stopping = server.stop()
  const isDone = await inFlight.whenIdle(config.shutdownTimeoutMs)
  if (!isDone) {
    inFlight.upstreams.stopAll('shutdown')
    await inFlight.whenIdle(cutMs)
  }
  await Promise.race([stopping, Bun.sleep(100)])
  await server.stop(true)
  return isDone
}
