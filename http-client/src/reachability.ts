import { connect } from 'node:net'

import type { Time, Timers } from './time'

/** Knows whether the hosts of upstreams accept connections. Used only when a response is late, never for a quick call. */
export interface Reachability {
  /** Resolves with false when the address does not respond in time. A refusal is a response: the call's own connection learns of it too. */
  canConnect(url: string, withinMs: number): Promise<boolean>
}

/** How long a successful probe stays valid, so that many slow calls do not cause many probes. */
const believedMs = 2_000

interface Probe {
  readonly result: Promise<boolean>
  /** Monotonic milliseconds. */
  believedUntil: number
}

/** Creates a cache of probes, one at a time per host, shared by all calls that wait for it. */
export function createReachability({ clock, timers }: Time): Reachability {
  const probes = new Map<string, Probe>()
  async function believe(entry: Probe) {
    entry.believedUntil = (await entry.result) ? clock.monotonic() + believedMs : 0
  }
  return {
    canConnect(url, withinMs) {
      const { host, hostname, port, protocol } = new URL(url)
      const known = probes.get(host)
      if (known && clock.monotonic() < known.believedUntil) return known.result
      const address = {
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port) || (protocol === 'https:' ? 443 : 80),
      }
      const entry: Probe = { result: probe(address, withinMs, timers), believedUntil: Infinity }
      probes.set(host, entry)
      void believe(entry)
      return entry.result
    },
  }
}

function probe(address: { host: string; port: number }, withinMs: number, timers: Timers): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const end = (canConnect: boolean) => {
      cancel()
      socket.destroy()
      resolve(canConnect)
    }
    const cancel = timers.after(withinMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.on('error', () => end(true))
  })
}
