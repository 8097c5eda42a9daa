import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { channelStatus, tokenStatus } from '@tollgate/contract'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { kinds } from '../../../test/kinds'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { createSampleFile, type SampleSite } from '../../../test/sample-sites/statements'
import { sampleKeys, sampleLogStart, samplePassword } from '../../../test/sample-sites/rows'
import { oneApiSite } from '../../../test/sample-sites/one-api'
import { veloeraSite } from '../../../test/sample-sites/veloera'
import { oddSite } from '../../../test/sample-sites/odd-site'
import { newApiSite } from '../../../test/sample-sites/new-api'
import { openKeys, parseKeyStates } from '../../channels/catalog/channel-keys'
import { withSecrets } from '../../channels/catalog/channel-secrets'
import { verifyPassword } from '../../accounts/users/passwords'
import { sha256 } from '../../platform/store/seal'
import { statementOf } from '../../console-api/wallet/statement'
import { differencesIn } from '../commands/differences'
import { familySource } from './family/family-source'
import { readImport } from '../../operations/import-note'
import { importSite } from './import-site'
import { Report } from './report'
import type { SiteSource } from './site-source'
import { openSource } from './source/open-source'
import { writeLogs } from './write/write-logs'

setDefaultTimeout(60_000)

const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0

/** Imports a site, with its log where that is wanted. Resolves with the report and the sums of both. */
async function importInto({ ctx }: RelayWorld, site: SampleSite, { logs = false } = {}) {
  const path = join(folder, `${(files += 1)}.db`)
  createSampleFile(site, path)
  const at = ctx.clock.seconds()
  const source = await familySource(await openSource(path), at)
  const report = new Report()
  const imported = await ctx.database.longRunning
    .transaction()
    .execute((transaction) => importSite(source, 'sample', { ...ctx, transaction, at, report }))
  const { note } = imported
  if (logs) await writeLogs({ source, database: ctx.database, note, since: 0, onHour: () => {} })
  await source.close()
  await ctx.catalog.rebuild()
  return { ...report.compare(imported.source, imported.target), text: report.lines().join('\n') }
}

const differences = ({ ctx }: RelayWorld) => differencesIn(ctx.database.query, ctx.clock.seconds())

const channelRow = ({ ctx }: RelayWorld, id: number) =>
  ctx.database.query.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const users = async ({ ctx }: RelayWorld) => ctx.database.query.selectFrom('users').selectAll().orderBy('id').execute()

const sites = [
  ['one-api', oneApiSite],
  ['veloera', veloeraSite],
  ['new-api', newApiSite],
] as const

describe.each(kinds)('an imported site (%s)', (kind) => {
  test.each(sites)(
    'of %s has equal sums and even books, and the old key of a client makes a call that is charged',
    async (_, site) => {
      await using world = await createRelayWorld({ kind, isEmpty: true })
      const { lines, isEqual } = await importInto(world, site, { logs: true })
      expect([lines.filter((line) => line.includes('NOT')), isEqual]).toEqual([[], true])
      expect(await differences(world)).toEqual([])
      // The wallet pays for what no plan does.
      await world.ctx.database.query.deleteFrom('subscriptions').execute()
      await world.changeChannel(1, { base_url: world.simulator.url })
      const before = await world.balanceOf(2)
      const response = await world.chat({}, { key: `sk-${sampleKeys.ann}` })
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('content')])
      const rows = await world.logs()
      const charged = rows.find(({ request_id: id }) => id === response.headers.get('x-request-id'))
      expect(charged).toMatchObject({ user_id: 2, token_id: 1, channel_id: 1 })
      expect(charged?.quota).toBeGreaterThan(0)
      expect(await world.balanceOf(2)).toBe(before - (charged?.quota ?? 0))
      expect(await differences(world)).toEqual([])
    },
  )
})

test.each(sites.flatMap(([product, site]) => [3, 4].map((seed) => [product, seed, site] as const)))(
  'a site of %s with odd values everywhere has equal sums and even books (seed %i)',
  async (_, seed, site) => {
    await using world = await createRelayWorld({ isEmpty: true })
    const { lines, isEqual } = await importInto(world, oddSite(site, seed), { logs: true })
    expect([lines.filter((line) => line.includes('NOT')), isEqual]).toEqual([[], true])
    expect(await differences(world)).toEqual([])
  },
)

describe.each(kinds)('an import that breaks off (%s)', (kind) => {
  test('leaves nothing behind, and its log goes on where it was', async () => {
    await using world = await createRelayWorld({ kind, isEmpty: true })
    const path = join(folder, `broken-${kind}.db`)
    createSampleFile(veloeraSite, path)
    const { database } = world.ctx
    const at = world.ctx.clock.seconds()
    const source = await familySource(await openSource(path), at)
    const importFrom = (from: SiteSource) =>
      database.longRunning
        .transaction()
        .execute((transaction) => importSite(from, 'broken', { ...world.ctx, transaction, at, report: new Report() }))
    const broken = { ...source, hours: () => failing() }
    expect(await importFrom(broken).catch((error: unknown) => String(error))).toContain('The source is gone')
    expect(await users(world)).toEqual([])
    const { note } = await importFrom(source)
    const logs = { source, database, since: 0 }
    const stop = () => {
      throw new Error('The machine is gone')
    }
    expect(await writeLogs({ ...logs, note, onHour: stop }).catch((error: unknown) => String(error))).toContain('gone')
    expect(await database.query.selectFrom('logs').select('id').orderBy('id').execute()).toHaveLength(4)
    const reached = await readImport(database.query)
    expect(await writeLogs({ ...logs, note: reached ?? note, onHour: () => {} })).toBe(1)
    expect(await differences(world)).toEqual([])
    await source.close()
  })
})

// eslint-disable-next-line require-yield
async function* failing(): AsyncGenerator<never> {
  await Promise.resolve()
  throw new Error('The source is gone')
}

describe('what is carried over of one-api', () => {
  let world: RelayWorld
  let text: string
  beforeAll(async () => {
    world = await createRelayWorld({ isEmpty: true })
    text = (await importInto(world, oneApiSite)).text
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('users keep ids, passwords and invitation codes; the first keeps an address or a name that two have', async () => {
    const [root, ann, gone, twin, other] = await users(world)
    expect(root).toMatchObject({
      id: 1,
      username: 'root',
      role: 100,
      quota: 100_000_000,
      used_quota: 5000,
      request_count: 3,
    })
    expect(ann).toMatchObject({ email: 'ann@example.com', aff_code: 'c2', access_token_hash: sha256('a'.repeat(32)) })
    expect(await verifyPassword(samplePassword, ann?.password_hash)).toBe(true)
    expect(gone).toMatchObject({ quota: -20, deleted_at: expect.any(Number) })
    expect(twin).toMatchObject({ email: null, group: 'team' })
    expect(await verifyPassword('', twin?.password_hash)).toBe(false)
    expect(other).toMatchObject({ username: 'Ann_5', role: 1, aff_code: expect.stringMatching(/^\w{4}$/) })
    for (const odd of [
      'twin #4',
      'Ann #5 is Ann_5',
      'unknown role 7',
      'gone #3: -20',
      'Lark',
      'login name instead of an id',
    ])
      expect(text).toContain(odd)
  })

  test('keys keep their limits, and one whose limit cannot be read is disabled', async () => {
    const rows = await world.ctx.database.query.selectFrom('tokens').selectAll().orderBy('id').execute()
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 4])
    expect(rows[0]).toMatchObject({
      model_limits_enabled: 1,
      model_limits: 'gpt-4o,gpt-4o-mini',
      allow_ips: '10.0.0.0/8\n127.0.0.1',
    })
    expect(rows[1]).toMatchObject({
      status: tokenStatus.enabled,
      remain_quota: -50,
      granted_quota: -50,
      model_limits_enabled: 0,
    })
    expect(rows[2]).toMatchObject({ status: tokenStatus.disabled, unlimited_quota: 1, was_unlimited: 1 })
    expect(text).toContain('keys of users who are gone, left out (1): key 3 #3 of user #99')
  })

  test('channels get our types, and the parts of their keys that were in columns of their own', async () => {
    const types = await world.ctx.database.query
      .selectFrom('channels')
      .select(['type', 'status'])
      .orderBy('id')
      .execute()
    expect(types.map(({ type, status }) => [type, status])).toEqual([
      [1, 1],
      [1, 1],
      [33, 1],
      [8, 2],
      [3, 1],
      [43, 1],
    ])
    expect(await channelRow(world, 2)).toMatchObject({ base_url: 'https://api.groq.com/openai' })
    expect(openKeys(world.ctx, await channelRow(world, 3))).toEqual(['AKIA0000|secret0000|us-east-1'])
    expect(await channelRow(world, 5)).toMatchObject({ other: '2024-06-01' })
    expect(await channelRow(world, 6)).toMatchObject({ system_prompt: 'Be brief.', group: 'default,team' })
    expect(text).toContain('type 38 (DeepL) is unknown here (1): channel 4 #4')
  })

  test('settings, ratios and groups are those of the source, and its super admin is ours', async () => {
    const { options, prices } = world.ctx.catalog.current
    expect([options.SystemName, options.GroupRatio]).toEqual(['Old site', { default: 1, team: 1 }])
    expect(prices.book.own('gpt-4o')).toEqual({ prices: { input: 3 }, ratios: { output: 3 } })
    expect(prices.book.own('house-model')).toEqual({ prices: { input: 1 } })
    const setups = await world.ctx.database.query.selectFrom('setups').select('id').execute()
    expect(setups).toHaveLength(1)
    expect(text).toContain('settings that are unknown here (1): Theme')
  })

  test('new rows get ids after those of the source', async () => {
    expect(await world.addUser(1)).toBe(6)
    expect(await world.addChannel()).toBe(7)
  })
})

describe('what is carried over of Veloera', () => {
  let world: RelayWorld
  let text: string
  beforeAll(async () => {
    world = await createRelayWorld({ isEmpty: true })
    text = (await importInto(world, veloeraSite, { logs: true })).text
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('settings of users, their purses, and the address of a closed account', async () => {
    const [, ann, gone, thief] = await users(world)
    expect(ann).toMatchObject({ aff_quota: 300, aff_history_quota: 1000, aff_count: 2, warned_below: 1001 })
    expect(JSON.parse(ann?.setting ?? '')).toEqual({
      notify_type: 'webhook',
      webhook_url: 'https://hook.example/x',
      quota_warning_threshold: 1000.5,
    })
    expect(world.ctx.seal.open(ann?.webhook_secret_sealed ?? '', 'users.webhook_secret_sealed#2')).toBe('s3')
    expect(gone).toMatchObject({ email: 'ann@example.com', deleted_at: Date.UTC(2025, 6, 1, 10) / 1000 })
    expect(thief).toMatchObject({ quota: -12_345, inviter_id: 2 })
    const owners = await world.ctx.database.query.selectFrom('identities').select(['subject', 'user_id']).execute()
    expect(owners).toEqual([{ subject: '4711', user_id: 2 }])
    expect(text).toContain('accounts at linuxdo that an earlier user has (1): thief #4')
  })

  test('several keys, limits of rates, and a channel behind a proxy that cannot be used', async () => {
    expect(openKeys(world.ctx, await channelRow(world, 1))).toEqual(['sk-first-0123456789', 'sk-second-0123456789'])
    expect(await channelRow(world, 3)).toMatchObject({
      status: channelStatus.disabled,
      model_prefix: 'fast-',
      auto_ban: 0,
    })
    const failed = await channelRow(world, 4)
    expect([failed.status, JSON.parse(failed.other_info)]).toEqual([
      channelStatus.autoDisabled,
      { status_reason: 'quota', status_time: 1_750_000_123 },
    ])
    const key = await world.ctx.database.query
      .selectFrom('tokens')
      .selectAll()
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    expect(key).toMatchObject({
      rate_limit_enabled: 1,
      rate_limit_period: 60,
      rate_limit_count: 30,
      rate_limit_success: 20,
    })
  })

  test('gift codes were used by whom they were, and ratios cost as much in other units', async () => {
    const { query } = world.ctx.database
    const uses = await query
      .selectFrom('redemption_uses')
      .selectAll()
      .orderBy('redemption_id')
      .orderBy('user_id')
      .execute()
    expect(uses.map(({ redemption_id, user_id, quota }) => [redemption_id, user_id, quota])).toEqual([
      [1, 2, 0],
      [1, 4, 0],
      [2, 2, 0],
    ])
    const codes = await query.selectFrom('redemption_codes').selectAll().orderBy('id').execute()
    expect(codes[0]).toMatchObject({ is_gift: 1, max_uses: 10, used_count: 2, status: 1 })
    expect(codes[1]).toMatchObject({ status: 3, used_count: 1, used_user_id: 2 })
    const { options, prices } = world.ctx.catalog.current
    expect([options.QuotaPerUnit, prices.book.own('gpt-4o')?.prices]).toEqual([1_000_000, { input: 1.5 }])
  })

  test('the log has its ids, types and details, and its hours replace the sums of the source', async () => {
    const { query } = world.ctx.database
    const logs = await query.selectFrom('logs').selectAll().orderBy('id').execute()
    expect(logs.map(({ id, type }) => [id, type])).toEqual([
      [11, 2],
      [12, 2],
      [13, 6],
      [14, 5],
      [15, 2],
    ])
    expect(logs[0]).toMatchObject({ channel_name: 'channel 1', use_time: 3, other: '{"model_ratio":1.5}' })
    expect(logs[1]?.other).toBe('{}')
    const hours = await query
      .selectFrom('rollups')
      .select(['hour', 'user_id', 'model_name', 'channel_id', 'quota', 'count', 'errors'])
      .orderBy('hour')
      .orderBy('user_id')
      .execute()
    const hour = { user_id: 2, model_name: 'gpt-4o', channel_id: 1, errors: 0 }
    expect(hours).toEqual([
      { ...hour, hour: sampleLogStart - 7200, model_name: 'old', channel_id: 0, quota: 5, count: 1 },
      { ...hour, hour: sampleLogStart, quota: 1000, count: 1 },
      { ...hour, hour: sampleLogStart + 3600, quota: 1000, count: 1, errors: 1 },
      { ...hour, hour: sampleLogStart + 3600, user_id: 77, channel_id: 50, quota: 4000, count: 1 },
    ])
    // The channel of a log row is gone in the source; its id is not given to another.
    expect(await world.addChannel()).toBe(51)
  })
})

describe('what is carried over of new-api', () => {
  let world: RelayWorld
  let text: string
  beforeAll(async () => {
    world = await createRelayWorld({ isEmpty: true })
    text = (await importInto(world, newApiSite)).text
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('second factors, ids of GitHub, and what users chose', async () => {
    const { query } = world.ctx.database
    const [factor, ...others] = await query.selectFrom('totp_factors').selectAll().execute()
    expect([factor?.user_id, others]).toEqual([2, []])
    const secret = world.ctx.seal.open(factor?.secret_sealed ?? '', 'totp_factors.secret_sealed#2')
    expect(Buffer.from(secret, 'base64').toString('latin1')).toBe('Hello!\xde\xad\xbe\xefHello!\xde\xad\xbe\xef')
    const passkeys = await query.selectFrom('passkeys').selectAll().execute()
    expect(passkeys).toMatchObject([
      { user_id: 2, credential_id: 'a-b_cw', public_key: 'pQEC', counter: 4, transports: 'internal', user_handle: '' },
    ])
    const identities = await query.selectFrom('identities').select(['provider', 'subject', 'user_id']).execute()
    expect(identities).toEqual([{ provider: 'github', subject: '583231', user_id: 2 }])
    const [, ann] = await users(world)
    expect([ann?.created_at, JSON.parse(ann?.setting ?? '')]).toEqual([1_750_000_000, { language: 'en' }])
  })

  test('several keys with their states, headers, prompts and overrides of a channel', async () => {
    const row = withSecrets(await channelRow(world, 1), world.ctx.seal)
    expect(openKeys(world.ctx, row)).toEqual(['sk-first-0123456789', 'sk-second-0123456789', 'sk-third-0123456789'])
    expect(Object.values(parseKeyStates(row.key_states))).toEqual([{ status: 3, reason: '401', time: 1_750_000_500 }])
    const keys = world.ctx.catalog.current.channels.get(1)?.keys.map(({ isEnabled }) => isEnabled)
    expect(keys).toEqual([true, false, true])
    expect(JSON.parse(row.setting)).toEqual({
      force_format: true,
      rewrites: [{ header_override: { 'X-Team': 'blue' } }],
    })
    expect([row.system_prompt, JSON.parse(row.param_override)]).toEqual(['Be kind.', { temperature: 0.5 }])
    expect(text).toContain('its setting unheard is unknown here')
    expect(text).toContain('header_override has placeholders')
    expect(text).toContain('its channel_info is not a JSON object (1): channel 5 #5')
  })

  test('types that have another number, one key where a vendor takes one, and unknown types switched off', async () => {
    expect(await channelRow(world, 2)).toMatchObject({ type: 53, status: 1, other: 'bot-1' })
    const [account = '', ...others] = openKeys(world.ctx, await channelRow(world, 3))
    expect([JSON.parse(account), others]).toEqual([{ project_id: 'p1', private_key: 'a,b', client_email: 'e' }, []])
    for (const id of [4, 5])
      expect(await channelRow(world, id)).toMatchObject({ type: 8, status: channelStatus.disabled })
  })

  test('a key with dashes is one key, and a refused key stays refused', async () => {
    await world.changeChannel(1, { base_url: world.simulator.url })
    const dashed = await world.chat({}, { key: `sk-${sampleKeys.dashed}` })
    expect(dashed.status).toBe(200)
    await dashed.text()
    const unknown = await world.chat({}, { key: `sk-${sampleKeys.dashed}x` })
    expect(unknown.status).toBe(401)
    await unknown.text()
    const states = await world.ctx.database.query.selectFrom('tokens').select(['id', 'status']).orderBy('id').execute()
    expect(states.map(({ status }) => status)).toEqual([1, 1, 1, 2])
  })

  test('paid top-ups are credits of their days, with the numbers of their orders', async () => {
    const credits = await world.ctx.database.query
      .selectFrom('credits')
      .select(['id', 'amount', 'created_at', 'detail'])
      .where('user_id', '=', 2)
      .orderBy('id')
      .execute()
    expect(credits).toEqual([
      { id: 'import-top-up:1', amount: 1_000_000, created_at: sampleLogStart + 40, detail: 'USR2NO1' },
      { id: 'import-top-up:2', amount: 750_000, created_at: 1_750_000_000, detail: 'USR2NO2' },
      { id: 'import-top-up:3', amount: 4000, created_at: sampleLogStart, detail: 'USR2NO3' },
      { id: 'import:2', amount: 1_007_000 - 1_754_000, created_at: 1_750_000_000, detail: 'new-api' },
    ])
    expect(text).toContain('top-ups of users who are gone, left out (1): #6 of user #99')
    const { movements, first_month: first } = await statementOf(world.ctx, 2, '2025-07')
    expect(movements).toMatchObject([
      { kind: 'import', trade_no: 'USR2NO1', amount: 1_000_000 },
      { kind: 'import', trade_no: 'USR2NO3', amount: 4000 },
    ])
    // Of months before, only the sum of what was used is known.
    expect(first).toBe(new Date(world.ctx.clock.now()).toISOString().slice(0, 7))
  })

  test('settings of another name, prices of calls, and a way in for the super admin', async () => {
    const { options, prices } = world.ctx.catalog.current
    expect([options.CheckInEnabled, options.PasswordLoginEnabled, options.RetryTimes]).toEqual([true, true, 3])
    expect(options.SMTPToken).toBe('mail secret')
    expect(prices.book.own('suno')).toEqual({ prices: { per_call: 0.1 } })
    for (const odd of [
      'RetryTimes is not valid',
      'ModelPrice of odd(3)',
      'all of CacheRatio, which is not a JSON object',
      'too large for exact sums, which are 4503599627370496 now (1): user old #3',
      'PasswordLoginEnabled',
      'without a text of their own, left out (1): spring #2',
    ])
      expect(text).toContain(odd)
  })
})
