import type { ModelChain } from '@tollgate/contract'

import type { SiteSource, SourceToken, SourceUser, Totals } from '../site-source'
import { countOf, noPages, type ReadableTable } from '../source/read-table'
import { channelsOf } from './config-channels'
import { type ConfiguredModel, type LiteLlmConfig } from './config'
import { boundlessDollars, readAccounts } from './accounts'
import { readWindows } from './read-windows'
import { readKeys } from './virtual-keys'

interface LiteLlmSite {
  readonly config: LiteLlmConfig
  /** Empty: there is none. */
  readonly masterKey: string
  /** The database of virtual keys; null: none was named. */
  readonly source: ReadableTable | null
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly nowSeconds: number
}

/** Returns a site of LiteLLM: models and keys of its file, and the virtual keys of its database. */
export function liteLlmSource({ config, masterKey, source, environment, nowSeconds }: LiteLlmSite): SiteSource {
  const channels = channelsOf(config, environment, nowSeconds)
  const users = () => pagesOf(readAccounts(source), ({ user }) => user)
  const tokens = () => pagesOf(readKeys(source, masterKey, nowSeconds), ({ token }) => token)
  return {
    product: 'LiteLLM',
    identity: () => Promise.resolve(config.model_list.map(({ model_name: name }) => name).join(' ')),
    options: () => Promise.resolve(optionsOf(config)),
    users,
    tokens,
    channels: () => onePage(channels),
    codes: noPages,
    codeUses: noPages,
    totpFactors: noPages,
    passkeys: noPages,
    plans: noPages,
    subscriptions: noPages,
    topUps: noPages,
    windows: () => readWindows(source, masterKey, nowSeconds),
    hours: noPages,
    totals: () => totalsOf(users(), tokens(), channels.length),
    leftBehind: () => leftBehind(source),
    lastIds: async () => ({
      users: 0,
      tokens: 0,
      channels: channels.length,
      redemption_codes: 0,
      logs: 0,
      plans: 0,
      subscriptions: 0,
    }),
    firstLogSince: () => Promise.resolve(null),
    lastLogBefore: () => Promise.resolve(null),
    logsBetween: noPages,
    close: () => source?.database.close() ?? Promise.resolve(),
  }
}

async function* onePage<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  await Promise.resolve()
  yield items
}

async function* pagesOf<Item, Of>(
  pages: AsyncIterable<readonly Item[]>,
  of: (item: Item) => Of,
): AsyncGenerator<readonly Of[]> {
  for await (const page of pages) yield page.map(of)
}

const tokensOfRatio = 1_000_000
const dollarsOfRatio = 2

/** Returns prices and fallbacks as settings. */
function optionsOf({ model_list: models, router_settings: router, litellm_settings: settings }: LiteLlmConfig) {
  const options = new Map<string, string>()
  const priced = models.flatMap((model) => pricesOf(model))
  if (priced.length > 0) {
    options.set('ModelRatio', JSON.stringify(Object.fromEntries(priced.map(({ name, ratio }) => [name, ratio]))))
    const outputs = priced.filter(({ output }) => output !== null)
    options.set(
      'CompletionRatio',
      JSON.stringify(Object.fromEntries(outputs.map(({ name, output }) => [name, output]))),
    )
  }
  const chains = chainsOf([router, settings])
  if (chains.size > 0) options.set('ModelChains', JSON.stringify(Object.fromEntries(chains)))
  return options
}

/** When LiteLLM goes on to the models of each list. */
const kinds = [
  ['fallbacks', 'failure'],
  ['content_policy_fallbacks', 'refusal'],
  ['context_window_fallbacks', 'length'],
] as const

/** A model has one chain here: that of the first list, for all reasons whose list is the same. */
function chainsOf(places: readonly LiteLlmConfig['router_settings'][]): ReadonlyMap<string, ModelChain> {
  const chains = new Map<string, ModelChain>()
  for (const [list, reason] of kinds)
    for (const entry of places.flatMap((place) => place?.[list] ?? []))
      for (const [model, models] of Object.entries(entry)) {
        const { on = [], ...known } = chains.get(model) ?? { models }
        const isSame = known.models.join('\n') === models.join('\n')
        if (isSame) chains.set(model, { models, on: [...new Set([...on, reason])] })
      }
  return chains
}

function pricesOf({ model_name: name, litellm_params: params, model_info: info }: ConfiguredModel) {
  const input = params.input_cost_per_token ?? info?.input_cost_per_token
  const output = params.output_cost_per_token ?? info?.output_cost_per_token
  if (input === undefined) return []
  const ratio = (input * tokensOfRatio) / dollarsOfRatio
  return [{ name, ratio, output: output === undefined || input === 0 ? null : output / input }]
}

async function totalsOf(
  users: AsyncIterable<readonly SourceUser[]>,
  tokens: AsyncIterable<readonly SourceToken[]>,
  channels: number,
): Promise<Totals> {
  const totals = {
    users: 0,
    'quota of users': 0,
    'used quota of users': 0,
    'requests of users': 0,
    keys: 0,
    'rest of keys': 0,
    'used quota of keys': 0,
    channels,
    'used quota of channels': 0,
    'redemption codes': 0,
  }
  for await (const page of users)
    for (const { quota, usedQuota } of page) {
      totals.users += 1
      totals['quota of users'] += quota
      totals['used quota of users'] += usedQuota
    }
  for await (const page of tokens)
    for (const { remainQuota, usedQuota } of page) {
      totals.keys += 1
      totals['rest of keys'] += remainQuota
      totals['used quota of keys'] += usedQuota
    }
  return totals
}

/** Tables of what stays there. */
const others: readonly (readonly [table: string, sentence: string])[] = [
  ['LiteLLM_SpendLogs', 'log rows: LiteLLM has a row for each call, which is not read'],
  ['LiteLLM_ProxyModelTable', 'models that were added in its console: put them into config.yaml, or create channels'],
  ['LiteLLM_OrganizationMembership', 'members of organizations, with budgets of their own within these'],
  ['LiteLLM_EndUserTable', 'end users that clients name in their calls, with their budgets'],
  ['LiteLLM_TagTable', 'tags with their budgets'],
  ['LiteLLM_CredentialsTable', 'stored credentials: put keys into config.yaml'],
  ['LiteLLM_DeprecatedVerificationToken', 'former keys of rotated ones, which LiteLLM accepts until they are revoked'],
  ['LiteLLM_JWTKeyMapping', 'claims of JWTs that stand for keys'],
  ['LiteLLM_MCPServerTable', 'MCP servers'],
  ['LiteLLM_AgentsTable', 'agents'],
]

/** Tables whose rows may limit single models. */
const limitedByModel = ['LiteLLM_VerificationToken', 'LiteLLM_TeamTable', 'LiteLLM_UserTable', 'LiteLLM_BudgetTable']

async function leftBehind(source: ReadableTable | null): Promise<string[]> {
  if (!source) return ['virtual keys, as no database was named']
  const sentences = [
    'passwords: users reset theirs by mail, or you set one',
    `budgets are balances; who has none gets ${boundlessDollars} dollars, to be changed under Users`,
  ]
  const shared = {
    LiteLLM_TeamTable: (count: number) =>
      `members of ${count} teams: a team is one user here, who has the keys of all members, one balance, and the team’s limits; set its password, or an address, if someone should sign in`,
    LiteLLM_OrganizationTable: (count: number) =>
      `${count} organizations: each of their teams, and of their keys without a team, has their models and limits here, so that together they may use more than the organization could`,
    LiteLLM_ProjectTable: (count: number) =>
      `${count} projects: each of their keys has their models and limits here, so that together they may use more than the project could`,
  }
  for (const [table, sentence] of Object.entries(shared)) {
    const count = await countOf(source, table)
    if (count > 0) sentences.push(sentence(count))
  }
  const ofModels = await Promise.all(limitedByModel.map((table) => countLimitedByModel(source, table)))
  const limited = ofModels.reduce((sum, count) => sum + count, 0)
  if (limited > 0) sentences.push(`budgets of single models, at ${limited} keys, teams, users or budgets`)
  for (const [table, sentence] of others) {
    const count = await countOf(source, table)
    if (count > 0) sentences.push(`${count} ${sentence}`)
  }
  return sentences
}

async function countLimitedByModel(source: ReadableTable, table: string): Promise<number> {
  const column = 'model_max_budget'
  if (!source.tables.get(table)?.has(column)) return 0
  const shown = `cast(${source.database.quote(column)} as text)`
  return countOf(source, table, `${shown} is not null and ${shown} not in ('{}', 'null')`)
}
