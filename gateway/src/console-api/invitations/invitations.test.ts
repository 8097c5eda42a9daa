import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { ApiError, invitationRoutes, accountRoutes } from '@tollgate/contract'
import * as fc from 'fast-check'

import { aBrowser, type Browser } from '../../../test/browser'
import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { aCharge, booksOf } from '../../../test/ledger'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { settleInvitations } from '../../app/jobs/settle-invitations'
import { selfHandlers } from '../account/account'
import { sessionHandlers } from '../account/sessions'
import { registrationHandlers } from '../registration/registration'
import { invitationHandlers } from './invitations'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

const unit = 500_000
const password = 'correct horse'

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('invitations (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let clock: WallClock
  let names: number
  beforeEach(async () => {
    clock = new WallClock()
    names = 0
    world = await createWorld({
      kind,
      clock,
    })
    site = createTestConsole(world.ctx, [
      ...invitationHandlers,
      ...selfHandlers,
      ...sessionHandlers,
      ...registrationHandlers,
    ])
    await set({ QuotaForInviter: String(unit), QuotaForInvitee: '30' })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const set = (values: Record<string, string>) => setOptionsIn(world.ctx, values)
  const anInviter = async () => {
    const { id, username } = await anAccount(world.ctx, { password })
    const client = site.client(await site.signIn(id))
    return {
      id,
      username,
      code: await client.call(invitationRoutes.invitationCode),
      transfer: (quota: number) => outcomeOf(client.call(invitationRoutes.transferEarned, { body: { quota } })),
      purse: async () => {
        const {
          aff_count: count,
          aff_quota: quota,
          aff_history_quota: history,
        } = await client.call(accountRoutes.getSelf)
        return { count, quota, history }
      },
    }
  }
  /** Registers a user with the code; resolves with the id. */
  const invite = async (code: string, browser: Browser = aBrowser(site)) => {
    const username = `invited-${(names += 1)}`
    const body = { username, password, aff_code: code }
    expect((await browser.call('POST', '/api/user/register', { body })).outcome).toBe('ok')
    const { id } = await world.ctx.database.query
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    return id
  }
  const creditedTo = async (userId: number) => (await booksOf(world.ctx.database, userId)).credited
  const spend = async (userId: number, cost: number) => {
    const { ledger } = world.ctx
    const id = `call-${userId}`
    const reservation = await ledger.reserve(id, { userId, tokenId: 0, isTokenLimited: false }, 0)
    await ledger.charge(reservation, aCharge(cost, { userId, tokenId: 0 }))
    await ledger.waitUntilApplied()
  }
  const settle = () => settleInvitations(world.ctx).run(new AbortController().signal)

  once('an invitation credits inviter and invitee once, and leaves rows in both logs', async () => {
    const inviter = await anInviter()
    const invitee = await invite(inviter.code)
    expect(await inviter.purse()).toEqual({ count: 1, quota: unit, history: unit })
    expect([await creditedTo(inviter.id), await creditedTo(invitee)]).toEqual([0, 30])
    const rows = await eventually(async () => {
      const logs = await world.ctx.database.query.selectFrom('logs').select(['user_id', 'content']).execute()
      return logs.length === 2 ? logs : null
    })
    const logged = rows.map(({ user_id: userId, content }) => [userId, /log\.\w+/.exec(content)?.[0]])
    expect(logged).toContainEqual([inviter.id, 'log.invited'])
    expect(logged).toContainEqual([invitee, 'log.was_invited'])
  })

  once('invitations without a reward are counted, and there are none while they are disabled', async () => {
    await set({ QuotaForInviter: '0', QuotaForInvitee: '0' })
    const inviter = await anInviter()
    const invitee = await invite(inviter.code)
    expect(await inviter.purse()).toEqual({ count: 1, quota: 0, history: 0 })
    expect(await creditedTo(invitee)).toBe(0)
    await set({ AffEnabled: 'false', QuotaForInviter: '5' })
    await invite(inviter.code)
    expect(await inviter.purse()).toEqual({ count: 1, quota: 0, history: 0 })
  })

  test('a reward waits for the first paid call or the first payment where the site says so', async () => {
    await set({ InvitationRewardAfterUse: 'true' })
    const inviter = await anInviter()
    const [caller, payer, idle] = [await invite(inviter.code), await invite(inviter.code), await invite(inviter.code)]
    await settle()
    expect(await inviter.purse()).toEqual({ count: 3, quota: 0, history: 0 })
    await world.ctx.ledger.credit({ id: 'gift', userId: idle, kind: 'registration', amount: 10 })
    await world.ctx.ledger.credit({ id: 'gift-too', userId: caller, kind: 'registration', amount: 10 })
    await spend(caller, 1)
    await settle()
    await settle()
    expect(await inviter.purse()).toMatchObject({ quota: unit })
    await world.ctx.ledger.credit({ id: 'paid', userId: payer, kind: 'top-up', amount: 10 })
    await Promise.all([settle(), settle(), settle()])
    expect(await inviter.purse()).toEqual({ count: 3, quota: 2 * unit, history: 2 * unit })
    expect([await creditedTo(caller), await creditedTo(payer), await creditedTo(idle)]).toEqual([40, 40, 10])
    await set({ InvitationRewardAfterUse: 'false' })
    await settle()
    expect(await inviter.purse()).toMatchObject({ quota: 3 * unit })
  })

  test('invitations are rewarded as often per day as the site allows', async () => {
    await set({ InvitationDailyLimit: '2' })
    const inviter = await anInviter()
    const invitees = [await invite(inviter.code), await invite(inviter.code), await invite(inviter.code)]
    expect(await inviter.purse()).toEqual({ count: 3, quota: 2 * unit, history: 2 * unit })
    expect(await Promise.all(invitees.map(creditedTo))).toEqual([30, 30, 0])
    clock.jump(24 * 3_600_000)
    await invite(inviter.code)
    expect(await inviter.purse()).toMatchObject({ count: 4, quota: 3 * unit })
    await set({ InvitationDailyLimit: '0' })
    for (let count = 0; count < 3; count += 1) await invite(inviter.code)
    expect(await inviter.purse()).toMatchObject({ count: 7, quota: 6 * unit })
  })

  test('thirty simultaneous invitations by one code are rewarded as often as the day allows', async () => {
    await set({ InvitationDailyLimit: '3' })
    const inviter = await anInviter()
    const invitees = await Promise.all(Array.from({ length: 30 }, () => invite(inviter.code)))
    expect(await inviter.purse()).toEqual({ count: 30, quota: 3 * unit, history: 3 * unit })
    const credited = await Promise.all(invitees.map(creditedTo))
    expect(credited.filter((amount) => amount === 30)).toHaveLength(3)
    expect(credited.filter((amount) => amount === 0)).toHaveLength(27)
  })

  test('an invitation is not rewarded where the two share an address within a day', async () => {
    const inviter = await anInviter()
    const body = { username: inviter.username, password }
    const signInFrom = async (address: string) => {
      const browser = aBrowser(site, { address })
      expect((await browser.call('POST', '/api/user/login', { body })).outcome).toBe('ok')
      return browser
    }
    await signInFrom('198.51.100.7')
    await signInFrom('2001:db8:1:2:aaaa::1')
    const here = await invite(inviter.code, aBrowser(site, { address: '198.51.100.7' }))
    const sameNetwork = await invite(inviter.code, aBrowser(site, { address: '2001:db8:1:2:bbbb::1' }))
    expect(await Promise.all([here, sameNetwork].map(creditedTo))).toEqual([0, 0])
    expect(await inviter.purse()).toEqual({ count: 2, quota: 0, history: 0 })
    const elsewhere = await invite(inviter.code, aBrowser(site, { address: '198.51.100.8' }))
    expect(await creditedTo(elsewhere)).toBe(30)
    clock.jump(25 * 3_600_000)
    const later = await invite(inviter.code, aBrowser(site, { address: '198.51.100.7' }))
    expect(await creditedTo(later)).toBe(30)
  })

  once('an invitation is not rewarded where the two share a device, also after the inviter signed out', async () => {
    const inviter = await anInviter()
    const browser = aBrowser(site)
    await browser.call('POST', '/api/user/login', { body: { username: inviter.username, password } })
    await browser.call('POST', '/api/user/logout')
    expect(await creditedTo(await invite(inviter.code, browser))).toBe(0)
    expect(await inviter.purse()).toEqual({ count: 1, quota: 0, history: 0 })
  })

  once('a waiting invitation is not rewarded where the invitee is later seen at the inviter’s address', async () => {
    await set({ InvitationRewardAfterUse: 'true' })
    const inviter = await anInviter()
    const address = '198.51.100.9'
    const body = { username: inviter.username, password }
    await aBrowser(site, { address }).call('POST', '/api/user/login', { body })
    const invitee = await invite(inviter.code)
    await aBrowser(site, { address }).call('POST', '/api/user/login', { body: { username: 'invited-1', password } })
    await world.ctx.ledger.credit({ id: 'paid', userId: invitee, kind: 'top-up', amount: 10 })
    await settle()
    expect(await creditedTo(invitee)).toBe(10)
    expect(await inviter.purse()).toMatchObject({ quota: 0 })
  })

  once(
    'an invitation from the gateway’s own address, which all visitors share behind an undeclared proxy, is not rewarded',
    async () => {
      const inviter = await anInviter()
      const body = { username: inviter.username, password }
      await aBrowser(site, { address: '127.0.0.1' }).call('POST', '/api/user/login', { body })
      expect(await creditedTo(await invite(inviter.code, aBrowser(site, { address: '127.0.0.1' })))).toBe(30)
    },
  )

  describe('transfers', () => {
    const earn = async (userId: number, quota: number) =>
      world.ctx.database.query
        .updateTable('users')
        .set((eb) => ({
          aff_quota: eb('aff_quota', '+', quota),
          aff_history_quota: eb('aff_history_quota', '+', quota),
        }))
        .where('id', '=', userId)
        .execute()

    once('a transfer moves earned quota to the balance, from one unit of a dollar on', async () => {
      const inviter = await anInviter()
      await earn(inviter.id, 3 * unit)
      expect(await inviter.transfer(unit - 1)).toBe('aff.min')
      expect(await inviter.transfer(-unit)).toBe('aff.min')
      expect(await inviter.transfer(3 * unit + 1)).toBe('aff.short')
      expect(await inviter.transfer(unit)).toBe('ok')
      expect(await inviter.purse()).toEqual({ count: 0, quota: 2 * unit, history: 3 * unit })
      expect(await creditedTo(inviter.id)).toBe(unit)
      await set({ QuotaPerUnit: '10' })
      expect(await inviter.transfer(9)).toBe('aff.min')
      expect(await inviter.transfer(10)).toBe('ok')
    })

    test('a hundred simultaneous transfers have one effect where there is enough for one', async () => {
      const inviter = await anInviter()
      await earn(inviter.id, 2 * unit - 1)
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => inviter.transfer(unit)))
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'aff.short')).toHaveLength(99)
      expect(await inviter.purse()).toMatchObject({ quota: unit - 1 })
      expect(await booksOf(world.ctx.database, inviter.id)).toMatchObject({ free: unit, credited: unit })
    })

    test('transfers keep the sum of earnings and credits, whatever is requested at once', async () => {
      await set({ QuotaPerUnit: '10' })
      const inviter = await anInviter()
      let earned = 0
      const amounts = fc.array(fc.integer({ min: -5, max: 60 }), { maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 100 }), amounts, async (more, requested) => {
          earned += more
          await earn(inviter.id, more)
          const outcomes = await Promise.all(requested.map(inviter.transfer))
          requested.forEach((amount, index) => expect(amount < 10 ? outcomes[index] : 'aff.min').toBe('aff.min'))
          const { quota } = await inviter.purse()
          const { free, credited } = await booksOf(world.ctx.database, inviter.id)
          expect(quota).toBeGreaterThanOrEqual(0)
          expect(quota + credited).toBe(earned)
          expect(free).toBe(credited)
        }),
        { numRuns: 8 },
      )
    })
  })
})
