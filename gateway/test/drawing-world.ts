import { defaultOptions, optionText, type OptionKey } from '@tollgate/contract'
import { startMidjourney, type MidjourneyStandIn } from '@tollgate/simulator'

import { FakeTime } from './fake-time'
import { pollRounds } from './poll-rounds'
import { createRelayWorld, type RelayWorld } from './relay-world'

const dollar = 500_000
const actions = 'imagine,upscale,variation,reroll,blend,describe,shorten,upload,inpaint,modal,zoom'
const models = `${actions
  .split(',')
  .map((action) => `mj_${action}`)
  .join(',')},swap_face`

/** What responses hold, of submissions and of tasks. */
export interface ShownDrawing {
  readonly id: string
  readonly code: number
  readonly description: string
  readonly result: string
  readonly status: string
  readonly failReason: string
  readonly imageUrl: string
  readonly submitTime: number
  readonly finishTime: number
  readonly buttons: readonly { readonly customId: string; readonly label: string }[]
}

interface Body<Json> {
  readonly status: number
  readonly json: Json
}

/** A relay in front of a stand-in for midjourney-proxy, a user with one dollar, and a clock that only moves when told. */
export interface DrawingWorld extends AsyncDisposable {
  readonly relay: RelayWorld
  readonly proxy: MidjourneyStandIn
  readonly clock: FakeTime
  readonly user: number
  /** The key of the user's calls. */
  key: string
  /** Replaces the user. */
  renewUser(): Promise<void>
  /** A call as programs for midjourney-proxy make it: with their secret, and what they send beside it. */
  call<Json = ShownDrawing>(path: string, body?: object, secret?: string): Promise<Body<Json>>
  /** Submits and resolves with the task's id. */
  submit(operation: string, body: object): Promise<string>
  fetch(id: string): Promise<ShownDrawing>
  /** Submits and resolves with the id when the drawing is done. @throws Error when it fails. */
  finish(operation: string, body: object): Promise<string>
  /** Lets enough time pass for one question about each open task. */
  poll(times?: number): Promise<void>
  /** Resolves with what the user and the key have left. */
  readBalances(): Promise<readonly (number | undefined)[]>
  readSpending(): Promise<number>
  /** Changes options until the end of the block. */
  withOptions(texts: Partial<Record<OptionKey, string>>): Promise<AsyncDisposable>
}

export async function createDrawingWorld(): Promise<DrawingWorld> {
  const clock = new FakeTime()
  const relay = await createRelayWorld({ clock })
  const proxy = await startMidjourney()
  await relay.addChannel({ type: 5, base_url: proxy.url, models })
  await relay.setOptions({ RetryTimes: '0', ServerAddress: 'https://gate.example' })
  let user = 0
  const world: DrawingWorld = {
    relay,
    proxy,
    clock,
    get user() {
      return user
    },
    key: '',
    async renewUser() {
      user = await relay.addUser(dollar)
      world.key = await relay.addToken(user, { unlimited_quota: 0, remain_quota: dollar })
    },
    async call<Json>(path: string, body?: object, secret = world.key): Promise<Body<Json>> {
      const response = await fetch(relay.url + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', authorization: 'midjourney-proxy', 'mj-api-secret': secret },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, json: (await response.json()) as Json }
    },
    async submit(operation, body) {
      return (await world.call(`/mj/submit/${operation}`, body)).json.result
    },
    async fetch(id) {
      return (await world.call(`/mj/task/${id}/fetch`)).json
    },
    async finish(operation, body) {
      const id = await world.submit(operation, body)
      await world.poll(3)
      const { status, failReason } = await world.fetch(id)
      if (status !== 'SUCCESS') throw new Error(`The drawing is ${status}: ${failReason}`)
      return id
    },
    async poll(times = 1) {
      await pollRounds(relay.ctx, clock, times)
    },
    async readBalances() {
      const { ledger, database } = relay.ctx
      await ledger.waitUntilApplied()
      const { id } = await database.query
        .selectFrom('tokens')
        .select('id')
        .where('user_id', '=', user)
        .executeTakeFirstOrThrow()
      return [(await ledger.balanceOf([user])).get(user), (await ledger.tokenBalanceOf([id])).get(id)]
    },
    async readSpending() {
      return dollar - ((await world.readBalances())[0] ?? 0)
    },
    async withOptions(texts) {
      await relay.setOptions(texts)
      const keys = Object.keys(texts) as OptionKey[]
      const before = Object.fromEntries(keys.map((name) => [name, optionText(name, defaultOptions[name])]))
      return { [Symbol.asyncDispose]: () => relay.setOptions(before) }
    },
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
  return world
}
