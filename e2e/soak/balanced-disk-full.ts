import type { Arena } from './arena'
import type { Fault } from './fault'
import type { GatewayUnit } from './gateway-unit'

/** A node says within this that it is not ready. */
const noticedMs = 3000
const pollIntervalMs = 50

/** The disk of the first gateway is full, and a balancer that asks which nodes are ready leaves it out. */
export const balancedDiskFull = ({ gateways }: Arena, disk: NonNullable<Arena['disk']>): Fault => ({
  name: 'disk-full-balanced',
  async strike(random, traffic) {
    const [full] = gateways
    disk.fill()
    if (await becomes(full, false)) traffic.avoid(full.url)
    await Bun.sleep(random.between(500, 2000))
    disk.empty()
    await becomes(full, true)
    traffic.avoid('')
  },
})

async function becomes({ url }: GatewayUnit, isReady: boolean): Promise<boolean> {
  for (const deadline = performance.now() + noticedMs; performance.now() < deadline; await Bun.sleep(pollIntervalMs)) {
    const response = await fetch(`${url}/health/ready`, {
      keepalive: false,
      signal: AbortSignal.timeout(pollIntervalMs * 10),
    })
      .then(({ ok }) => ok)
      .catch(() => false)
    if (response === isReady) return true
  }
  return false
}
