import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { eachDatabase } from '../../test/databases'
import { onceOf } from '../../test/kinds'
import { eventually } from '../../test/eventually'
import { booksOf } from '../../test/ledger'
import { createTaskWorld, songApi, songPrice, type TaskWorld } from '../../test/task-world'
import { differencesIn } from '../app/commands/differences'
import { UpstreamError } from '../channels/calls/upstream-error'
import { Leader } from '../app/jobs/jobs'
import { pollTasks as pollJob } from '../app/jobs/poll-tasks'
import { applyReport } from './apply-report'
import { acceptTask } from './begin-task'
import { canCancel } from './cancel-task'
import { claimTasks, pollTaskNow } from './claim-tasks'
import { pollTasks } from './poll-tasks'
import { accountOf } from './task-account'
import { readTerms } from './task-terms'

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  describe(`tasks (${kind})`, () => {
    let world: TaskWorld
    beforeAll(async () => {
      world = await createTaskWorld(kind)
    })
    afterAll(() => world[Symbol.asyncDispose]())

    const rich = 1_000_000
    /** A key of a new user of this wealth. */
    const owner = async (quota = rich, values = {}) => {
      const userId = await world.relay.addUser(quota)
      return { userId, key: await world.relay.addToken(userId, values) }
    }
    const books = (userId: number) => booksOf(world.ctx.database, userId)
    const differences = () => differencesIn(world.ctx.database.query, world.clock.seconds())

    test('a task is held while it runs and charged once when it is done', async () => {
      const { userId, key } = await owner()
      const { public_id: id } = await world.submit({}, key)
      expect(await world.row(id)).toMatchObject({ status: 'SUBMITTED', progress: 0, channel_name: 'songs', quota: 0 })
      expect(await books(userId)).toMatchObject({ free: rich - songPrice, held: songPrice, used: 0 })
      await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'QUEUED' })
      await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'IN_PROGRESS', progress: 50 })
      await world.poll()
      const row = await world.row(id)
      expect(row).toMatchObject({ status: 'SUCCESS', progress: 100, quota: songPrice, poll_at: null })
      expect(JSON.parse(row.results)).toEqual([{ kind: 'audio', url: expect.stringContaining('.mp3') }])
      await world.poll()
      expect(await books(userId)).toMatchObject({ free: rich - songPrice, held: 0, used: songPrice, charges: 1 })
      const [log] = (await world.relay.logs()).filter(({ request_id }) => request_id === id)
      expect(log).toMatchObject({ type: 2, model_name: 'suno_music', quota: songPrice, user_id: userId })
      expect(JSON.parse(log?.other ?? '')).toMatchObject({ task_id: id, model_price: 0.1 })
      expect(await differences()).toEqual([])
    })

    once('a task that fails says why and gives its hold back to wallet and key', async () => {
      const { userId, key } = await owner(rich, { unlimited_quota: 0, remain_quota: 60_000 })
      world.suno.taskBook.next('fail')
      const { public_id: id, token_id: tokenId } = await world.submit({}, key)
      expect((await world.ctx.ledger.tokenBalanceOf([tokenId])).get(tokenId)).toBe(10_000)
      for (let step = 0; step < 3; step += 1) await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'FAILURE', fail_reason: 'The song could not be made' })
      expect(await books(userId)).toMatchObject({ free: rich, held: 0, used: 0 })
      expect((await world.ctx.ledger.tokenBalanceOf([tokenId])).get(tokenId)).toBe(60_000)
    })

    once('a vendor that changes its mind after the end changes nothing', async () => {
      const { userId, key } = await owner()
      world.suno.taskBook.next('at-once')
      const { public_id: id } = await world.submit({}, key)
      await world.poll()
      const done = await world.row(id)
      const late = { status: 'failure', progress: 0, failReason: 'no' } as const
      await applyReport(world.ctx, { ...done, status: 'IN_PROGRESS' }, late, [])
      await applyReport(world.ctx, { ...done, status: 'IN_PROGRESS' }, { status: 'success', progress: 100 }, [])
      await applyReport(world.ctx, { ...done, status: 'IN_PROGRESS' }, { status: 'queued', progress: 1 }, [])
      expect(await world.row(id)).toEqual(done)
      expect(await books(userId)).toMatchObject({ used: songPrice, held: 0, charges: 1 })
    })

    once('an answer that is given twice is charged once', async () => {
      const { userId, key } = await owner()
      world.suno.isStuttering = true
      world.suno.taskBook.next('at-once')
      await world.submit({}, key)
      await world.poll()
      world.suno.isStuttering = false
      expect(await books(userId)).toMatchObject({ used: songPrice, held: 0, charges: 1 })
    })

    once('a task that its vendor forgets fails after it was not known five times', async () => {
      const { userId, key } = await owner()
      world.suno.taskBook.next('forget')
      const { public_id: id } = await world.submit({}, key)
      for (let step = 0; step < 5; step += 1) await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'QUEUED', losses: 4 })
      await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'FAILURE', fail_reason: '{"code":"task.lost"}' })
      expect(await books(userId)).toMatchObject({ free: rich, held: 0 })
    })

    test('a task that is asked about by itself fails after its vendor did not know it five times in succession', async () => {
      await using alone = await createTaskWorld(kind, { suno: { ...songApi, batch: 1 } })
      const { public_id: id, user_id: userId } = await alone.submit()
      const pollWith = async (status: number | null) => {
        alone.suno.broken = status
        await alone.poll()
      }
      for (let step = 0; step < 4; step += 1) await pollWith(404)
      await pollWith(500)
      expect(await alone.row(id)).toMatchObject({ status: 'SUBMITTED', losses: 4 })
      await pollWith(null)
      expect(await alone.row(id)).toMatchObject({ status: 'QUEUED', losses: 0 })
      for (let step = 0; step < 5; step += 1) await pollWith(404)
      expect(await alone.row(id)).toMatchObject({ status: 'FAILURE', fail_reason: '{"code":"task.lost"}' })
      expect(await booksOf(alone.ctx.database, userId)).toMatchObject({ held: 0, used: 0 })
    })

    once('a task can be cancelled where its vendor has it, stops it, and its channel is still there', async () => {
      const row = await world.row((await world.submit({}, (await owner()).key)).public_id)
      expect(canCancel(world.ctx, row)).toBe(true)
      expect(canCancel(world.ctx, { ...row, status: 'SUCCESS' })).toBe(false)
      expect(canCancel(world.ctx, { ...row, vendor_id: '' })).toBe(false)
      expect(canCancel(world.ctx, { ...row, channel_id: 9999 })).toBe(false)
      const { cancel: _, ...withoutCancel } = songApi
      await using other = await createTaskWorld('sqlite', { suno: withoutCancel })
      expect(canCancel(other.ctx, await other.row((await other.submit()).public_id))).toBe(false)
    })

    once('a task that hangs is given up at its deadline, after it was asked about a last time', async () => {
      const { userId, key } = await owner()
      world.suno.taskBook.next('hang')
      const { public_id: id } = await world.submit({}, key)
      await world.poll(599_999)
      expect(await world.row(id)).toMatchObject({ status: 'IN_PROGRESS', progress: 10 })
      await world.poll(20_000)
      expect(await world.row(id)).toMatchObject({ status: 'FAILURE', fail_reason: '{"code":"task.timeout"}' })
      expect(await books(userId)).toMatchObject({ free: rich, held: 0 })
    })

    once('a task that has taken long is asked about less often, and at its deadline at the latest', async () => {
      const { key } = await owner()
      world.suno.taskBook.next('hang')
      const { public_id: id } = await world.submit({}, key)
      const pauses: number[] = []
      for (const ms of [100_000, 300_000, 180_000]) {
        await world.poll(ms)
        const { poll_at: next } = await world.row(id)
        pauses.push(Math.floor(((next ?? 0) - world.clock.now()) / 1000))
      }
      expect(pauses).toEqual([10, 40, 20])
    })

    once('a vendor that is out of order delays its tasks and ends none', async () => {
      const { key } = await owner()
      const { public_id: id } = await world.submit({}, key)
      world.suno.broken = 500
      await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'SUBMITTED', losses: 0 })
      world.suno.broken = null
      for (let step = 0; step < 3; step += 1) await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'SUCCESS' })
    })

    test('a refused submission is not charged and shows the vendor’s reason', async () => {
      const { userId, key } = await owner()
      world.suno.taskBook.next('refuse')
      expect(await world.submit({}, key).catch((error: unknown) => error)).toBeInstanceOf(UpstreamError)
      const rows = await world.ctx.database.query
        .selectFrom('tasks')
        .select(['status', 'fail_reason', 'vendor_id'])
        .where('user_id', '=', userId)
        .execute()
      expect(rows).toEqual([{ status: 'FAILURE', fail_reason: 'The lyrics are refused', vendor_id: '' }])
      expect(await books(userId)).toMatchObject({ free: rich, held: 0, charges: 0 })
    })

    once('a task that the balance does not cover is refused before any vendor hears of it', async () => {
      const { key } = await owner(songPrice - 1)
      const before = world.suno.requests.length
      expect(await world.submit({}, key).catch((error: unknown) => error)).toMatchObject({ code: 'quota.user' })
      expect(world.suno.requests.length).toBe(before)
    })

    once('a submission whose worker died is given up, and a vendor’s late acceptance is not charged', async () => {
      const { userId, key } = await owner()
      const { public_id: id, vendor_id: vendorId, channel_id: channelId } = await world.submit({}, key)
      const account = accountOf(world.ctx, await world.row(id))
      if (!account) throw new Error(`No channel ${channelId}`)
      await world.ctx.database.query
        .updateTable('tasks')
        .set({ status: 'NOT_START', vendor_id: '', channel_id: 0 })
        .where('public_id', '=', id)
        .execute()
      await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'FAILURE', fail_reason: '{"code":"task.interrupted"}' })
      const acceptance = {
        account,
        protocol: songApi,
        accepted: { kind: 'accepted', vendorId },
        terms: readTerms('{}'),
      } as const
      expect(await acceptTask(world.ctx, id, acceptance)).toBeNull()
      expect(await books(userId)).toMatchObject({ free: rich, held: 0 })
    })

    once('a task whose channel is gone ends with the reason', async () => {
      const { userId, key } = await owner()
      const { public_id: id, channel_id: channelId } = await world.submit({}, key)
      await world.ctx.database.query
        .updateTable('tasks')
        .set({ channel_id: 9999 })
        .where('public_id', '=', id)
        .execute()
      await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'FAILURE', fail_reason: '{"code":"task.channel_gone"}' })
      expect(await books(userId)).toMatchObject({ free: rich, held: 0 })
      expect(channelId).toBePositive()
    })

    test('a claimed task is due again at its next poll, or at once after a callback, whatever became of its poller', async () => {
      const { key } = await owner()
      const { public_id: id } = await world.submit({}, key)
      const claimTask = async () => (await claimTasks(world.ctx, 10)).claims.filter(({ row }) => row.public_id === id)
      world.clock.advance(6000)
      expect(await claimTask()).toHaveLength(1)
      expect(await claimTask()).toEqual([])
      await pollTaskNow(world.ctx, id)
      expect(await claimTask()).toHaveLength(1)
      expect(await world.row(id)).toMatchObject({ status: 'SUBMITTED', polls: 2 })
      expect(await claimTask()).toEqual([])
      await world.poll()
      expect(await world.row(id)).toMatchObject({ status: 'QUEUED', polls: 3 })
    })

    once('a task that is claimed at its very deadline is due later, not at once again', async () => {
      const { key } = await owner()
      const { public_id: id } = await world.submit({}, key)
      const now = world.clock.now()
      const values = { poll_at: now, deadline_at: now }
      await world.ctx.database.query.updateTable('tasks').set(values).where('public_id', '=', id).execute()
      const claimTask = async () => (await claimTasks(world.ctx, 10)).claims.filter(({ row }) => row.public_id === id)
      expect(await claimTask()).toHaveLength(1)
      expect(await claimTask()).toEqual([])
      await world.poll()
    })

    once('a callback wakes the worker that polls, which had nothing to do', async () => {
      const { public_id: id } = await world.submit({}, (await owner()).key)
      await world.poll()
      const leader = new Leader({
        lock: { acquire: () => Promise.resolve(true), release: () => Promise.resolve() },
        clock: world.clock,
        jobs: [pollJob(world.ctx)],
        onError: (error) => {
          throw error
        },
      })
      world.ctx.changes.listen((news) => leader.wake(new Set(news.map(({ topic }) => topic))))
      await leader.tick()
      expect(await world.row(id)).toMatchObject({ status: 'QUEUED' })
      await pollTaskNow(world.ctx, id)
      await eventually(async () => ((await world.row(id)).status === 'IN_PROGRESS' ? true : null))
      await leader.stop()
    })

    test('tasks of one account are asked about together, and by one of two pollers', async () => {
      const { userId, key } = await owner(20 * songPrice)
      world.suno.taskBook.next(...Array.from({ length: 20 }, () => 'at-once' as const))
      for (let index = 0; index < 20; index += 1) await world.submit({}, key)
      const countPolls = () => world.suno.requests.filter(({ call }) => call === 'POST /suno/fetch').length
      const before = countPolls()
      world.clock.advance(6000)
      const { signal } = new AbortController()
      await Promise.all([pollTasks(world.ctx, signal), pollTasks(world.ctx, signal)])
      expect(countPolls() - before).toBe(1)
      expect(await books(userId)).toMatchObject({ free: 0, held: 0, used: 20 * songPrice, charges: 20 })
      expect(await differences()).toEqual([])
    })
  })
}

test('a report that cannot be applied stops neither the other tasks nor its own deadline', async () => {
  const circle: Record<string, unknown> = {}
  circle['itself'] = circle
  let broken = ''
  const suno: typeof songApi = {
    ...songApi,
    readReports: (reply, ids) =>
      songApi
        .readReports(reply, ids)
        .map((report) => (report.vendorId === broken ? { ...report, data: circle } : report)),
  }
  await using world = await createTaskWorld('sqlite', { suno })
  world.suno.taskBook.next('hang', 'at-once')
  const { public_id: bad } = await world.submit()
  const { public_id: good } = await world.submit()
  broken = (await world.row(bad)).vendor_id
  await world.poll()
  expect([(await world.row(bad)).status, (await world.row(good)).status]).toEqual(['SUBMITTED', 'SUCCESS'])
  await world.poll(songApi.deadlineMs)
  expect(await world.row(bad)).toMatchObject({ status: 'FAILURE', fail_reason: '{"code":"task.timeout"}' })
})

test('tasks do not wait for the vendor of others that does not respond', async () => {
  await using world = await createTaskWorld()
  const responseGate = Promise.withResolvers<void>()
  let questions = 0
  using silent = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      questions += 1
      await responseGate.promise
      return new Response('', { status: 503 })
    },
  })
  const silentId = await world.relay.addChannel({ base_url: `http://127.0.0.1:${silent.port}`, models: 'none' })
  const { id: waiting } = await world.submit()
  const { public_id: id } = await world.submit()
  const { query } = world.ctx.database
  await query.updateTable('tasks').set({ channel_id: silentId }).where('id', '=', waiting).execute()
  await world.ctx.catalog.rebuild()
  const stopping = new AbortController()
  const job = pollJob(world.ctx)
  for (const status of ['QUEUED', 'IN_PROGRESS', 'SUCCESS']) {
    world.clock.advance(30_000)
    await job.run(stopping.signal)
    expect(await world.row(id)).toMatchObject({ status })
  }
  expect(questions).toBe(1)
  responseGate.resolve()
  stopping.abort()
  await job.run(stopping.signal)
})
