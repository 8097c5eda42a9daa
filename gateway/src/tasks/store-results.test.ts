import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { eachDatabase } from '../../test/databases'
import { onceOf } from '../../test/kinds'
import { createTaskWorld, type TaskWorld } from '../../test/task-world'
import { pollTasks as pollJob } from '../app/jobs/poll-tasks'
import { storeResults as storeJob } from '../app/jobs/queue-jobs'
import { storeDueResults } from './store-results'
import { readResults } from './task-store'

const { signal } = new AbortController()
/** Longer than a worker's claim on the results of a task. */
const claimMs = 1_800_000

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  describe(`storing results (${kind})`, () => {
    let world: TaskWorld
    beforeAll(async () => {
      world = await createTaskWorld(kind)
    })
    afterAll(() => world[Symbol.asyncDispose]())
    beforeEach(() => world.relay.setOptions({ TaskResultStorage: 'folder' }))

    /** A task that has ended, whose only result is still at the vendor. */
    async function finishTask(): Promise<string> {
      world.suno.taskBook.next('at-once')
      const { public_id: id } = await world.submit()
      await world.poll()
      const sound = { kind: 'audio', url: `${world.suno.url}/files/${id}` }
      await world.ctx.database.query
        .updateTable('tasks')
        .set({ results: JSON.stringify([sound]) })
        .where('public_id', '=', id)
        .execute()
      return id
    }
    const isStored = async (id: string) => readResults(await world.row(id))[0]?.kept !== undefined
    const downloads = (ids: readonly string[]) =>
      world.suno.requests.filter(({ call }) => ids.some((id) => call === `GET /files/${id}`)).length

    test('many tasks are each fetched once by workers that look at the same time', async () => {
      const ids: string[] = []
      for (let count = 0; count < 12; count += 1) ids.push(await finishTask())
      await Promise.all([storeDueResults(world.ctx, signal), storeDueResults(world.ctx, signal)])
      expect(downloads(ids)).toBe(ids.length)
      for (const id of ids) {
        expect(await isStored(id)).toBe(true)
        expect(await world.row(id)).toMatchObject({ status: 'SUCCESS', poll_at: null, losses: 0 })
      }
    })

    test('the job finds what is due, and the poller leaves it alone', async () => {
      const id = await finishTask()
      const { polls } = await world.row(id)
      const requestCount = world.suno.requests.length
      await pollJob(world.ctx).run(signal)
      await world.poll(0)
      expect(world.suno.requests.length).toBe(requestCount)
      expect(await world.row(id)).toMatchObject({ polls, status: 'SUCCESS' })
      await storeJob(world.ctx).run(signal)
      expect(await isStored(id)).toBe(true)
      await storeJob(world.ctx).run(signal)
      expect(downloads([id])).toBe(1)
    })

    once('results are fetched at the very millisecond that they are due, and not before', async () => {
      const id = await finishTask()
      const due = (at: number) =>
        world.ctx.database.query.updateTable('tasks').set({ poll_at: at }).where('public_id', '=', id).execute()
      await due(world.clock.now() + 1)
      await storeDueResults(world.ctx, signal)
      expect(await isStored(id)).toBe(false)
      await due(world.clock.now())
      await storeDueResults(world.ctx, signal)
      expect(await isStored(id)).toBe(true)
    })

    once('tasks that are open are not touched, however long they have been due', async () => {
      const { public_id: id } = await world.submit()
      world.clock.advance(60_000)
      const before = await world.row(id)
      await storeJob(world.ctx).run(signal)
      await storeDueResults(world.ctx, signal)
      expect(await world.row(id)).toEqual(before)
    })

    once('a result whose worker died is fetched by another one when the claim has expired', async () => {
      const id = await finishTask()
      const { query } = world.ctx.database
      await query
        .updateTable('tasks')
        .set({ poll_at: world.clock.now() + claimMs })
        .where('public_id', '=', id)
        .execute()
      await storeDueResults(world.ctx, signal)
      expect(await isStored(id)).toBe(false)
      world.clock.advance(claimMs)
      await storeDueResults(world.ctx, signal)
      expect(await isStored(id)).toBe(true)
    })
  })
}
