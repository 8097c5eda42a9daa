import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { userStatus } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { aBrowser } from '../../../test/browser'
import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { aPostOffice, type PostOffice } from '../../../test/post-office'
import { createWorld, type World } from '../../../test/world'
import { verifyPassword } from '../../accounts/users/passwords'
import { selfHandlers } from '../account/account'
import { sessionHandlers } from '../account/sessions'
import { registrationHandlers } from './registration'

setDefaultTimeout(120_000)

const email = 'ann@example.com'
const password = 'another horse'

describe.each(kinds)('a forgotten password (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let post: PostOffice
  let aheadSeconds: number
  beforeEach(async () => {
    aheadSeconds = 0
    const clock = createClock(
      () => 1_800_000_000_000 + aheadSeconds * 1000,
      () => aheadSeconds * 1000,
    )
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...registrationHandlers, ...sessionHandlers, ...selfHandlers])
    post = await aPostOffice(world.ctx)
  })
  afterEach(async () => {
    await post[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const requestReset = (address = email) =>
    aBrowser(site).call('GET', `/api/reset_password?${new URLSearchParams({ email: address }).toString()}`)
  const reset = async (body: object) =>
    (await aBrowser(site).call('POST', '/api/user/reset', { body: { email, password, ...body } })).outcome
  const logIn = async (username: string, enteredPassword = password) =>
    (await aBrowser(site).call('POST', '/api/user/login', { body: { username, password: enteredPassword } })).outcome
  const aToken = async () => {
    expect((await requestReset()).outcome).toBe('ok')
    return post.tokenFor(email)
  }
  const passTime = (seconds: number) => void (aheadSeconds += seconds)
  const ann = (fields: { password?: string } = { password: 'correct horse' }) =>
    anAccount(world.ctx, { username: 'ann', email: 'Ann@example.com', ...fields })

  once(
    'a forgotten password is replaced by the link of a mail, in any browser, and every other access ends',
    async () => {
      const { id } = await ann()
      const signedIn = aBrowser(site, { as: await site.signIn(id) })
      const accessToken = { access_token_hash: 'kept until now' }
      await world.ctx.database.query.updateTable('users').set(accessToken).where('id', '=', id).execute()
      const token = await aToken()
      expect(await reset({ token, email: ' ANN@example.com' })).toBe('ok')
      expect([await logIn('ann'), await logIn('ann', 'correct horse')]).toEqual(['ok', 'login.failed'])
      expect((await signedIn.call('GET', '/api/user/self')).outcome).toBe('auth.required')
      const user = world.ctx.database.query.selectFrom('users').select('access_token_hash').where('id', '=', id)
      expect(await user.executeTakeFirst()).toEqual({ access_token_hash: null })
      expect(await post.subjectsTo(email)).toEqual([
        'Reset your Tollgate password',
        'Your Tollgate password was changed',
      ])
    },
  )

  test('a link replaces the password once, and earlier links end with it', async () => {
    const { id } = await ann()
    const tokens = [await aToken()]
    passTime(30)
    tokens.push(await aToken())
    expect(new Set(tokens).size).toBe(2)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => reset({ token: tokens[0] })))
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'reset.invalid']))
    expect(await reset({ token: tokens[1], password: 'a third horse' })).toBe('reset.invalid')
    const row = world.ctx.database.query.selectFrom('users').select('password_hash').where('id', '=', id)
    expect(await verifyPassword(password, (await row.executeTakeFirst())?.password_hash)).toBe(true)
  })

  once(
    'a password stays where the link is late, another account’s, or of an account that is banned, closed or has another address',
    async () => {
      const { id } = await ann()
      await anAccount(world.ctx, { email: 'bob@example.com' })
      const query = () => world.ctx.database.query.updateTable('users').where('id', '=', id)
      const token = await aToken()
      expect(await reset({ token, email: 'bob@example.com' })).toBe('reset.invalid')
      expect(await reset({ token: `${token}x` })).toBe('reset.invalid')
      expect(await reset({ token, password: 'short' })).toBe('user.password')
      for (const [change, undo] of [
        [{ status: userStatus.disabled }, { status: userStatus.enabled }],
        [{ deleted_at: 1 }, { deleted_at: null }],
        [{ email: 'new@example.com' }, { email }],
      ] as const) {
        await query().set(change).execute()
        expect(await reset({ token })).toBe('reset.invalid')
        await query().set(undo).execute()
      }
      passTime(15 * 60)
      expect(await reset({ token })).toBe('reset.invalid')
      expect(await logIn('ann', 'correct horse')).toBe('ok')
    },
  )

  once('a link can be requested in any language, and the mail is in that of the account', async () => {
    const { id } = await ann()
    expect((await requestReset()).outcome).toBe('ok')
    expect((await post.lastTo(email)).subject).toBe('Reset your Tollgate password')
    const setting = '{"language":"zh"}'
    await world.ctx.database.query.updateTable('users').set({ setting }).where('id', '=', id).execute()
    passTime(30)
    expect((await requestReset()).outcome).toBe('ok')
    expect((await post.lastTo(email)).subject).toBe('Tollgate 密码重置')
  })

  once('a link can set a first password, for an account that signs in elsewhere', async () => {
    await ann({})
    expect(await reset({ token: await aToken() })).toBe('ok')
    expect(await logIn('ann')).toBe('ok')
  })

  test('a request for an unknown address has the same response and as many writes', async () => {
    await ann()
    const rows = async () => {
      const { query } = world.ctx.database
      const mails = await query.selectFrom('mails').select(['kind', 'params', 'attempts', 'failure']).execute()
      const flows = await query.selectFrom('flows').selectAll().execute()
      const counts = await query.selectFrom('limit_counts').select('count').execute()
      return { mails: mails.at(-1), count: mails.length, flows, counts: counts.length }
    }
    const before = await rows()
    const known = await requestReset()
    const between = await rows()
    const unknown = await requestReset('nobody@example.com')
    const after = await rows()
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    expect(between.mails).toEqual(after.mails)
    expect(after.count - between.count).toBe(between.count - before.count)
    expect(after.counts - between.counts).toBe(between.counts - before.counts)
    expect([before.flows, between.flows, after.flows]).toEqual([[], [], []])
    expect([(await requestReset()).outcome, (await requestReset('nobody@example.com')).outcome]).toEqual([
      'rate.limited',
      'rate.limited',
    ])
    expect(await post.subjectsTo('nobody@example.com')).toEqual([])
  })

  once('a link requires mail, and passwords to be of use', async () => {
    await ann()
    expect((await requestReset('ann')).outcome).toBe('email.invalid')
    await setOptionsIn(world.ctx, { PasswordLoginEnabled: 'false' })
    expect((await requestReset()).outcome).toBe('login.password_off')
    await setOptionsIn(world.ctx, { PasswordLoginEnabled: 'true', SMTPServer: '' })
    expect((await requestReset()).outcome).toBe('smtp.unset')
  })
})
