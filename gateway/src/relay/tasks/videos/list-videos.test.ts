import { beforeAll, expect, test } from 'bun:test'

import { aTask } from '../../../../test/a-task'
import { onBothDatabases } from '../../../../test/databases'
import { removeTask } from '../../../tasks/task-store'
import { listVideos, readPage } from './list-videos'

onBothDatabases('a list of videos', (world) => {
  const idsIn = async (query: string, userId = 1) => {
    const page = await listVideos(world().database.query, readPage(query, { userId, tokenId: null }), 'en')
    const data = page['data']
    return { ids: Array.isArray(data) ? data.map((video: { id: string }) => video.id) : [], more: page['has_more'] }
  }

  beforeAll(async () => {
    const video = { platform: 'video', action: 'GENERATE', model: 'wan2.7-t2v' }
    const at = (time: number) => ({ submitted_at: 1_800_000_000_000 + time })
    await world()
      .database.query.insertInto('tasks')
      .values([
        aTask({ ...video, public_id: 'first', ...at(0) }),
        aTask({ ...video, public_id: 'second', ...at(1) }),
        aTask({ ...video, public_id: 'third', ...at(1) }),
        aTask({ ...video, public_id: 'fourth', ...at(2) }),
        aTask({ ...video, public_id: 'of another', user_id: 2 }),
        aTask({ public_id: 'a song', ...at(3) }),
      ])
      .execute()
  })

  test('a page goes on after its cursor in either order, also among videos of one moment', async () => {
    expect(await idsIn('')).toEqual({ ids: ['fourth', 'third', 'second', 'first'], more: false })
    expect(await idsIn('?limit=2')).toEqual({ ids: ['fourth', 'third'], more: true })
    expect(await idsIn('?limit=2&after=third')).toEqual({ ids: ['second', 'first'], more: false })
    expect(await idsIn('?order=asc&limit=1&after=second')).toEqual({ ids: ['third'], more: true })
    expect(await idsIn('', 2)).toEqual({ ids: ['of another'], more: false })
  })

  test('a page shows no removed videos, and its cursor is never one of others', async () => {
    const { id } = await world()
      .database.query.selectFrom('tasks')
      .select('id')
      .where('public_id', '=', 'third')
      .executeTakeFirstOrThrow()
    await removeTask(world().database.query, id, 1)
    expect((await idsIn('')).ids).toEqual(['fourth', 'second', 'first'])
    expect(idsIn('?after=of%20another')).rejects.toThrow('there is no such video')
    expect(() => readPage('?limit=101', { userId: 1, tokenId: null })).toThrow('expected a number from 1 to 100')
    expect(() => readPage('?order=up', { userId: 1, tokenId: null })).toThrow('expected asc or desc')
  })
})
