import { logType, parseOptions, type OptionValues } from '@tollgate/contract'
import { startSimulator, type Simulator } from '@tollgate/simulator'

import type { Insertable, Updateable } from 'kysely'

import { Health } from '../src/channels/health/health'
import type { Context } from '../src/context'
import { unlessSwitched, upgradeOf, webSockets, type SocketHandler } from '../src/http/request/client-socket'
import { KeyTurns } from '../src/channels/routing/keys'
import { MemoryLimiter } from '../src/http/limits/limiter'
import { BatchRunner } from '../src/relay/batches/batch-runner'
import { InFlight } from '../src/relay/in-flight/in-flight'
import { Refusals } from '../src/relay/refusals/refusals'
import { createRelay } from '../src/relay/relay-app'
import { sha256 } from '../src/platform/store/seal'
import type { TokensTable, UsersTable } from '../src/platform/store/tables/accounts'
import type { ChannelsTable } from '../src/platform/store/tables/catalog'
import { systemTimers, type Timers } from '../src/platform/time/timers'
import type { Clock } from '../src/platform/time/clock'
import { eventually } from './eventually'
import { countedTimers, leftBehindChecks, requireEmpty } from './left-behind'
import { setOptionsIn } from './options'
import { createWorld, type WorldOptions } from './world'

/**
 * A relay on a socket of its own in front of a simulated upstream, with a real database and ledger. When a test ends, nothing of its calls
 * may be left: no slot, no reservation, no timer, no call in flight.
 */
export interface RelayWorld extends AsyncDisposable {
  readonly ctx: Context
  readonly url: string
  readonly simulator: Simulator
  readonly inFlight: InFlight
  /** Returns what runs batches as another worker would. */
  newBatchRunner(own?: Partial<Pick<Context, 'fetch' | 'database'>>): BatchRunner
  /** Forgets what the worker learned about its channels. */
  forgetHealth(): void
  /** The key of the first user, who is rich. */
  readonly key: string
  post(path: string, body: unknown, options?: PostOptions): Promise<Response>
  chat(body?: object, options?: PostOptions): Promise<Response>
  setOptions(texts: Partial<Record<keyof OptionValues, string>>): Promise<void>
  addUser(quota: number, values?: Partial<Insertable<UsersTable>>): Promise<number>
  /** Resolves with the key. */
  addToken(userId: number, values?: Partial<Insertable<TokensTable>>): Promise<string>
  /** Resolves with a user of this balance and their key, which has a balance of its own where `keyQuota` is given. */
  addPayer(quota: number, keyQuota?: number): Promise<{ userId: number; key: string }>
  /** Resolves with the balance after all charges; NaN without a user. */
  balanceOf(userId: number): Promise<number>
  addChannel(values?: Partial<Insertable<ChannelsTable>>): Promise<number>
  changeChannel(id: number, values: Updateable<ChannelsTable>): Promise<void>
  logs(): Promise<LoggedRow[]>
  /** Waits until calls of a user have this many charges. Resolves with their rows. */
  chargesOf(userId: number, count: number): Promise<LoggedRow[]>
}

export interface PostOptions {
  readonly key?: string
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

export type LoggedRow = Awaited<ReturnType<typeof readLogs>>[number]

export const upstreamKey = 'sk-upstream-0123456789abcdef'
export const models = 'gpt-4o,gpt-4o-mini,gpt-3.5-turbo-instruct,text-embedding-3-small,omni-moderation-latest'

export interface RelayWorldOptions extends WorldOptions {
  /** Without the set-up, the user and the channel. */
  isEmpty?: boolean
  /** That of calls. What the worker does beside them goes by the clock above, and waits in real time. */
  time?: { readonly clock: Clock; readonly timers: Timers }
}

/** Builds one. */
export async function createRelayWorld(options: RelayWorldOptions = {}): Promise<RelayWorld> {
  const { ctx: base, [Symbol.asyncDispose]: dispose } = await createWorld(options)
  const simulator = await startSimulator()
  const { clock, timers: uncounted } = options.time ?? { clock: base.clock, timers: systemTimers }
  const timers = countedTimers(uncounted)
  const newHealth = () => new Health({ clock, timers })
  let health = newHealth()
  const ctx: Context = {
    ...base,
    clock,
    timers,
    get health() {
      return health
    },
    nodeHealth: async (channelIds) => [health.read(channelIds)],
  }
  // Its one timer for the limits of all calls outlasts them; so it is not counted.
  const inFlight = new InFlight({ clock, timers: uncounted }, ctx.config.memoryInFlight)
  // Likewise the timer of rows that stand for several calls.
  const refusals = new Refusals({ ...ctx, timers: uncounted })
  const relay = createRelay(ctx, { inFlight, refusals })
  const server: Bun.Server<SocketHandler> = Bun.serve<SocketHandler>({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    maxRequestBodySize: ctx.config.maxRequestBodyBytes + 8 * 1024 * 1024,
    development: false,
    websocket: webSockets(systemTimers, ctx.config.memoryInFlight),
    fetch: async (request) =>
      unlessSwitched(await relay.fetch(request, { address: server.requestIP(request)?.address ?? '', upgrade })),
  })
  const upgrade = upgradeOf(server)
  const url = `http://127.0.0.1:${server.port}`
  const builders = buildersOf(ctx, simulator)
  if (!options.isEmpty) await setUp(ctx)
  const key = options.isEmpty ? '' : await builders.addToken(await builders.addUser(10_000_000))
  if (!options.isEmpty) await builders.addChannel()
  const post = (path: string, body: unknown, postOptions: PostOptions = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${postOptions.key ?? key}`,
        'content-type': 'application/json',
        ...postOptions.headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: postOptions.signal,
    })
  const checkLeft = () => requireEmpty({ ctx, inFlight, timers })
  leftBehindChecks.add(checkLeft)
  return {
    ctx,
    url,
    simulator,
    inFlight,
    newBatchRunner: (own = {}) =>
      new BatchRunner({
        ctx: Object.keys(own).length === 0 ? ctx : { ...ctx, ...own },
        inFlight,
        refusals,
        limiter: new MemoryLimiter(() => ctx.clock.monotonic()),
        keyTurns: new KeyTurns(),
      }),
    forgetHealth: () => void (health = newHealth()),
    key,
    ...builders,
    post,
    chat: (body = {}, postOptions) =>
      post(
        '/v1/chat/completions',
        { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }], ...body },
        postOptions,
      ),
    logs: () => readLogs(ctx),
    chargesOf: (userId, count) =>
      eventually(async () => {
        const rows = (await readLogs(ctx)).filter((row) => row.user_id === userId && row.type === logType.consumption)
        return rows.length >= count ? rows : null
      }),
    async [Symbol.asyncDispose]() {
      leftBehindChecks.delete(checkLeft)
      try {
        await checkLeft()
      } finally {
        await server.stop(true)
        await simulator.stop()
        await dispose()
      }
    },
  }
}

/** Error rows are for the tests that ask for them. */
async function setUp({ database: { query } }: Context): Promise<void> {
  await query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  await query.insertInto('options').values({ key: 'LogErrorEnabled', value: 'false' }).execute()
}

async function readLogs({ database, ledger }: Context) {
  await ledger.waitUntilApplied()
  return database.query.selectFrom('logs').selectAll().orderBy('id').execute()
}

function buildersOf(ctx: Context, simulator: Simulator) {
  const { query } = ctx.database
  let count = 0
  return {
    async addUser(quota: number, values: Partial<Insertable<UsersTable>> = {}) {
      count += 1
      const name = `user${count}`
      const row = { username: name, username_key: name, password_hash: '', display_name: name, role: 1, status: 1 }
      const { id } = await query
        .insertInto('users')
        .values({
          ...row,
          email: null,
          access_token_hash: null,
          aff_code: name,
          created_at: 1,
          deleted_at: null,
          ...values,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await ctx.ledger.credit({ id: `test:${id}`, userId: id, kind: 'admin', amount: quota })
      return id
    },
    async addToken(userId: number, values: Partial<Insertable<TokensTable>> = {}) {
      count += 1
      const secret = `${count}`.padStart(48, 'k')
      const row = {
        user_id: userId,
        key_hash: sha256(secret),
        key_sealed: '',
        name: 'key',
        created_time: 1,
        unlimited_quota: 1,
      }
      await query
        .insertInto('tokens')
        .values({ ...row, deleted_at: null, ...values })
        .execute()
      return `sk-${secret}`
    },
    async addPayer(quota: number, keyQuota?: number) {
      const userId = await this.addUser(quota)
      const limit = keyQuota === undefined ? {} : { unlimited_quota: 0, remain_quota: keyQuota }
      return { userId, key: await this.addToken(userId, limit) }
    },
    async balanceOf(userId: number) {
      await ctx.ledger.waitUntilApplied()
      return (await ctx.ledger.balanceOf([userId])).get(userId) ?? NaN
    },
    async addChannel(values: Partial<Insertable<ChannelsTable>> = {}) {
      count += 1
      const row = {
        type: 1,
        name: `channel${count}`,
        key_sealed: ctx.seal.seal(upstreamKey),
        base_url: simulator.url,
        models,
      }
      const { id } = await query
        .insertInto('channels')
        .values({ ...row, created_time: 1, tag: null, ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
      await ctx.catalog.rebuild()
      return id
    },
    async changeChannel(id: number, values: Updateable<ChannelsTable>) {
      await query.updateTable('channels').set(values).where('id', '=', id).execute()
      await ctx.catalog.rebuild()
    },
    async setOptions(texts: Partial<Record<keyof OptionValues, string>>) {
      parseOptions(new Map(Object.entries(texts)), (key, reason) => {
        throw new Error(`${key}: ${reason}`)
      })
      await setOptionsIn(ctx, texts)
    },
  }
}
