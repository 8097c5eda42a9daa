import { beforeEach, expect, test } from 'bun:test'

import { onDatabase } from '../../../test/databases'
import { addUpHours } from '../../../test/sums'
import { consumption } from './consumption'

const hour = 3600
const start = 1_800_000_000 - (1_800_000_000 % 86_400)
const hours = 24
const users = 150
const limit = 5
const span = { from: start - 5 * hour, before: start + (hours - 5) * hour }

/** Deterministic, in no apparent order. */
const mix = (user: number, at: number) => (user * 7919 + at * 10_473 + user * at * 31) % 1000

/** What a user uses in an hour. */
const sites: Record<string, (user: number, at: number) => number> = {
  'a few use the most': (user, at) => (user < 20 ? 40_000 - user * 900 : 0) + mix(user, at),
  'all use about the same': (user, at) => 5000 + mix(user, at),
  'all use the same': () => 7,
  'each uses all of it in one hour': (user, at) => (user % hours === at ? 1 + mix(user, 1) * 100 : 0),
  'the largest use most in the hours not added up yet': (user, at) => (user > 145 && at > hours - 3 ? 90_000 : user),
  'the largest is never among the largest of an hour': (user, at) => {
    if (user === users - 1) return at < 6 ? 900 : 0
    return Math.floor(user / 24) === at ? 1000 : 0
  },
  'most use next to nothing': (user, at) => (user % 20 === 0 ? 9000 - user : mix(user, at) % 5),
  'the last of the largest is below what a few use by a factor of hundreds': (user, at) => {
    if (user < 3) return 1_000_000 + user
    return user < 6 ? 9000 - user : mix(user, at)
  },
  'some use less each hour than is looked at, and more in total than those who used all in one': (user, at) => {
    if (user < 3) return 1_000_000
    if (user < 5) return at === 1 ? 50_000 : 0
    return user < 10 ? 2900 : 1
  },
  'one uses a part of its quota in an hour of its own, and most in others that are not looked at': (user, at) => {
    if (user < 3) return 1_000_000
    if (user < 5) return at === 1 ? 120_000 : 0
    return user === 5 ? (at === 1 ? 60_000 : 2900) : 1
  },
  'no one used any': () => 0,
}

for (const kind of ['sqlite', 'postgres'] as const)
  onDatabase(kind, 'the chart by user of a site with many', (world) => {
    beforeEach(async () => {
      const { query } = world().database
      await query.deleteFrom('rollups').execute()
      await query.updateTable('sum_progress').set({ until: 0 }).execute()
    })

    const rest = { token_name: 'main', model_name: 'm', channel_id: 1, group: 'default' }
    const figures = { errors: 0, prompt_tokens: 3, completion_tokens: 4, use_time: 1 }

    /** All hours except the last two are added up. */
    async function fill(quotaOf: (user: number, at: number) => number) {
      const { query } = world().database
      for (let at = 0; at < hours; at += 8) {
        const rows = Array.from({ length: 8 * users }, (_, index) => {
          const user = Math.floor(index / 8)
          const quota = quotaOf(user, at + (index % 8))
          const place = { hour: span.from + (at + (index % 8)) * hour, user_id: user }
          return { ...rest, ...figures, ...place, quota, count: 1 + (user % 3) }
        })
        await query.insertInto('rollups').values(rows).execute()
      }
      await addUpHours(world().database, span.before - 2 * hour)
    }

    const totalOf = (user: number, quotaOf: (user: number, at: number) => number) =>
      Array.from({ length: hours }, (_, at) => quotaOf(user, at)).reduce((sum, quota) => sum + quota, 0)

    // Which users are the largest is computed here: the other database only has to run the same statements.
    const shown = Object.entries(sites).slice(0, kind === 'sqlite' ? undefined : 2)
    // A filter is answered from the hours only, so one kind of site is enough for it.
    const cases = [
      ...shown.map(([site, quotaOf]) => [site, 'everything', quotaOf, {}] as const),
      ['a few use the most', 'a model', sites['a few use the most'] ?? (() => 0), { modelName: 'm' }] as const,
    ]
    test.each(cases)('the chart is exact: %s, of %s', async (_, __, quotaOf, filter) => {
      await fill(quotaOf)
      const expected = Array.from({ length: users }, (_, user) => ({
        id: user,
        quota: totalOf(user, quotaOf),
        count: hours * (1 + (user % 3)),
      }))
      const order = expected.toSorted(
        (one, other) => other.quota - one.quota || other.count - one.count || one.id - other.id,
      )
      const consumptionQuery = { filter, span, granularity: 'day', utcOffset: 480, grouping: 'user', limit } as const
      const data = await consumption(world().database.query, consumptionQuery)
      const { series, totals } = data
      expect(series.slice(0, limit).map(({ id, quota, count }) => ({ id, quota, count }))).toEqual(
        order.slice(0, limit),
      )
      const sum = (of: 'quota' | 'count') => expected.reduce((all, user) => all + user[of], 0)
      const left = order.slice(limit).reduce((all, { quota }) => all + quota, 0)
      expect(totals).toMatchObject({ quota: sum('quota'), count: sum('count'), prompt_tokens: 3 * hours * users })
      expect(series.at(-1)).toMatchObject({ is_other: true, quota: left })
      for (const one of series) expect(one.by_time.quota.reduce((all, quota) => all + quota, 0)).toBe(one.quota)
      await addUpHours(world().database, span.before)
      expect(await consumption(world().database.query, consumptionQuery)).toEqual(data)
    })
  })
