import { afterEach, describe, expect, test } from 'bun:test'

import { booksOf } from '../../../test/ledger'
import { createTaskWorld, songApi, songPrice } from '../../../test/task-world'
import { UpstreamError } from '../../channels/calls/upstream-error'

const wealth = 1_000_000

/** A world with a second channel for songs, and a rich user. */
async function twoVendors(keepsNames: boolean) {
  // Which submission a name is of is known to the stand-in by its order.
  const namedId = () => [...world.suno.taskBook.tasks.keys()].at(-1) ?? 'v-none'
  const world = await createTaskWorld('sqlite', { suno: keepsNames ? { ...songApi, namedId } : songApi })
  await world.relay.addChannel({ base_url: world.suno.url, models: 'suno_music', name: 'other songs' })
  const userId = await world.relay.addUser(wealth)
  const key = await world.relay.addToken(userId)
  const books = () => booksOf(world.ctx.database, userId)
  const submissions = () => world.suno.requests.filter(({ call }) => call === 'POST /suno/submit/music').length
  const outcome = () =>
    world.submit({}, key).then(
      ({ public_id: id }) => id,
      (error: unknown) => (error instanceof UpstreamError ? error.fault : String(error)),
    )
  const lastRow = () =>
    world.ctx.database.query.selectFrom('tasks').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  return { world, books, submissions, outcome, lastRow }
}

describe('a submission whose response is lost', () => {
  let site: Awaited<ReturnType<typeof twoVendors>>
  afterEach(() => site.world[Symbol.asyncDispose]())

  test('it reaches no second vendor, says so and charges nothing where the vendor keeps no names', async () => {
    site = await twoVendors(false)
    site.world.suno.isCut = true
    expect([await site.outcome(), site.submissions()]).toEqual(['unanswered', 1])
    expect(await site.lastRow()).toMatchObject({
      status: 'FAILURE',
      fail_reason: expect.stringContaining('task.unanswered'),
    })
    expect(await site.books()).toMatchObject({ free: wealth, held: 0, used: 0 })
  })

  test('it is asked about by its name, charged when it is done, and made once', async () => {
    site = await twoVendors(true)
    const { world } = site
    world.suno.isCut = true
    const id = await site.outcome()
    expect([await site.lastRow(), site.submissions()]).toMatchObject([{ public_id: id, status: 'SUBMITTED' }, 1])
    expect(await site.books()).toMatchObject({ free: wealth - songPrice, held: songPrice })
    for (let step = 0; step < 3; step += 1) await world.poll()
    expect(await world.row(id)).toMatchObject({ status: 'SUCCESS', quota: songPrice })
    expect(await site.books()).toMatchObject({ free: wealth - songPrice, held: 0, used: songPrice, charges: 1 })
  })

  test('its hold goes back where the vendor does not know its name', async () => {
    site = await twoVendors(true)
    const { world } = site
    world.suno.isCut = true
    const id = await site.outcome()
    world.suno.taskBook.tasks.clear()
    for (let step = 0; step < 5; step += 1) await world.poll(120_000)
    expect(await world.row(id)).toMatchObject({ status: 'FAILURE', fail_reason: expect.stringContaining('task.lost') })
    expect(await site.books()).toMatchObject({ free: wealth, held: 0, used: 0 })
  })

  test('another vendor gets it where the first refused it or was never reached', async () => {
    site = await twoVendors(false)
    const { world } = site
    const { query } = world.ctx.database
    const closed = await world.relay.addChannel({
      base_url: 'http://127.0.0.1:1',
      models: 'suno_music',
      priority: 9,
    })
    expect([await site.outcome(), site.submissions()]).toEqual([expect.stringMatching(/^task_/), 1])
    expect(JSON.parse((await site.lastRow()).terms)).toMatchObject({ attempts: [{ channel: closed }, {}] })
    expect((await query.selectFrom('holds').selectAll().execute()).length).toBe(1)
  })
})
