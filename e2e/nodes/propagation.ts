import { channelRoutes, accountRoutes, tokenRoutes, userRoutes } from '@tollgate/contract'

import type { LedgerAudit } from '../ledger-audit'
import { call } from '../call'
import { Console } from '../console'
import { until } from '../ledger-view'
import { aPayer, payerPassword } from '../payer'
import { untilAllKnow, type World } from '../world'

/** Where a change is made and where it must take effect. */
export interface Place {
  readonly world: World
  readonly ledgerAudit: LedgerAudit
  readonly nodes: readonly { url: string }[]
  /** Consecutive new connections that must agree: enough to reach every worker of a node. */
  readonly inARow: number
}

/** Makes its change and resolves with the milliseconds until no worker used the old state any more. */
export type Change = (place: Place, name: string) => Promise<number>

const messages = [{ role: 'user', content: 'hello' }]

export const changes: Readonly<Record<string, Change>> = {
  async 'a key is disabled'(place, name) {
    const { world } = place
    const token = await world.console.call(tokenRoutes.createToken, { body: { name, unlimited_quota: true } })
    await isServedEverywhere(place, `sk-${token.key}`)
    const body = { id: token.id, status: 2 }
    await world.console.call(tokenRoutes.updateToken, { body, query: { status_only: 'true' } })
    return untilRefused(place, `sk-${token.key}`)
  },

  async 'a key is deleted'(place, name) {
    const { world } = place
    const token = await world.console.call(tokenRoutes.createToken, { body: { name, unlimited_quota: true } })
    await isServedEverywhere(place, `sk-${token.key}`)
    await world.console.call(tokenRoutes.deleteToken, { params: { id: token.id } })
    return untilRefused(place, `sk-${token.key}`)
  },

  async 'the models of a key change'(place, name) {
    const { world } = place
    const token = await world.console.call(tokenRoutes.createToken, { body: { name, unlimited_quota: true } })
    await isServedEverywhere(place, `sk-${token.key}`)
    const body = { id: token.id, model_limits_enabled: true, model_limits: 'another' }
    await world.console.call(tokenRoutes.updateToken, { body })
    return untilRefused(place, `sk-${token.key}`)
  },

  async 'a user is banned'(place, name) {
    const { world } = place
    const { userId, key } = await bannedBefore(place, name)
    await isServedEverywhere(place, key)
    await world.console.call(userRoutes.manageUser, { body: { id: userId, action: 'disable' } })
    return untilRefused(place, key)
  },

  async 'a channel is disabled'(place, name) {
    const { world } = place
    const id = await addModel(place, name)
    await isServedEverywhere(place, world.key, name)
    await world.console.call(channelRoutes.updateChannel, { body: { id, status: 2 } })
    return untilRefused(place, world.key, name)
  },

  async 'a price changes'(place, name) {
    const { world, ledgerAudit } = place
    await addModel(place, name)
    await isServedEverywhere(place, world.key, name)
    await setPrice(world, name, 3)
    const changedAt = performance.now()
    let lastAtOld = changedAt
    for (let isInForce = false; !isInForce;) {
      const calls: { requestId: string; startedAt: number }[] = []
      for (const node of place.nodes) {
        for (let turn = 0; turn < place.inARow; turn += 1) {
          const startedAt = performance.now()
          const { requestId } = await send(node, world.key, name)
          calls.push({ requestId, startedAt })
        }
      }
      const charges = await until(
        async () => new Map((await ledgerAudit.charges()).map((charge) => [charge.request_id, charge.quota])),
        (known) => calls.every(({ requestId }) => known.has(requestId)),
      )
      const prices = calls.map(({ requestId }) => (charges.get(requestId) ?? 0) / tokensOfACall)
      if (!prices.every((price) => price === 1 || price === 3)) throw new Error(`Charged at ${prices.join(', ')}`)
      lastAtOld = calls.findLast((_, index) => prices[index] === 1)?.startedAt ?? lastAtOld
      isInForce = prices.every((price) => price === 3)
    }
    return lastAtOld - changedAt
  },
}

const banned = new WeakMap<World, { userId: number; key: string }>()

/**
 * Returns a user who may call. The first time, their sessions must end at once on every node; later the same user is unbanned, because
 * sign-ins are limited.
 */
async function bannedBefore(place: Place, name: string): Promise<{ userId: number; key: string }> {
  const { world, nodes } = place
  const before = banned.get(world)
  if (before) {
    await world.console.call(userRoutes.manageUser, { body: { id: before.userId, action: 'enable' } })
    for (const node of nodes) await untilServed(node, before.key, place.inARow)
    return before
  }
  const user = await aPayer(world.gateway.url, world.console, name, 1_000_000)
  const createdToken = { userId: user.userId, key: await user.addToken({ name }) }
  banned.set(world, createdToken)
  const account = { username: name, password: payerPassword }
  const sessions = await Promise.all(nodes.map(({ url }) => Console.signIn(url, account)))
  for (const session of sessions) await session.call(accountRoutes.getSelf)
  await isServedEverywhere(place, createdToken.key)
  await world.console.call(userRoutes.manageUser, { body: { id: createdToken.userId, action: 'disable' } })
  for (const session of sessions) await mustFail(session.call(accountRoutes.getSelf))
  await world.console.call(userRoutes.manageUser, { body: { id: createdToken.userId, action: 'enable' } })
  for (const session of sessions) await mustFail(session.call(accountRoutes.getSelf))
  for (const node of nodes) await untilServed(node, createdToken.key, place.inARow)
  return createdToken
}

async function untilServed(node: { url: string }, key: string, inARow: number): Promise<void> {
  for (let served = 0; served < inARow;) served = (await send(node, key)).status === 200 ? served + 1 : 0
}

/** The simulator's prompt and completion tokens in these tests, which cost the same. */
export const tokensOfACall = 20
const prices = new Map([['gpt-4o', 1]])
let setting: Promise<void> = Promise.resolve()

/** Several tries share the one option and write it one after the other; each changes its own model. */
function setPrice(world: World, model: string, ratio: number): Promise<void> {
  prices.set(model, ratio)
  const ones = Object.fromEntries([...prices.keys()].map((name) => [name, 1]))
  const set = () => world.console.setOptions({ ModelRatio: Object.fromEntries(prices), CompletionRatio: ones })
  setting = setting.then(set, set)
  return setting
}

/** Adds a model on a channel of its own at a price of 1. */
async function addModel({ world, nodes }: Place, name: string): Promise<number> {
  await setPrice(world, name, 1)
  const id = await world.console.addChannel({ name, base_url: world.simulator.url, models: name })
  for (const node of nodes) await untilAllKnow(node, world.key, [name])
  return id
}

const send = (node: { url: string }, key: string, model = 'gpt-4o') =>
  call(node, key, { model, messages, max_tokens: tokensOfACall }, { isFresh: true })

/** Waits until every worker has it in memory. */
async function isServedEverywhere({ nodes, inARow }: Place, key: string, model?: string): Promise<void> {
  for (const node of nodes) {
    for (let turn = 0; turn < inARow; turn += 1) {
      const { status, text } = await send(node, key, model)
      if (status !== 200) throw new Error(`Not served: ${status} ${text}`)
    }
  }
}

async function untilRefused({ nodes, inARow }: Place, key: string, model?: string): Promise<number> {
  const changedAt = performance.now()
  const last = await Promise.all(nodes.map((node) => lastServed(() => send(node, key, model), inARow)))
  return Math.max(0, ...last.map((servedAt) => servedAt - changedAt))
}

/** Returns when the last served call began; 0 if there was none. */
async function lastServed(send: () => Promise<{ status: number }>, inARow: number): Promise<number> {
  let last = 0
  for (let refused = 0; refused < inARow;) {
    const startedAt = performance.now()
    const { status } = await send()
    refused = status === 200 ? 0 : refused + 1
    if (status === 200) last = startedAt
  }
  return last
}

async function mustFail(work: Promise<unknown>): Promise<void> {
  const isDone = await work.then(
    () => true,
    () => false,
  )
  if (isDone) throw new Error('The session still holds')
}
