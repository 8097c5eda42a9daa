import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { channelStatus } from '@tollgate/contract'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { eachDatabase, emptyPostgres } from '../../../../test/databases'
import { createRelayWorld, type RelayWorld } from '../../../../test/relay-world'
import { openKeys } from '../../../channels/catalog/channel-keys'
import { sha256 } from '../../../platform/store/seal'
import { differencesIn } from '../../commands/differences'
import { importSite } from '../import-site'
import { openSite } from '../open-site'
import { Report } from '../report'

setDefaultTimeout(60_000)

const folder = mkdtempSync(join(tmpdir(), 'tollgate-litellm-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)

const config = (apiBase: string) => `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_base: "${apiBase}/v1", api_key: os.environ/OPENAI_KEY, rpm: 60 }
  - model_name: fast
    litellm_params: { model: openai/gpt-4o-mini, api_base: "${apiBase}/v1/", api_key: os.environ/OPENAI_KEY }
    model_info: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000004 }
  - model_name: gpt-4o
    litellm_params: { model: azure/my-gpt-4o, api_base: https://x.openai.azure.com, api_key: azure-key, api_version: 2024-06-01, weight: 3 }
  - model_name: claude
    litellm_params: { model: bedrock/converse/anthropic.claude-3-haiku-20240307-v1:0, aws_access_key_id: AKIA1, aws_secret_access_key: secret, aws_region_name: us-east-1 }
  - model_name: anything/*
    litellm_params: { model: replicate/*, api_key: r8 }
  - model_name: lost
    litellm_params: { model: anthropic/claude-3-haiku-20240307, api_key: os.environ/NOT_SET }
router_settings:
  fallbacks: [{ gpt-4o: [fast, claude] }]
  context_window_fallbacks: [{ gpt-4o: [fast, claude] }, { fast: [claude] }]
general_settings: { master_key: sk-master-1234 }
`
const virtualKey = 'sk-Ab_c-0123456789defghij'

const statements = [
  `create table "LiteLLM_UserTable" (user_id text primary key, user_alias text, user_email text, max_budget float8, spend float8, created_at timestamp, budget_duration text, tpm_limit bigint)`,
  `insert into "LiteLLM_UserTable" values ('ann@example.com', 'Ann', 'ann@example.com', 100, 2.5, '2025-07-01 10:00:00', null, null), ('ben', null, null, 20, 0.1, null, '30d', 5000)`,
  `create table "LiteLLM_VerificationToken" (token text primary key, key_name text, key_alias text, spend float8, max_budget float8, expires timestamp, models text[], user_id text, team_id text, rpm_limit bigint, blocked boolean, created_at timestamp, budget_id text, max_parallel_requests int, organization_id text, project_id text, model_max_budget jsonb default '{}')`,
  `insert into "LiteLLM_VerificationToken" values
    ('${sha256(virtualKey)}', 'sk-...ghij', 'app', 1, 10, null, '{fast,gpt-4o}', 'ann@example.com', null, 600, null, '2025-07-02 10:00:00', null, null),
    ('${sha256('sk-blocked')}', 'sk-...cked', null, 0, null, null, '{all-team-models}', null, null, null, true, null, null, null),
    ('${sha256('sk-of-team')}', 'sk-...team', 'blue of ann', 0.5, null, null, '{all-team-models}', 'ann@example.com', 'team', 60, null, null, 'small', 2),
    ('${sha256('sk-console')}', 'sk-...sole', null, 0, null, null, '{}', 'ben', 'litellm-dashboard', null, null, null, null, null)`,
  `insert into "LiteLLM_VerificationToken" (token, key_alias, spend, models, user_id, team_id, organization_id, project_id, model_max_budget) values
    ('${sha256('sk-of-org')}', 'of acme', 0, '{}', 'ben', null, 'acme', null, '{}'),
    ('${sha256('sk-of-project')}', 'of chat', 0, '{}', null, 'team', 'acme', 'chat', '{"fast": 1}'),
    ('${sha256('sk-of-ended')}', 'of ended', 0, '{claude}', null, 'team', 'acme', 'ended', '{}')`,
  `create table "LiteLLM_TeamTable" (team_id text primary key, team_alias text, max_budget float8, budget_duration text, spend float8, models text[], blocked boolean, tpm_limit bigint, rpm_limit bigint, max_parallel_requests int, organization_id text)`,
  `insert into "LiteLLM_TeamTable" values ('team', 'blue', 50, '7d', 1.5, '{fast,claude}', false, 10000, 120, 8, 'acme'), ('t2', null, 5, null, 1, '{}', true, null, null, null, null)`,
  `create table "LiteLLM_OrganizationTable" (organization_id text primary key, organization_alias text, budget_id text, models text[], spend float8)`,
  `insert into "LiteLLM_OrganizationTable" values ('acme', 'Acme', 'acme', '{fast,claude,gpt-*}', 4), ('empty', 'Empty', 'gone', '{}', 0)`,
  `create table "LiteLLM_ProjectTable" (project_id text primary key, team_id text, budget_id text, models text[], spend float8, blocked boolean)`,
  `insert into "LiteLLM_ProjectTable" values ('chat', 'team', 'chat', '{fast,gpt-4o}', 0.5, false), ('ended', 'team', null, '{fast}', 0, true)`,
  `create table "LiteLLM_BudgetTable" (budget_id text primary key, max_budget float8, budget_duration text, tpm_limit bigint, rpm_limit bigint)`,
  `insert into "LiteLLM_BudgetTable" values ('small', 3, '12h', null, 30), ('member', 2, null, 1000, 10), ('acme', 40, '30d', null, 500), ('chat', 5, null, 2000, null)`,
  `create table "LiteLLM_TeamMembership" (user_id text, team_id text, spend float8, budget_id text, primary key (user_id, team_id))`,
  `insert into "LiteLLM_TeamMembership" values ('ann@example.com', 'team', 0.25, 'member'), ('ben', 'team', 0, null)`,
]

async function importInto({ ctx }: RelayWorld, location: { source: string; database: string }) {
  const now = ctx.clock.seconds()
  const source = await openSite(location, { OPENAI_KEY: 'sk-openai-0123456789' }, now)
  const report = new Report()
  const { source: expected, target } = await ctx.database.longRunning
    .transaction()
    .execute((transaction) => importSite(source, 'litellm', { ...ctx, transaction, at: now, report }))
  const left = await source.leftBehind()
  await source.close()
  await ctx.catalog.rebuild()
  return { text: [...report.lines(), ...left].join('\n'), ...report.compare(expected, target) }
}

test('models of a file become channels, by vendor, key and address; what is missing is named', async () => {
  await using world = await createRelayWorld({ isEmpty: true })
  writeFileSync(at('config.yaml'), config(world.simulator.url))
  const { text, isEqual } = await importInto(world, { source: at('config.yaml'), database: '' })
  expect(isEqual).toBe(true)
  const rows = await world.ctx.database.query.selectFrom('channels').selectAll().orderBy('id').execute()
  expect(rows.map(({ type, models, status, weight }) => [type, models, status, weight])).toEqual([
    [1, 'gpt-4o,fast', 1, 1],
    [3, 'gpt-4o', 1, 3],
    [33, 'claude', 1, 1],
    [8, '', channelStatus.disabled, 1],
    [14, 'lost', channelStatus.disabled, 1],
  ])
  expect(rows[0]).toMatchObject({ base_url: world.simulator.url, model_mapping: '{"fast":"gpt-4o-mini"}' })
  expect(rows[1]).toMatchObject({ other: '2024-06-01', model_mapping: '{"gpt-4o":"my-gpt-4o"}' })
  expect(rows.map((row) => openKeys(world.ctx, row))).toEqual([
    ['sk-openai-0123456789'],
    ['azure-key'],
    ['AKIA1|secret|us-east-1'],
    ['r8'],
    [],
  ])
  const { options, prices } = world.ctx.catalog.current
  expect(options.ModelChains).toEqual({
    'gpt-4o': { models: ['fast', 'claude'], on: ['failure', 'length'] },
    fast: { models: ['claude'], on: ['length'] },
  })
  expect(prices.book.own('fast')).toEqual({ prices: { input: 1 }, ratios: { output: 4 } })
  for (const odd of [
    'the vendor replicate is unknown here',
    'it has no key',
    'rpm and tpm',
    'no database was named',
    'no super admin',
  ])
    expect(text).toContain(odd)
})

describe.if(eachDatabase.includes('postgres'))('virtual keys of LiteLLM', () => {
  test('clients go on with the key of which only the hash is known, budgets are balances, and the books are even', async () => {
    await using world = await createRelayWorld({ isEmpty: true })
    writeFileSync(at('keys.yaml'), config(world.simulator.url))
    const server = await emptyPostgres()
    try {
      const client = new Client({ connectionString: server.url })
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
      const { text, isEqual } = await importInto(world, { source: at('keys.yaml'), database: server.url })
      expect(isEqual).toBe(true)
      for (const line of ['members of 2 teams', '2 organizations', '2 projects', 'budgets of single models, at 1'])
        expect(text).toContain(line)
    } finally {
      await server.drop()
    }
    const { query } = world.ctx.database
    const users = await query
      .selectFrom('users')
      .select(['id', 'username', 'quota', 'used_quota', 'email'])
      .orderBy('id')
      .execute()
    expect(users).toEqual([
      { id: 1, username: 'litellm', quota: 500_000_000_000, used_quota: 0, email: null },
      { id: 2, username: 'ann_example.com', quota: 48_750_000, used_quota: 1_250_000, email: 'ann@example.com' },
      { id: 3, username: 'ben', quota: 500_000_000_000, used_quota: 50_000, email: null },
      { id: 4, username: 'team t2', quota: 2_000_000, used_quota: 500_000, email: null },
      { id: 5, username: 'team blue', quota: 500_000_000_000, used_quota: 750_000, email: null },
    ])
    const tokens = await query.selectFrom('tokens').selectAll().orderBy('id').execute()
    const shown = tokens.map(({ user_id, name, status, remain_quota, model_limits, rate_limit_count }) => [
      name,
      [user_id, status, remain_quota, model_limits, rate_limit_count],
    ])
    expect(Object.fromEntries(shown)).toEqual({
      'master key': [1, 1, 0, '', 1000],
      app: [2, 1, 4_500_000, 'fast,gpt-4o', 600],
      'sk-...cked': [1, 2, 0, '', 1000],
      'blue of ann': [5, 1, 0, 'fast,claude', 60],
      'of acme': [3, 1, 0, 'fast,claude,gpt-*', 1000],
      'of chat': [5, 1, 0, 'fast', 1000],
      'of ended': [5, 2, 0, 'no-default-models', 1000],
    })
    const limits = await query
      .selectFrom('windows')
      .leftJoin('window_periods', 'window_periods.window_id', 'windows.id')
      .select(['owner', 'ref', 'measure', 'span', 'seconds', 'limit_amount', 'free'])
      .orderBy('windows.id')
      .execute()
    const nameOf = new Map(tokens.map(({ id, name }) => [String(id), name]))
    const shownLimits = limits.map(({ owner, ref, ...limit }) =>
      [owner, owner === 'token' ? `"${nameOf.get(ref)}"` : ref, ...Object.values(limit)].join(' '),
    )
    expect(shownLimits.toSorted()).toEqual([
      'token "blue of ann" concurrent always 0 2 ',
      'token "blue of ann" quota always 0 1000000 875000',
      'token "blue of ann" quota seconds 43200 1500000 1250000',
      'token "blue of ann" requests minute 0 10 ',
      'token "blue of ann" tokens minute 0 1000 ',
      'token "of acme" quota month 0 20000000 18000000',
      'token "of acme" requests minute 0 500 ',
      'token "of chat" quota always 0 2500000 2250000',
      'token "of chat" tokens minute 0 2000 ',
      'user 3 quota month 0 10000000 9950000',
      'user 3 tokens minute 0 5000 ',
      'user 5 concurrent always 0 8 ',
      'user 5 quota month 0 20000000 18000000',
      'user 5 quota week 0 25000000 24250000',
      'user 5 requests minute 0 120 ',
      'user 5 requests minute 0 500 ',
      'user 5 tokens minute 0 10000 ',
    ])
    // The super admin is made by the set-up.
    await query.insertInto('setups').values({ id: 1, version: 'test', initialized_at: 1 }).execute()
    const before = await world.balanceOf(2)
    const response = await world.chat({ model: 'fast' }, { key: virtualKey })
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('content')])
    const charged = (await world.logs()).find(({ request_id: id }) => id === response.headers.get('x-request-id'))
    expect(charged).toMatchObject({ user_id: 2, token_name: 'app', model_name: 'fast' })
    expect(charged?.quota).toBeGreaterThan(0)
    expect(await world.balanceOf(2)).toBe(before - (charged?.quota ?? 0))
    const master = await world.chat({ model: 'fast' }, { key: 'sk-master-1234' })
    expect([master.status, (await master.text()) !== '']).toEqual([200, true])
    for (const key of ['sk-blocked', 'sk-console', virtualKey.slice(3)]) {
      const refused = await world.chat({ model: 'fast' }, { key })
      expect([refused.status, await refused.text()]).toEqual([401, expect.any(String)])
    }
    expect(await differencesIn(query, world.ctx.clock.seconds())).toEqual([])
  })
})

test.each([
  ['a file that is missing', '', 'cannot be read'],
  ['a file without models', 'general_settings: {}', 'has no model_list'],
  ['a file of something else', 'model_list: [{ name: x }]', 'not a config.yaml of LiteLLM'],
])('%s is refused', async (_, text, sentence) => {
  const source = at(`${sentence.length}.yaml`)
  if (text !== '') writeFileSync(source, text)
  const error = await openSite({ source, database: '' }, {}, 1).catch((thrown: unknown) => thrown)
  expect(String(error)).toContain(sentence)
})
