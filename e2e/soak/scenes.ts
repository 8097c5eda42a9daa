import type { Arena } from './arena'
import type { Fault } from './fault'
import type { Random } from './random'
import { hugeModel, slowModel, type Payer } from './site'
import { stallingCall } from './stalling-call'

/** What callers and upstreams do to a site whose machines are all well. */
export const scenesOf = (arena: Arena): Fault[] => [
  disableKeys(arena),
  cancelBackground(arena),
  oversizedResults(arena),
  stalledBodies(arena),
]

/** Its calls in flight are cut, and charged for what the upstream made. */
const disableKeys = ({ site }: Arena): Fault => ({
  name: 'disable-keys',
  async strike(random) {
    for (let times = random.between(2, 5); times > 0; times -= 1) {
      const payer = random.pick(site.payers)
      // The database may be away.
      await site.disable(payer).catch(() => {})
      await Bun.sleep(random.between(50, 300))
      await site.enable(payer)
    }
  },
})

const calls = 8

const cancelBackground = (arena: Arena): Fault => ({
  name: 'cancel-background',
  async strike(random) {
    const started = Array.from({ length: calls }, async () => {
      const call = { arena, random, payer: random.pick(arena.site.payers), model: slowModel }
      const id = await beginInBackground(call)
      await Bun.sleep(random.between(0, 500))
      await toResponses(call, `/${id}/cancel`)
    })
    await Promise.allSettled(started)
  },
})

/** More than is kept of a response in the background, and more than is read of any. */
const oversizedResults = (arena: Arena): Fault => ({
  name: 'oversized-results',
  async strike(random) {
    const call = { arena, random, payer: arena.site.payers[0], model: hugeModel }
    await Promise.allSettled([beginInBackground(call), beginInBackground(call)])
    await Bun.sleep(random.between(500, 1500))
  },
})

const stalledCalls = 40

const stalledBodies = ({ gateways, site }: Arena): Fault => ({
  name: 'stalled-bodies',
  async strike(random) {
    const gateway = random.pick(gateways)
    const started = Array.from({ length: stalledCalls }, () => stallingCall(gateway.port, random.pick(site.payers).key))
    const stalling = await Promise.all(started)
    await Bun.sleep(random.between(1000, 2500))
    for (const leave of stalling) leave()
  },
})

interface BackgroundCall {
  readonly arena: Arena
  readonly random: Random
  readonly payer: Payer
  readonly model: string
}

const timeoutMs = 10_000

/** Resolves with the id. */
async function beginInBackground(call: BackgroundCall): Promise<string> {
  const body = { model: call.model, input: 'what takes long', background: true, max_output_tokens: 60 }
  const { id }: { id?: unknown } = await (await toResponses(call, '', body)).json()
  if (typeof id !== 'string') throw new Error('It was refused')
  return id
}

const toResponses = ({ arena, random, payer }: BackgroundCall, path: string, body: object = {}): Promise<Response> =>
  fetch(`${random.pick(arena.gateways).url}/v1/responses${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${payer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: false,
    signal: AbortSignal.timeout(timeoutMs),
  })
