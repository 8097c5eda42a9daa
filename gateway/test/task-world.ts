import { isObject, type JsonObject } from '@tollgate/dialects'
import type { ActionRequest, Provider, TaskApi, TaskReport } from '@tollgate/providers'
import { startSuno, type SunoStandIn } from '@tollgate/simulator'

import type { Catalog, Channel } from '../src/channels/catalog/catalog'
import type { Context } from '../src/context'
import { MemoryLimiter } from '../src/http/limits/limiter'
import type { IncomingCall } from '../src/relay/call'
import type { RelayDeps } from '../src/relay/call-context'
import { keyCaller } from '../src/relay/stages/authenticate'
import { submitTask } from '../src/relay/tasks/submit-task'
import type { TaskOrder } from '../src/relay/tasks/task-order'
import { KeyTurns } from '../src/channels/routing/keys'
import { Refusals } from '../src/relay/refusals/refusals'
import type { DatabaseKind } from '../src/platform/store/database'
import type { TaskRow } from '../src/platform/store/tables'
import { pollTasks } from '../src/tasks/poll-tasks'
import { FakeTime } from './fake-time'
import { createRelayWorld, type RelayWorld } from './relay-world'

/** A vendor in few words, so that tests of the engine depend on no real one. */
export const songApi: TaskApi<ActionRequest> = {
  submit: ({ body }, { baseUrl, callbackUrl }) => {
    if (body['prompt'] === 'inexpressible') throw new TypeError('This vendor sings no such song')
    return { method: 'POST', url: `${baseUrl}/suno/submit/music`, body: { ...body, callbackUrl } }
  },
  readSubmission({ status, body }) {
    const { code, data, message } = isObject(body) ? body : {}
    if (status < 300 && code === 'success' && typeof data === 'string') return { kind: 'accepted', vendorId: data }
    return { kind: 'refused', status: status < 300 ? 400 : status, code: String(code), message: String(message) }
  },
  fetch: (ids, { baseUrl }) => ({ method: 'POST', url: `${baseUrl}/suno/fetch`, body: { ids } }),
  readReports({ body }) {
    const tasks = isObject(body) ? body['data'] : undefined
    if (!Array.isArray(tasks)) throw new TypeError('The list of tasks is not a list')
    return tasks.filter(isObject).map(reportOf)
  },
  cancel: (id, { baseUrl }) => ({ method: 'POST', url: `${baseUrl}/suno/cancel`, body: { id } }),
  content: { call: ({ fileId }, _, { baseUrl }) => ({ method: 'GET', url: `${baseUrl}/files/${fileId}` }) },
  batch: 50,
  pollMs: [5000, 10_000, 20_000],
  deadlineMs: 600_000,
}

const states: Readonly<Record<string, TaskReport['status']>> = {
  QUEUED: 'queued',
  IN_PROGRESS: 'in-progress',
  SUCCESS: 'success',
  FAILURE: 'failure',
}

function reportOf({ task_id: id, status, progress, fail_reason: reason, data }: JsonObject): TaskReport {
  const songs = Array.isArray(data) ? data.filter(isObject) : []
  return {
    vendorId: String(id),
    status: states[String(status)] ?? 'queued',
    progress: Number.parseInt(String(progress), 10),
    ...(reason !== '' && { failReason: String(reason) }),
    results: songs.map((song) => ({ kind: 'audio', url: String(song['audio_url']) })),
    data: { songs },
  }
}

/** A relay in front of a stand-in for a vendor of tasks, with a clock that only moves when told. */
export interface TaskWorld extends AsyncDisposable {
  readonly relay: RelayWorld
  readonly ctx: Context
  readonly deps: RelayDeps
  readonly clock: FakeTime
  readonly suno: SunoStandIn
  /** By another worker where its context is given. */
  submit(order?: Partial<TaskOrder>, key?: string, worker?: Context): Promise<TaskRow>
  /** Lets time pass and asks about all tasks that are due then. */
  poll(ms?: number): Promise<void>
  row(publicId: string): Promise<TaskRow>
}

export const songPrice = 50_000

export async function createTaskWorld(
  kind: DatabaseKind = 'sqlite',
  tasks: Provider['tasks'] = { suno: songApi },
): Promise<TaskWorld> {
  const clock = new FakeTime()
  const relay = await createRelayWorld({ kind, clock })
  const suno = await startSuno()
  await relay.addChannel({ base_url: suno.url, models: 'suno_music', name: 'songs' })
  const ctx: Context = { ...relay.ctx, catalog: withTasks(relay.ctx, tasks) }
  const limiter = new MemoryLimiter(() => clock.monotonic())
  const deps: RelayDeps = {
    ctx,
    inFlight: relay.inFlight,
    limiter,
    keyTurns: new KeyTurns(),
    refusals: new Refusals(ctx),
  }
  return {
    relay,
    ctx,
    deps,
    clock,
    suno,
    async submit(order = {}, key = relay.key, worker = ctx) {
      const call = callOf(ctx, key)
      const caller = await keyCaller(call, deps)
      return submitTask(call, caller, { ...song, ...order }, { ...deps, ctx: worker })
    },
    async poll(ms = 30_000) {
      clock.advance(ms)
      await pollTasks(ctx, new AbortController().signal)
    },
    async row(publicId) {
      return ctx.database.query
        .selectFrom('tasks')
        .selectAll()
        .where('public_id', '=', publicId)
        .executeTakeFirstOrThrow()
    },
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]()
      await suno[Symbol.asyncDispose]()
    },
  }
}

const song: TaskOrder = {
  platform: 'suno',
  action: 'MUSIC',
  model: 'suno_music',
  prompt: 'a song about rain',
  request: {},
  accepts: () => ({}),
  write: ({ tasks }, target) => {
    const api = tasks?.suno
    if (!api || typeof api === 'function') throw new TypeError('No songs')
    return api.submit({ action: 'MUSIC', body: { prompt: 'a song about rain' } }, target)
  },
}

function callOf({ catalog, clock }: Context, key: string): IncomingCall {
  const path = '/suno/submit/music'
  const headers = { authorization: `Bearer ${key}` }
  return {
    request: new Request(`http://gateway.test${path}`, { method: 'POST', headers }),
    requestId: crypto.randomUUID(),
    method: 'POST',
    path,
    query: '',
    dialect: 'openai-chat',
    hasNumericErrorCodes: false,
    clientIp: '127.0.0.1',
    language: 'en',
    catalog: catalog.current,
    startedAt: clock.monotonic(),
    trace: null,
    findings: { caller: null, model: '', requests: null, tokens: null },
    endpoint: null,
    pathContext: null,
  }
}

/** The catalog as it would be if the vendors of its channels ran these tasks. */
function withTasks({ catalog }: Context, tasks: Provider['tasks']): Context['catalog'] {
  const catalogs = new WeakMap<Catalog, Catalog>()
  const mapCatalog = (current: Catalog): Catalog => {
    const channels = new Map(
      [...current.channels].map(([id, channel]): [number, Channel] => [
        id,
        { ...channel, provider: { ...channel.provider, tasks } },
      ]),
    )
    const routes = new Map(
      [...current.routes].map(([group, models]) => [
        group,
        new Map(
          [...models].map(([model, tiers]) => [
            model,
            tiers.map((tier) => ({
              ...tier,
              candidates: tier.candidates.map((candidate) => ({
                ...candidate,
                channel: channels.get(candidate.channel.id) ?? candidate.channel,
              })),
            })),
          ]),
        ),
      ]),
    )
    return { ...current, channels, routes }
  }
  return {
    get current() {
      const { current } = catalog
      const known = catalogs.get(current) ?? mapCatalog(current)
      catalogs.set(current, known)
      return known
    },
    rebuild: () => catalog.rebuild(),
  }
}
