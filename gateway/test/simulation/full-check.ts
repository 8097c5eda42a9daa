import { CompiledQuery, type DatabaseConnection } from 'kysely'

import type { Submitted } from './submitted'
import { must } from './law'

interface Consumption {
  readonly key: string
  readonly count: number
  readonly quota: number
  readonly prompt: number
  readonly completion: number
  readonly time: number
}

const sums = 'sum(prompt_tokens) as prompt, sum(completion_tokens) as completion, sum(use_time) as time'
const keyOf = (hour: string) =>
  `${hour} || '|' || user_id || '|' || token_name || '|' || model_name || '|' || channel_id || '|' || "group"`

const selectRollups = `select ${keyOf('hour')} as key, sum(count) as count, sum(quota) as quota, ${sums}
  from rollups where count > 0 group by 1`
const selectLogs = `select ${keyOf('(created_at - created_at % 3600)')} as key, count(*) as count, sum(quota) as quota, ${sums}
  from logs where type = 2 group by 1`
const selectChannels = 'select id, used_quota as used from channels'
const selectLogged = 'select request_id, count(*) as rows, sum(quota) as quota from logs where type = 2 group by 1'

/** Throws unless every counter and sum of logs, hours and channels agrees with the charges. */
export async function checkEverything(connection: DatabaseConnection, all: Iterable<Submitted>): Promise<void> {
  const rows = async <Row>(text: string) => (await connection.executeQuery<Row>(CompiledQuery.raw(text))).rows
  const charged = [...all].filter(({ isCharged }) => isCharged)
  const logged = charged.filter(({ record }) => record.isLogged)
  compare('hours are the sums of the charges', await rows<Consumption>(selectRollups), consumptionOf(charged))
  compare('log rows are the charges that are logged', await rows<Consumption>(selectLogs), consumptionOf(logged))

  const logs = await rows<{ request_id: string; rows: number; quota: number }>(selectLogged)
  const costs = new Map(logged.map(({ record }) => [record.requestId, record.cost]))
  const isOnce = logs.every((log) => log.rows === 1 && log.quota === costs.get(log.request_id))
  must(isOnce && logs.length === costs.size, 'each charge has one log row', () => [logs.length, costs.size])

  for (const channel of await rows<{ id: number; used: number }>(selectChannels)) {
    const used = charged.reduce((sum, { record }) => sum + (record.entry.channelId === channel.id ? record.cost : 0), 0)
    must(channel.used === used, 'a channel counts what it was used for', () => [channel, used])
  }
}

function consumptionOf(charged: readonly Submitted[]): Consumption[] {
  const byKey = Map.groupBy(charged, ({ record: { entry } }) =>
    [
      entry.createdAt - (entry.createdAt % 3600),
      entry.userId,
      entry.tokenName,
      entry.modelName,
      entry.channelId,
      entry.group,
    ].join('|'),
  )
  return [...byKey].map(([key, group]) => {
    const sum = (of: (submitted: Submitted) => number) => group.reduce((total, one) => total + of(one), 0)
    return {
      key,
      count: group.length,
      quota: sum(({ record }) => record.cost),
      prompt: sum(({ record }) => record.entry.promptTokens),
      completion: sum(({ record }) => record.entry.completionTokens),
      time: sum(({ record }) => record.entry.useTimeSeconds),
    }
  })
}

function compare(law: string, found: readonly Consumption[], expected: readonly Consumption[]): void {
  const expectedRows = new Map(expected.map((one) => [one.key, JSON.stringify(sorted(one))]))
  for (const one of found) {
    must(expectedRows.get(one.key) === JSON.stringify(sorted(one)), law, () => ({
      found: one,
      wanted: expectedRows.get(one.key),
    }))
    expectedRows.delete(one.key)
  }
  must(expectedRows.size === 0, law, () => ({ missing: [...expectedRows] }))
}

const sorted = ({ key, count, quota, prompt, completion, time }: Consumption) => ({
  key,
  count,
  quota,
  prompt,
  completion,
  time,
})
