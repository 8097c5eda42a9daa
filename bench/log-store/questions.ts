import type { Page } from '@tollgate/contract'

import type { Queries } from '../../gateway/src/platform/store/database'
import type { LogFilter } from '../../gateway/src/billing/usage-log/log-filter'
import { logStat } from '../../gateway/src/billing/usage-log/log-stat'
import type { LogStore } from '../../gateway/src/billing/usage-log/log-store'
import { joinCalls } from '../../gateway/src/billing/usage-log/join-calls'
import type { LogOrder } from '../../gateway/src/billing/usage-log/sort-logs'

/** A log, and the database that has the sums of its site. */
export interface ComparedLog {
  readonly logs: LogStore
  readonly query: Queries
}

/** What a page of the console asks of the log. */
export interface Question {
  readonly name: string
  readonly read: (log: ComparedLog) => Promise<unknown>
}

const daySeconds = 86_400
/** Both read to the end. */
const unlimited = { milliseconds: Infinity }
const pageOf = (page: number, size = 20): Page => ({ page, size, offset: (page - 1) * size })

/** Returns all questions about a log that `bench:fill` has made of the 90 days before a moment (Unix seconds). */
export function questionsAt(now: number): readonly Question[] {
  const lists: Readonly<Record<string, LogFilter>> = {
    everything: {},
    'a user with a tenth of all calls': { userId: 2 },
    'a user with few calls': { userId: 5000 },
    'a user and a model': { userId: 2, modelName: 'model-27' },
    'failed calls': { type: 6 },
    'a user with failed calls': { userId: 3 },
    'failed calls of a user': { userId: 3, type: 6 },
    'failed calls of a user without any': { userId: 2, type: 6 },
    'a channel and a model': { channelId: 11, modelName: 'model-27' },
    'a pattern of models': { modelName: '%-1%', group: 'vip' },
    'a week': { from: now - 30 * daySeconds, to: now - 23 * daySeconds },
  }
  const searches: Readonly<Record<string, LogFilter>> = {
    'a request': { requestId: 'req5000' },
    'an error code of a user': { userId: 2, errorCode: 'upstream.busy' },
    'calls of 39 seconds': { minUseTime: 39, userId: 2 },
    'calls at a cost': { minQuota: 5800 },
    'a model that no one has': { modelName: 'no-such-model' },
  }
  const orders: Readonly<Record<string, readonly [LogFilter, LogOrder]>> = {
    'by cost': [{}, { sort: 'cost', isDescending: true }],
    'a user by cost': [{ userId: 2 }, { sort: 'cost', isDescending: true }],
    'by duration': [{}, { sort: 'duration', isDescending: true }],
    'a week by tokens': [
      { from: now - 30 * daySeconds, to: now - 23 * daySeconds },
      { sort: 'tokens', isDescending: false },
    ],
  }
  const sums: Readonly<Record<string, LogFilter>> = {
    everything: {},
    'slow calls': { minUseTime: 30 },
    'slow calls of a user': { minUseTime: 30, userId: 2 },
    'failed calls': { type: 6 },
    'a part of an hour': { from: now - 40 * daySeconds - 1000, to: now - 40 * daySeconds + 700 },
  }
  return [
    ...Object.entries(lists).flatMap(([name, filter]) => [
      list(`list: ${name}`, { ...filter, isJoined: true }, pageOf(1)),
      ...(filter.type === undefined ? [] : [list(`rows: ${name}`, filter, pageOf(1))]),
    ]),
    list('list: page 100 of everything', { isJoined: true }, pageOf(100, 100)),
    list('list: page 1000 of a user', { userId: 2, isJoined: true }, pageOf(1000, 100)),
    ...Object.entries(searches).map(([name, filter]) =>
      list(`search: ${name}`, { ...filter, isJoined: true }, pageOf(1)),
    ),
    ...Object.entries(orders).map(([name, [filter, order]]): Question => ({
      name: `sorted: ${name}`,
      read: ({ logs }) => logs.sort({ ...filter, isJoined: true }, pageOf(2), order, unlimited),
    })),
    ...Object.entries(sums).map(([name, filter]): Question => ({
      name: `sum: ${name}`,
      read: ({ logs }) => logs.sum(filter),
    })),
    stat('everything', {}, now),
    stat('a user', { userId: 2 }, now),
    stat('slow calls of a day', { minUseTime: 30, from: now - daySeconds }, now),
    {
      name: 'dashboard: charged calls of the last hours',
      read: async ({ logs }) => (await logs.hours(now - 5 * 3600)).toSorted((one, other) => one.hour - other.hour),
    },
    { name: 'a channel: what the gateway did', read: ({ logs }) => logs.channelEvents(11, now - 7 * daySeconds, 20) },
    { name: 'a row by its id', read: ({ logs }) => logs.find(4321) },
  ]
}

const list = (name: string, filter: LogFilter, page: Page): Question => ({
  name,
  async read({ logs }) {
    const found = await logs.list(filter, page, unlimited)
    return { ...found, items: await joinCalls(logs, found.items) }
  },
})

const stat = (name: string, filter: LogFilter, now: number): Question => ({
  name: `stat: ${name}`,
  read: ({ logs, query }) => logStat(query, filter, now, Infinity, logs),
})
