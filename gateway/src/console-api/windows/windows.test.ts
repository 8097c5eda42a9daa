import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { ApiError, planRoutes, role, windowRoutes, type TokenId } from '@tollgate/contract'

import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { WallClock } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { aToken } from '../../../test/ledger'
import { createWorld, type World } from '../../../test/world'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { limitWindow } from '../../billing/ledger/window/read-windows'
import { aCharge } from '../../../test/ledger'
import { beginSubscription, endSubscription, findPlan } from '../../billing/plans/subscription'
import type { Transaction } from '../../platform/store/database'
import { createPlan } from '../plans/change-plans'
import { windowHandlers } from './windows'

const now = Date.parse('2026-03-01T12:00:00Z')

describe.each(kinds)('windows as they are set (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let root: SignedIn
  let ann: { readonly id: number; readonly client: ReturnType<TestConsole['client']> }
  beforeEach(async () => {
    world = await createWorld({ kind, clock: new WallClock(now) })
    site = createTestConsole(world.ctx, windowHandlers)
    root = await site.signIn((await anAccount(world.ctx, { role: role.root })).id)
    const { id } = await anAccount(world.ctx, { quota: 1_000_000 })
    ann = { id, client: site.client(await site.signIn(id)) }
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const aSetting = (fields: object = {}) =>
    windowRoutes.WindowSettings.parse({ name: 'Daily', measure: 'requests', limit: 10, span: 'day', ...fields })
  const ofAnn = () => ({ owner: 'user', ref: String(ann.id) }) as const
  const setForAnn = (...windows: readonly object[]) =>
    site.client(root).call(windowRoutes.setWindows, { body: { ...ofAnn(), windows: windows.map(aSetting) } })
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'ok',
      (error: unknown) => (error instanceof ApiError ? error.code : error),
    )
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => 'ok',
      (error: unknown) => (error instanceof ApiError ? [error.code, error.field] : error),
    )
  const storedWindow = async (): Promise<LimitWindow> => {
    const row = await world.ctx.database.query.selectFrom('windows').selectAll().executeTakeFirstOrThrow()
    const window = limitWindow(row, ann.id, 'UTC')
    if (!window) throw new Error('A cap')
    return window
  }
  once('an owner is named as it is stored, and as nothing else', async () => {
    const call = site.client(root).call(windowRoutes.setWindows, {
      body: { ...ofAnn(), ref: `0${ann.id}`, windows: [aSetting()] },
    })
    expect(await codeOf(call)).toBe('window.owner')
  })

  once('owners of keys do not decide what operators are told of', async () => {
    const key = (await aToken(world.ctx.database, ann.id, 0)) as TokenId
    const window = aSetting({ alert_percents: [50], alerts_operators: true })
    const { windows } = await ann.client.call(windowRoutes.setKeyWindows, {
      body: { token_id: key, windows: [window] },
    })
    expect(windows).toMatchObject([{ alert_percents: [50], alerts_operators: false }])
  })

  let calls = 0
  const spendOnce = async () => {
    const { ledger } = world.ctx
    const payer = { userId: ann.id, tokenId: 0, isTokenLimited: false, windows: [await storedWindow()] }
    await ledger.charge(await ledger.reserve(`call-${(calls += 1)}`, payer, 10), aCharge(10, { userId: ann.id }))
    await ledger.waitUntilApplied()
  }

  once('windows of a user are set, read with what is left, changed and ended', async () => {
    const { windows } = await setForAnn(
      {},
      { name: 'Month', measure: 'quota', limit: 500, span: 'month', alert_percents: [95, 50] },
    )
    expect(windows).toMatchObject([
      { name: 'Daily', limit: 10, alert_percents: [] },
      { name: 'Month', measure: 'quota', alert_percents: [50, 95] },
    ])
    await spendOnce()
    const { standings } = await site.client(root).call(windowRoutes.listWindows, { query: ofAnn() })
    expect(standings).toMatchObject([
      { name: 'Daily', used: 1, remaining: 9, resets_at: Date.parse('2026-03-02T00:00:00Z') / 1000 },
      { name: 'Month', used: 0, remaining: 500 },
    ])
    expect(await ann.client.call(windowRoutes.ownStandings)).toEqual(
      standings.map((standing) => ({ ...standing, key_name: '', plan_name: '' })),
    )
    const ids = { owner: 'user', ids: `${ann.id},999` } as const
    expect(await site.client(root).call(windowRoutes.listStandings, { query: ids })).toEqual(standings)
    const [daily] = windows
    const after = await setForAnn({ ...daily, name: 'A day', limit: 20 })
    expect(after.windows).toMatchObject([{ id: daily?.id, name: 'A day', limit: 20 }])
    expect(after.standings).toMatchObject([{ used: 1, remaining: 19 }])
    expect((await setForAnn()).windows).toEqual([])
  })

  once('a window that counts something else, or is of another length, begins anew', async () => {
    const [daily] = (await setForAnn({})).windows
    await spendOnce()
    const { windows, standings } = await setForAnn({ ...daily, span: 'week' })
    expect(windows[0]?.id).not.toBe(daily?.id)
    expect(standings).toMatchObject([{ used: 0, remaining: 10 }])
  })

  once('a window is named once in an edit', async () => {
    const [daily] = (await setForAnn({})).windows
    expect(await codeOf(setForAnn({ ...daily }, { ...daily, name: 'Again' }))).toBe('window.none')
  })

  once('a limit that is cut below what was used lets nothing more through', async () => {
    const [daily] = (await setForAnn({})).windows
    for (let call = 0; call < 4; call += 1) await spendOnce()
    const { standings } = await setForAnn({ ...daily, limit: 3 })
    expect(standings).toMatchObject([{ limit: 3, used: 4, remaining: 0 }])
    await world.ctx.ledger.whenRecalled('window', 1)
    expect(
      await spendOnce().then(
        () => 'served',
        (error: { code: string }) => error.code,
      ),
    ).toBe('quota.window')
  })

  once.each([
    ['window.limit', { limit: 0 }],
    ['window.limit', { limit: -5 }],
    ['window.limit', { limit: 1.5 }],
    ['window.limit', { limit: 1e16 }],
    ['window.name', { name: '  ' }],
    ['window.zone', { time_zone: 'Mars/Olympus' }],
    ['window.zone', { time_zone: '+08:00' }],
    ['window.seconds', { span: 'seconds', seconds: 9 }],
    ['window.seconds', { span: 'seconds', seconds: 1e9 }],
    ['window.seconds', { span: 'seconds', seconds: 0.5 }],
    ['window.seconds', { seconds: 5 }],
    ['window.range', { span: 'range', starts_at: 100, ends_at: 200 }],
    ['window.range', { span: 'range', starts_at: now, ends_at: now - 1 }],
    ['window.range', { starts_at: 5 }],
    ['window.span', { measure: 'concurrent' }],
    ['window.span', { span: 'call' }],
    ['window.span', { span: 'always', is_sliding: true }],
    ['window.grace', { grace_percent: -1 }],
    ['window.grace', { grace_percent: 101 }],
    ['window.alerts', { alert_percents: [50, 50] }],
    ['window.alerts', { alert_percents: [0] }],
    ['window.model', { fallback_model: 'no-such-model' }],
    ['window.none', { id: 4711 }],
  ])('%s is told of %j, and nothing is saved', async (code, fields) => {
    await setForAnn({ name: 'Before' })
    expect(await codeOf(setForAnn({ name: 'First' }, fields))).toBe(code)
    expect((await site.client(root).call(windowRoutes.listWindows, { query: ofAnn() })).windows).toMatchObject([
      { name: 'Before' },
    ])
  })

  once.each([
    ['window.limit', 'limit', { limit: 0 }],
    ['window.seconds', 'seconds', { span: 'seconds' }],
    ['window.range', 'ends_at', { span: 'range' }],
    ['window.span', 'span', { span: 'call' }],
    ['window.zone', 'time_zone', { time_zone: 'Mars/Olympus' }],
    ['window.grace', 'grace_percent', { grace_percent: 101 }],
    ['window.alerts', 'alert_percents', { alert_percents: [0] }],
    ['window.model', 'fallback_model', { fallback_model: 'no-such-model' }],
    ['window.name', 'name', { name: 'First' }],
  ])('a refusal by %s names the window and its field %s', async (code, field, fields) => {
    expect(await refusalOf(setForAnn({ name: 'First' }, fields))).toEqual([code, `windows.1.${field}`])
  })

  test('two of one name, too many, and an owner who is gone are refused', async () => {
    expect(await codeOf(setForAnn({}, {}))).toBe('window.name')
    expect(await codeOf(setForAnn(...Array.from({ length: 17 }, (_, index) => ({ name: `w${index}` }))))).toBe(
      'window.many',
    )
    const set = (owner: windowRoutes.WindowOwner, ref: string) =>
      codeOf(site.client(root).call(windowRoutes.setWindows, { body: { owner, ref, windows: [aSetting()] } }))
    await world.ctx.database.query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', ann.id).execute()
    const gone = [
      ['user', String(ann.id)],
      ['user', '999'],
      ['user', 'x'],
      ['token', '999'],
      ['group', 'no-such-group'],
      ['channel', '999'],
      ['channel_key', '1'],
      ['channel', '1:0123456789abcdef'],
    ] as const
    for (const [owner, ref] of gone) expect(await set(owner, ref)).toBe('window.owner')
    expect(await set('group', 'default')).toBe('ok')
    const groups = await site.client(root).call(windowRoutes.listGroupWindows)
    expect(groups.find(({ group }) => group === 'default')).toMatchObject({ windows: [{ name: 'Daily', limit: 10 }] })
    expect(groups.some(({ windows }) => windows.length === 0)).toBe(true)
  })

  once('a user sets windows of an own key, and of no other', async () => {
    const own = (await aToken(world.ctx.database, ann.id)) as TokenId
    const other = (await aToken(world.ctx.database, (await anAccount(world.ctx)).id)) as TokenId
    const { windows } = await ann.client.call(windowRoutes.setKeyWindows, {
      body: { token_id: own, windows: [aSetting()] },
    })
    expect(await ann.client.call(windowRoutes.listKeyWindows, { query: { token_id: own } })).toMatchObject({ windows })
    expect(await ann.client.call(windowRoutes.ownStandings)).toMatchObject([
      { owner: 'token', subject_id: own, remaining: 10, key_name: expect.stringMatching(/^key-/) },
    ])
    expect(await codeOf(ann.client.call(windowRoutes.setKeyWindows, { body: { token_id: other, windows: [] } }))).toBe(
      'token.none',
    )
    expect(await codeOf(ann.client.call(windowRoutes.setWindows, { body: { ...ofAnn(), windows: [] } }))).toBe(
      'auth.forbidden',
    )
    expect(await codeOf(ann.client.call(windowRoutes.listWindows, { query: ofAnn() }))).toBe('auth.forbidden')
    expect(await codeOf(ann.client.call(windowRoutes.listGroupWindows))).toBe('auth.forbidden')
  })

  once(
    'what is left of a running subscription is told with the name of its plan, of an ended one no more',
    async () => {
      const windows = [aSetting({ name: 'Weekly', limit: 50, span: 'week' })]
      const settings = planRoutes.PlanSettings.parse({ name: 'Pro', price: 0, length: 1, unit: 'month', windows })
      const plan = await findPlan(world.ctx.database.query, await createPlan(world.ctx, settings))
      const inTransaction = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
        world.ctx.database.query.transaction().execute(work)
      const { id } = await inTransaction((transaction) =>
        beginSubscription(world.ctx, transaction, { userId: ann.id, plan, source: 'admin', paid: 0 }),
      )
      expect(await ann.client.call(windowRoutes.ownStandings)).toMatchObject([
        { owner: 'plan', subject_id: id, name: 'Weekly', remaining: 50, key_name: '', plan_name: 'Pro' },
      ])
      await inTransaction((transaction) => endSubscription(world.ctx, transaction, { id }))
      expect(await ann.client.call(windowRoutes.ownStandings)).toEqual([])
    },
  )

  once('an administrator sets no windows of one of the same rank', async () => {
    const admin = site.client(await site.signIn((await anAccount(world.ctx, { role: role.admin })).id))
    const { id } = await anAccount(world.ctx, { role: role.admin })
    const set = (userId: number) =>
      codeOf(
        admin.call(windowRoutes.setWindows, { body: { owner: 'user', ref: String(userId), windows: [aSetting()] } }),
      )
    expect(await set(ann.id)).toBe('ok')
    expect(await set(id)).toBe('window.owner')
  })
})
