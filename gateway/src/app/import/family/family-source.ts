import { z } from 'zod'

import type { SiteSource, Totals } from '../site-source'
import { countOf, maxOf, minOf, noPages, readTable, sumOf, type ReadableTable } from '../source/read-table'
import type { SourceDatabase } from '../source/source-database'
import { text } from '../source/values'
import { lineageOf } from './lineage'
import { readChannels } from './read-channels'
import { readCodes, readCodeUses } from './read-codes'
import { readPasskeys, readTotpFactors } from './read-factors'
import { readHours, readLogs } from './read-logs'
import { readPlans, readSubscriptions } from './read-plans'
import { isPaid, readTopUps } from './read-top-ups'
import { readTokens } from './read-tokens'
import { readUsers } from './read-users'

const Option = z.object({ key: text, value: text })

/** Returns a site of one-api or a product that descends from it. @throws ImportError where the database is of none. */
export async function familySource(database: SourceDatabase, nowSeconds: number): Promise<SiteSource> {
  const tables = await database.tables()
  const lineage = lineageOf(tables)
  const source: ReadableTable = { database, tables }
  return {
    product: lineage,
    async options() {
      const options = new Map<string, string>()
      for await (const rows of readTable(source, { table: 'options', key: 'key', schema: Option }))
        for (const { key, value } of rows) options.set(key, value)
      return options
    },
    users: () => readUsers(source, lineage, nowSeconds),
    tokens: () => readTokens(source),
    channels: () => readChannels(source, lineage),
    codes: () => readCodes(source),
    codeUses: () => readCodeUses(source),
    totpFactors: () => readTotpFactors(source),
    passkeys: () => readPasskeys(source),
    plans: () => readPlans(source),
    subscriptions: () => readSubscriptions(source, nowSeconds),
    topUps: () => readTopUps(source),
    windows: noPages,
    hours: () => readHours(source),
    totals: () => totalsOf(source),
    leftBehind: () => leftBehind(source, nowSeconds),
    identity: () => identityOf(source),
    lastIds: async () => ({
      users: Math.max(await maxOf(source, 'users', 'id'), await maxOf(source, 'logs', 'user_id')),
      tokens: Math.max(await maxOf(source, 'tokens', 'id'), await maxOf(source, 'logs', 'token_id')),
      channels: Math.max(await maxOf(source, 'channels', 'id'), await maxOf(source, 'logs', 'channel_id')),
      redemption_codes: await maxOf(source, 'redemptions', 'id'),
      logs: await maxOf(source, 'logs', 'id'),
      plans: await maxOf(source, 'subscription_plans', 'id'),
      subscriptions: await maxOf(source, 'user_subscriptions', 'id'),
    }),
    firstLogSince: (moment) => minOf(source, 'logs', 'created_at', `created_at >= ${Math.max(moment, 1)}`),
    lastLogBefore: async (moment) => (await maxOf(source, 'logs', 'created_at', `created_at < ${moment}`)) || null,
    logsBetween: (from, until) => readLogs(source, lineage, { from, until }),
    close: () => database.close(),
  }
}

async function totalsOf(source: ReadableTable): Promise<Totals> {
  return {
    users: await countOf(source, 'users'),
    'quota of users': await sumOf(source, 'users', 'quota'),
    'used quota of users': await sumOf(source, 'users', 'used_quota'),
    'requests of users': await sumOf(source, 'users', 'request_count'),
    keys: await countOf(source, 'tokens'),
    'rest of keys': await sumOf(source, 'tokens', 'remain_quota'),
    'used quota of keys': await sumOf(source, 'tokens', 'used_quota'),
    channels: await countOf(source, 'channels'),
    'used quota of channels': await sumOf(source, 'channels', 'used_quota'),
    'redemption codes': await countOf(source, 'redemptions'),
  }
}

/** Invitation codes are random, and stay. */
async function identityOf({ database, tables }: ReadableTable): Promise<string> {
  const quote = (name: string) => database.quote(name)
  const column = tables.get('users')?.has('aff_code') ? 'aff_code' : 'username'
  const rows = await database.select(`select ${quote(column)} as name from users order by id limit 10`)
  return rows.map(({ name }) => String(name).trim()).join(' ')
}

/** Tables whose rows are not carried over, and what an operator does instead. */
const others: readonly (readonly [table: string, sentence: string])[] = [
  ['midjourneys', 'drawings: their history stays in the source'],
  ['tasks', 'tasks: their history stays in the source'],
  ['messages', 'broadcast messages: they stay in the source'],
  ['checkins', 'check-ins: balances have them; users can check in again on the day of the import'],
  ['two_fa_backup_codes', 'recovery codes: the source has only their hashes; users make new ones'],
  ['custom_oauth_providers', 'custom sign-in providers: set one up as OIDC in the settings'],
  ['user_oauth_bindings', 'accounts at custom sign-in providers: users link them again'],
  ['subscription_orders', 'orders of plans: their history stays in the source'],
  ['casbin_rule', 'rights of single administrators: grant them under Users'],
]

async function leftBehind(source: ReadableTable, nowSeconds: number): Promise<string[]> {
  const sentences: string[] = []
  const unpaid = (await countOf(source, 'top_ups')) - (await countOf(source, 'top_ups', isPaid))
  if (unpaid > 0) sentences.push(`${unpaid} orders of top-ups that were not paid: they stay in the source`)
  for (const [table, sentence] of others) {
    const count = await countOf(source, table)
    if (count > 0) sentences.push(`${count} ${sentence}`)
  }
  const unplaced = await countOf(source, 'logs', `created_at is null or created_at < 1 or created_at > ${nowSeconds}`)
  if (unplaced > 0)
    sentences.push(`${unplaced} log rows without a time, or with one in the future: they stay in the source`)
  let running = 0
  for await (const page of readSubscriptions(source, nowSeconds)) running += page.length
  const ended = (await countOf(source, 'user_subscriptions')) - running
  if (ended > 0) sentences.push(`${ended} subscriptions that have ended: their history stays in the source`)
  return sentences
}
