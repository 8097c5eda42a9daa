import { connect } from 'node:net'

import type { Clock } from '../clock'

/** Whether the hosts of upstreams take connections. Asked only when an answer is late, never on the way of a quick call. */
export interface Reach {
  /** False when nobody answers at the address in time. A refusal is an answer: the call's own connection learns it too. */
  canConnect(url: string, withinMs: number): Promise<boolean>
}

/** How long it is believed that a host takes connections, so that many slow calls do not knock many times. */
const believedMs = 2_000

interface Knock {
  readonly answer: Promise<boolean>
  /** Of the clock. */
  believedUntil: number
}

/** One knock at a time for each host, shared by all calls that wait for it. */
export function createReach(clock: Pick<Clock, 'monotonic'>): Reach {
  const knocks = new Map<string, Knock>()
  async function believe(made: Knock) {
    made.believedUntil = (await made.answer) ? clock.monotonic() + believedMs : 0
  }
  return {
    canConnect(url, withinMs) {
      const { host, hostname, port, protocol } = new URL(url)
      const known = knocks.get(host)
      if (known && clock.monotonic() < known.believedUntil) return known.answer
      const address = {
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port) || (protocol === 'https:' ? 443 : 80),
      }
      const made: Knock = { answer: knock(address, withinMs), believedUntil: Infinity }
      knocks.set(host, made)
      void believe(made)
      return made.answer
    },
  }
}

function knock(address: { host: string; port: number }, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const end = (canConnect: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(canConnect)
    }
    const timer = setTimeout(() => end(false), withinMs)
    socket.once('connect', () => end(true))
    socket.on('error', () => end(true))
  })
}
