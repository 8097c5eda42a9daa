import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { ApiError, checkInRoutes, logType } from '@tollgate/contract'
import * as fc from 'fast-check'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { booksOf } from '../../../test/ledger'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { checkInHandlers } from './check-in'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('check-in (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let clock: WallClock
  let drawn: number
  beforeEach(async () => {
    clock = new WallClock(Date.parse('2026-03-01T12:00:00Z'))
    drawn = 0
    world = await createWorld({
      kind,
      clock,
      random: { number: () => drawn, bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
    })
    site = createTestConsole(world.ctx, checkInHandlers)
    await set({ CheckInEnabled: 'true', CheckInQuota: '100' })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const set = (values: Record<string, string>) => setOptionsIn(world.ctx, values)
  const aUser = async () => {
    const { id } = await anAccount(world.ctx)
    const client = site.client(await site.signIn(id))
    return {
      id,
      status: () => client.call(checkInRoutes.checkInStatus),
      checkIn: () => client.call(checkInRoutes.checkIn),
      outcome: () => outcomeOf(client.call(checkInRoutes.checkIn)),
    }
  }

  once('a check-in credits once a day and leaves a row in the log', async () => {
    const user = await aUser()
    expect(await user.status()).toEqual({ can_check_in: true, min_quota: 100, max_quota: 100, time_zone: 'UTC' })
    expect(await user.checkIn()).toEqual({ quota: 100 })
    expect(await user.status()).toMatchObject({ can_check_in: false })
    expect(await user.outcome()).toBe('checkin.done')
    expect(await booksOf(world.ctx.database, user.id)).toMatchObject({ free: 100, credited: 100 })
    const rows = world.ctx.database.query.selectFrom('logs').select(['type', 'user_id', 'content'])
    const row = await eventually(() => rows.executeTakeFirst())
    expect(row).toMatchObject({ type: logType.checkIn, user_id: user.id })
    expect(row.content).toContain('log.checked_in')
  })

  test('a hundred simultaneous check-ins credit once', async () => {
    const user = await aUser()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => user.outcome()))
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'checkin.done')).toHaveLength(99)
    expect(await booksOf(world.ctx.database, user.id)).toMatchObject({ free: 100, credited: 100 })
  })

  once('a check-in is refused while it is disabled', async () => {
    await set({ CheckInEnabled: 'false' })
    const user = await aUser()
    expect(await user.status()).toMatchObject({ can_check_in: false })
    expect(await user.outcome()).toBe('checkin.off')
    expect(await booksOf(world.ctx.database, user.id)).toMatchObject({ credited: 0 })
  })

  once.each([
    ['UTC', '2026-03-01T00:00:00Z', '2026-03-01T23:59:59Z', '2026-03-02T00:00:00Z'],
    ['Asia/Shanghai', '2026-02-28T16:00:00Z', '2026-03-01T15:59:59Z', '2026-03-01T16:00:00Z'],
    // The days on which the clocks go forward and back have 23 and 25 hours.
    ['America/New_York', '2026-03-08T05:00:00Z', '2026-03-09T03:59:59Z', '2026-03-09T04:00:00Z'],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z', '2026-11-02T05:00:00Z'],
  ])('a day in %s lasts from %s to %s', async (zone, first, last, next) => {
    await set({ SiteTimeZone: zone })
    const user = await aUser()
    // Beyond the end of the session that began at noon.
    await world.ctx.database.query.updateTable('sessions').set({ expires_at: 1e12, last_seen_at: 1e10 }).execute()
    clock.moveTo(Date.parse(first))
    expect(await user.outcome()).toBe('ok')
    clock.moveTo(Date.parse(last))
    expect(await user.outcome()).toBe('checkin.done')
    clock.moveTo(Date.parse(next))
    expect(await user.status()).toMatchObject({ can_check_in: true, time_zone: zone })
    expect(await user.outcome()).toBe('ok')
  })

  once('a check-in requires a bot check where the site has one', async () => {
    const user = await aUser()
    await set({ TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' })
    expect(await user.outcome()).toBe('turnstile.empty')
    await set({ TurnstileCheckEnabled: 'false' })
    expect(await user.outcome()).toBe('ok')
  })

  test('a check-in credits between the two quotas, both included, and the first where the second is not above it', async () => {
    const user = await aUser()
    const quota = fc.integer({ min: 0, max: 1_000_000 })
    let sum = 0
    const draws = fc.oneof(
      fc.constant(0),
      fc.constant(1 - Number.EPSILON),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
    )
    await fc.assert(
      fc.asyncProperty(quota, quota, draws, async (min, max, draw) => {
        await set({ CheckInQuota: String(min), CheckInMaxQuota: String(max) })
        drawn = draw
        clock.jump(24 * 3600 * 1000)
        // The session would end.
        await world.ctx.database.query.updateTable('sessions').set({ expires_at: 1e12 }).execute()
        const received = (await user.checkIn()).quota
        sum += received
        expect(Number.isInteger(received)).toBe(true)
        expect(received).toBeGreaterThanOrEqual(min)
        expect(received).toBeLessThanOrEqual(Math.max(min, max))
        if (draw === 0 || max <= min) expect(received).toBe(min)
        if (draw > 0.9999 && max > min) expect(received).toBe(max)
      }),
      { numRuns: 10 },
    )
    expect(await booksOf(world.ctx.database, user.id)).toMatchObject({ free: sum, credited: sum })
  })
})
