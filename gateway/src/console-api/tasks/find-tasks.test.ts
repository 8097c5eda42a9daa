import { beforeAll, expect, test } from 'bun:test'

import { loggedPlatforms, taskPlatforms, taskRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import { aTask } from '../../../test/a-task'
import { onBothDatabases } from '../../../test/databases'
import { recordQueries, wholeReads } from '../../../test/plans'
import { findTasks } from './find-tasks'
import type { TaskFilter } from './task-filter'

const everything: TaskFilter = { platforms: loggedPlatforms, userId: undefined, isOwn: false }

const filters: Readonly<Record<string, TaskFilter>> = {
  'all of a platform': { ...everything, platforms: ['mj'] },
  'all platforms': everything,
  'a user’s own': { ...everything, userId: 7, isOwn: true },
  'a user’s within a time': { ...everything, userId: 7, from: 100, to: 500 },
  'a channel’s': { ...everything, channelId: 3 },
  'one task': { ...everything, publicId: 'task-7' },
  'some rows': { ...everything, ids: [7, 8, 9] },
  'some rows of a user': { ...everything, userId: 7, ids: [7, 8, 9] },
  'one task of a channel': { ...everything, channelId: 3, publicId: 'task-7' },
  'an action that no task has': { ...everything, action: 'REMIX' },
  'the dearest of all platforms': { ...everything, sort: 'cost', isDescending: true },
  'the slowest of a user': { ...everything, userId: 7, isOwn: true, sort: 'duration', isDescending: true },
  'failed ones of a time': { ...everything, status: 'FAILURE', from: 100, to: 500 },
}

onBothDatabases('tasks are found by an index', (world, once) => {
  beforeAll(async () => {
    const rows = Array.from({ length: 2000 }, (_, index) =>
      aTask({
        public_id: `task-${index}`,
        platform: taskPlatforms[index % 5],
        user_id: index % 20,
        channel_id: index % 7,
        status: index % 9 === 0 ? 'FAILURE' : 'SUCCESS',
        submitted_at: index,
        finished_at: index % 10 === 0 ? 0 : index + (index % 100),
        quota: index % 50 === 0 ? index : 0,
        prompt: 'x'.repeat(200),
      }),
    )
    const { query, kind } = world().database
    for (let from = 0; from < rows.length; from += 400)
      await query
        .insertInto('tasks')
        .values(rows.slice(from, from + 400))
        .execute()
    if (kind === 'postgres') await sql`vacuum analyze tasks`.execute(query)
  })

  test.each(Object.keys(filters))('%s', async (name) => {
    const { query, plans } = recordQueries(world().database)
    const filter = filters[name] ?? everything
    await findTasks(query, filter, { page: 0, size: 20, offset: 0 })
    for (const plan of await plans())
      expect(plan.map((line) => [line, wholeReads([line], 'tasks')])).toEqual(plan.map((line) => [line, 0]))
  })

  test.each(['some rows of a user', 'one task of a channel'])(
    '%s: no index of the owner or the channel is read',
    async (name) => {
      const { query, plans } = recordQueries(world().database)
      await findTasks(query, filters[name] ?? everything, { page: 0, size: 20, offset: 0 })
      for (const plan of await plans()) expect(plan.join('\n')).not.toMatch(/tasks_of_|tasks_by_/)
    },
  )

  test('tasks of an action are counted by an index that begins with it', async () => {
    const { query, plans } = recordQueries(world().database)
    await findTasks(query, filters['an action that no task has'] ?? everything, { page: 0, size: 20, offset: 0 })
    expect((await plans()).flat().join('\n')).toContain('tasks_by_action')
  })

  test('pages follow one another across platforms, newest first', async () => {
    const pages = await Promise.all(
      [0, 1, 2].map((page) => findTasks(world().database.query, everything, { page, size: 7, offset: page * 7 })),
    )
    const times = pages.flatMap(({ rows }) => rows.map(({ submitted_at: at }) => at))
    const expected = Array.from({ length: 2000 }, (_, index) => 1999 - index).filter((index) => index % 5 !== 0)
    expect(times).toEqual(expected.slice(0, 21))
    const last = await findTasks(world().database.query, everything, { page: 228, size: 7, offset: 228 * 7 })
    expect(last.rows.map(({ submitted_at: at }) => at)).toEqual([4, 3, 2, 1])
    expect(pages[0]).toMatchObject({ total: 1600, isTotalLowerBound: false })
  })

  once('a search over no platform finds no task, also where one is named', async () => {
    for (const named of [{}, { publicId: 'a' }, { ids: [1] }])
      expect(
        await findTasks(
          world().database.query,
          { ...everything, platforms: [], ...named },
          { page: 0, size: 7, offset: 0 },
        ),
      ).toEqual({ rows: [], total: 0, isTotalLowerBound: false })
  })

  test('tasks are sorted by cost and by duration; one that has not ended comes last either way', async () => {
    const sorted = async (filter: Partial<TaskFilter>, offset = 0) => {
      const page = { page: 0, size: 3, offset }
      const { rows } = await findTasks(world().database.query, { ...everything, platforms: ['mj'], ...filter }, page)
      return rows.map(({ submitted_at: at }) => at)
    }
    expect(await sorted({ sort: 'cost', isDescending: true })).toEqual([1950, 1900, 1850])
    expect(await sorted({ sort: 'cost', isDescending: true }, 3)).toEqual([1800, 1750, 1700])
    expect(await sorted({ sort: 'duration', isDescending: true })).toEqual([1995, 1895, 1795])
    expect(await sorted({ sort: 'duration' })).toEqual([1905, 1805, 1705])
    expect((await sorted({ sort: 'duration' }, 398))[0]).toBe(10)
  })

  once('rows beyond the counted ones are not reached', async () => {
    const { maxCountedTasks: limit } = taskRoutes
    const { rows } = await findTasks(world().database.query, everything, { page: 0, size: 20, offset: limit })
    expect(rows).toEqual([])
  })
})
