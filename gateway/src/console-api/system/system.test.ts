import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ApiError, isSecretOption, optionKeys, role, systemRoutes, type Client } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { aUser } from '../../../test/calls'
import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import type { Context } from '../../context'
import { Jobs } from '../../app/jobs/jobs'
import { InFlight } from '../../relay/in-flight/in-flight'
import { followLogLevel } from '../../app/process/start-worker'
import { workerState } from '../../app/process/worker-state'
import { systemHandlers } from './system'
import { systemTimers } from '../../platform/time/timers'

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

const figures = { count: 1, errors: 0, quota: 1, prompt_tokens: 0, completion_tokens: 0, use_time: 0 }

describe.each(kinds)('the system page (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let admin: Client
  let site: TestConsole
  let lines: readonly string[] = []
  let now = Date.UTC(2026, 0, 5, 12)
  const clock = createClock(() => now)

  beforeAll(async () => {
    world = await createWorld({ kind, clock })
    const jobs = new Jobs({ context: world.ctx, holderId: 'worker-1' })
    const parts = { workerId: 'worker-1', inFlight: new InFlight({ clock, timers: systemTimers }), jobs }
    site = createTestConsole(world.ctx, systemHandlers, {
      workers: {
        states: () => Promise.resolve([workerState(world.ctx, parts), { of: 'another release' }]),
        logLines: () => Promise.resolve([lines]),
      },
    })
    admin = site.client(await site.signIn((await anAccount(world.ctx, { role: role.admin })).id))
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('the system page shows the release, workers, nodes, the database, queues and the disk', async () => {
    const { database } = world.ctx
    const mail = { id: 'm1', kind: 'test', recipient: '', language: 'en', params: '{}', expires_at: 2e9, sent_at: null }
    const at = now / 1000
    await database.query
      .insertInto('mails')
      .values([
        { ...mail, created_at: at - 90, due_at: at },
        { ...mail, id: 'm2', created_at: at - 900, due_at: null },
      ])
      .execute()
    await database.query
      .insertInto('workers')
      .values([
        { id: 'other.1', node_id: 'other', started_at: at - 50, heartbeat_at: at - 5 },
        { id: 'gone.1', node_id: 'gone', started_at: at - 500, heartbeat_at: at - 400 },
      ])
      .execute()
    writeFileSync(join(world.ctx.config.dataDir, 'journal', 'w.journal.damaged'), 'x')
    const state = await admin.call(systemRoutes.systemState)
    expect(state.workers).toMatchObject([{ id: 'worker-1', pid: process.pid, is_leader: false }])
    expect(
      state.nodes.map(({ id, is_this: isThis, workers }) => [id === 'other' ? id : 'own', isThis, workers]),
    ).toContainEqual(['other', false, 1])
    expect(state.nodes.some(({ is_this: isThis }) => isThis)).toBe(true)
    expect(state.nodes).toHaveLength(2)
    expect(state.database.kind).toBe(kind)
    expect(state.database.version).toMatch(/^\d+\.\d+/)
    expect(state.database.bytes).toBeGreaterThan(0)
    expect(state.set_aside).toEqual(['w.journal.damaged'])
    expect(state.queues).toMatchObject([
      { name: 'charges', waiting: 0, oldest_seconds: 0 },
      { name: 'mails', waiting: 1, oldest_seconds: 90 },
      { name: 'webhooks', waiting: 0, oldest_seconds: 0 },
      { name: 'invitations', waiting: 0, oldest_seconds: 0 },
      { name: 'usage', waiting: null, oldest_seconds: 0 },
    ])
    expect(state.disk.total_bytes).toBeGreaterThan(state.disk.free_bytes)
    expect(state.disk.data_bytes).toBeGreaterThan(0)
  })

  test('the system page shows the last run of each job, whichever worker of whichever node ran it', async () => {
    const jobs = new Jobs({ context: world.ctx, holderId: 'worker-of-another-node' })
    await jobs.start()
    await jobs.stop()
    const { jobs: runs } = await admin.call(systemRoutes.systemState)
    expect(runs.find(({ name }) => name === 'prune-mails')).toMatchObject({
      outcome: 'ok',
      every_ms: 3_600_000,
      started_at_ms: now,
      worker: 'worker-of-another-node',
    })
    const texts = await Bun.file(join(import.meta.dir, '../../../../console/src/locales/en/system.json')).json()
    expect(runs.map(({ name }) => name).filter((name) => !(name in texts.jobs.of))).toEqual([])
  })

  test('the system page says how far usage is rolled up', async () => {
    const hour = Math.floor(now / 3_600_000) * 3600 - 3 * 3600
    await world.ctx.database.query
      .insertInto('rollups')
      .values({
        hour,
        user_id: 1,
        token_name: 't',
        channel_id: 1,
        model_name: 'm',
        group: 'g',
        ...figures,
      })
      .execute()
    const { queues } = await admin.call(systemRoutes.systemState)
    expect(queues.find(({ name }) => name === 'usage')?.oldest_seconds).toBe(2 * 3600)
  })

  once(
    'the system page shows what the command doctor finds, with advice',
    async () => {
      const { findings } = await admin.call(systemRoutes.examineSystem)
      const journal = findings.find(({ subject }) => subject === 'journal')
      expect(journal).toMatchObject({ level: 'warn' })
      expect(journal?.advice).toStartWith('Check the disk')
      expect(findings.find(({ subject }) => subject === 'schema')).toMatchObject({ level: 'ok' })
    },
    120_000,
  )

  once('the system page changes the level of the log for a time', async () => {
    const { ctx } = world
    followLogLevel(ctx)
    await admin.call(systemRoutes.setLogLevel, { body: { level: 'debug', minutes: 10 } })
    const readLogState = async () => (await admin.call(systemRoutes.systemState)).log
    expect(ctx.log.level).toBe('debug')
    expect(await readLogState()).toEqual({ level: 'debug', configured: 'silent', until: now / 1000 + 600 })
    await admin.call(systemRoutes.setLogLevel, { body: { level: 'debug', minutes: 0 } })
    expect(ctx.log.level).toBe('silent')
    await admin.call(systemRoutes.setLogLevel, { body: { level: 'trace', minutes: 1 } })
    now += 61_000
    expect(await readLogState()).toEqual({ level: 'silent', configured: 'silent', until: null })
    await admin.call(systemRoutes.setLogLevel, { body: { level: 'info', minutes: 0 } })
    expect(ctx.log.level).toBe('silent')
    const refused = [
      { level: 'info', minutes: 1441 },
      // The level cannot hide errors.
      { level: 'silent', minutes: 60 },
      { level: 'fatal', minutes: 1 },
    ] as const
    for (const body of refused)
      expect(await outcomeOf(admin.call(systemRoutes.setLogLevel, { body }))).toBe('input.invalid')
  })

  once('the system page shows what the response cache did and holds, and empties it', async () => {
    const { responses, metrics } = world.ctx
    const stored = { facts: '{}', body: Buffer.from('hello') }
    await responses.keep('a', stored, { ttlMs: 60_000, maxBytes: 10_000 })
    const { bytes } = responses.held
    metrics.responseCache.countMiss()
    metrics.responseCache.countHit({ price: 40, vendorCost: 10 })
    const before = await admin.call(systemRoutes.responseCache)
    expect(before).toEqual({
      hits: 1,
      misses: 1,
      entries: 1,
      bytes,
      saved_quota: 40,
      saved_cost_quota: 10,
      is_shared: false,
      is_alone: false,
    })
    const { saved_cost_quota: _, ...withoutCosts } = before
    const { id } = await anAccount(world.ctx, { role: role.admin })
    await world.ctx.database.query.updateTable('users').set({ grants: 'settings.read' }).where('id', '=', id).execute()
    const reader = site.client(await site.signIn(id))
    expect(await reader.call(systemRoutes.responseCache)).toEqual(withoutCosts)
    const { workers } = await reader.call(systemRoutes.systemState)
    expect(workers.map((worker) => worker.response_cache.saved_cost_quota)).toEqual([undefined])
    await admin.call(systemRoutes.clearResponseCache)
    expect(await responses.find('a')).toBeNull()
    expect(await admin.call(systemRoutes.responseCache)).toEqual({ ...before, entries: 0, bytes: 0 })
  })

  test('the support bundle contains no secret', async () => {
    const { ctx } = world
    const canary = (name: string) => `canary-${name.replaceAll(/\W/g, '')}-0123456789`
    const secretOptions = optionKeys.filter(isSecretOption)
    await setOptionsIn(ctx, Object.fromEntries(secretOptions.map((key) => [key, canary(key)])))
    await ctx.database.query
      .insertInto('channels')
      .values({
        type: 1,
        name: 'first channel',
        key_sealed: ctx.seal.seal('sk-canary-channel-key'),
        base_url: 'https://someone:canary-base-url@example.com',
        models: 'gpt-4o',
        setting: JSON.stringify({ proxy: 'http://me:canary-proxy@proxy.example' }),
        param_override: JSON.stringify({ user: 'canary-override' }),
        tag: null,
        created_time: 1,
      })
      .execute()
    await leaveSecrets(ctx)
    lines = [
      '{"level":"warn","msg":"refused Bearer canary-in-a-header"}',
      '{"level":"warn","msg":"no such key sk-canary-of-a-user-0123456789 at https://a.example/?key=canary-in-an-address"}',
      `{"level":"warn","msg":"wrong ${canary(secretOptions[0] ?? '')}"}`,
    ]
    const secrets = {
      secretKey: 'canary-secret-key-0123456789-0123456789',
      previousSecretKey: 'canary-previous-key',
      metricsToken: 'canary-metrics-token',
      redisUrl: 'redis://:canary-redis-password@redis.example',
      databaseUrl: ctx.config.databaseUrl && `${ctx.config.databaseUrl}?password=canary-database-password`,
      traces: {
        url: 'https://someone:canary-collector@collector.example',
        headers: { authorization: 'canary-collector-header' },
        serviceName: 'tollgate',
        sampler: 'always_on',
        share: 1,
        intervalMs: 1000,
        goesUpstream: false,
      },
    } as const
    await ctx.catalog.rebuild()
    const site = createTestConsole({ ...ctx, config: { ...ctx.config, ...secrets } }, systemHandlers, {
      workers: { states: () => Promise.resolve([]), logLines: () => Promise.resolve([lines]) },
    })
    const client = site.client(await site.signIn((await anAccount(ctx, { role: role.root })).id))
    const file = await client.download(systemRoutes.supportBundle)
    const text = await file.text()
    expect(text.match(/canary[\w-]*/g)).toBeNull()
    const bundle: unknown = JSON.parse(text)
    expect(bundle).toMatchObject({
      environment: { secretKey: '[set]', redisUrl: '[set]', traces: { headers: ['authorization'] } },
      options: { SMTPToken: '[set]', SystemName: 'Tollgate' },
      log: [
        [
          expect.stringContaining('refused Bearer [hidden]'),
          expect.stringContaining('no such key'),
          expect.stringContaining('wrong [hidden]'),
        ],
      ],
    })
    expect(text).toContain('first channel')
    expect(await outcomeOf(admin.download(systemRoutes.supportBundle))).toBe('auth.forbidden')
    const { ticket } = await client.call(systemRoutes.createBundleTicket)
    const fetched = await client.download(systemRoutes.fetchBundle, { query: { ticket } })
    expect(Object.keys((await fetched.json()) as object)).toEqual(Object.keys(bundle as object))
    expect(await outcomeOf(client.download(systemRoutes.fetchBundle, { query: { ticket } }))).toBe('download.expired')
  }, 120_000)
})

/** Stores secrets of people: of a user, a key, a mail, a redemption code, a webhook and one-time tokens. */
async function leaveSecrets(ctx: Context): Promise<void> {
  const { query } = ctx.database
  const at = ctx.clock.seconds()
  const { id } = await aUser(ctx, { username: 'holder', quota: 5 })
  await query
    .updateTable('users')
    .set({ email: 'canary-mail@example.com', webhook_secret_sealed: 'canary-webhook-secret' })
    .where('id', '=', id)
    .execute()
  await query
    .insertInto('tokens')
    .values({
      user_id: id,
      key_hash: 'canary-hash',
      key_sealed: 'canary-key',
      name: 'canary-token',
      created_time: at,
      deleted_at: null,
    })
    .execute()
  await query
    .insertInto('mails')
    .values({
      id: 'secret',
      kind: 'code',
      recipient: 'canary-recipient@example.com',
      language: 'en',
      params: '{"code":"canary-code"}',
      created_at: at,
      due_at: at,
      expires_at: at + 60,
      sent_at: null,
    })
    .execute()
  await query
    .insertInto('redemption_codes')
    .values({
      name: 'canary-name',
      key_hash: 'canary-code',
      key_sealed: 'canary-code',
      status: 1,
      quota: 1,
      created_time: at,
      created_by: id,
      is_gift: 0,
      max_uses: -1,
      valid_from: 0,
      valid_until: 0,
    })
    .execute()
  const webhook = {
    id: 'canary-delivery',
    user_id: id,
    type: 'test',
    url: 'https://canary.example',
    body: 'canary-body',
  }
  const notYet = { delivered_at: null, attempted_at: null, status: null, duration_ms: null }
  await query
    .insertInto('webhook_deliveries')
    .values({ ...webhook, ...notYet, created_at: at, expires_at: at + 60, due_at: at })
    .execute()
}
