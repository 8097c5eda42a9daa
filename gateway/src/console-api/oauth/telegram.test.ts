import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { telegramAssertion, type TelegramUser } from '@tollgate/simulator'

import { anAccount } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { anOAuthSite, aTraveller, botToken, proofOf, type OAuthSite } from '../../../test/oauth-site'
import { releaseIdentity } from '../../accounts/identities/identities'
import { hashOf } from './telegram'

test('the hash matches a known vector', () => {
  const assertion = { id: '42', first_name: 'Ann', username: 'ann', auth_date: '1700000000', hash: '' }
  const hash = 'a0747dc5e7c6607fb80d06891e2b456933cc8885f3f48e30b45332428f7d9d5e'
  expect(hashOf(assertion, '123456:TEST').toString('hex')).toBe(hash)
  expect(telegramAssertion('123456:TEST', { id: 42, first_name: 'Ann', username: 'ann' }, 1_700_000_000).hash).toBe(
    hash,
  )
})

let ids = 0
const aPerson = (more: Partial<TelegramUser> = {}): TelegramUser => ({ id: ++ids, first_name: 'Ann', ...more })

describe.each(kinds)('Telegram (%s)', (kind) => {
  const once = onceOf(kind)

  let world: OAuthSite
  beforeAll(async () => {
    world = await anOAuthSite(kind)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const vouchedFor = (user: TelegramUser, secondsAgo = 0) => telegramAssertion(botToken, user, world.now() - secondsAgo)
  const signIn = async (assertion: Record<string, string>, headers?: Record<string, string>) =>
    aTraveller(world.site).get('/api/oauth/telegram/login', assertion, headers)
  const outcomeOf = async (assertion: Record<string, string>) => (await signIn(assertion)).outcome

  once('a new member is registered on the first sign-in and recognized on the next', async () => {
    const person = aPerson({ last_name: 'Carr', username: 'ann', photo_url: 'https://t.me/i/userpic/320/a.jpg' })
    const first = await signIn({ ...vouchedFor(person), lang: 'en' })
    expect(first).toMatchObject({ outcome: 'ok', user: { display_name: 'Ann Carr' } })
    expect(first.user?.username).toBe('ann')
    const renamed = vouchedFor({ ...person, username: 'other', first_name: '安' })
    expect((await signIn(renamed)).user?.id).toBe(first.user?.id ?? 0)
  })

  once('a member who unlinks the account and comes back is registered anew, without a second gift', async () => {
    await world.set({ QuotaForNewUser: '50000' })
    const person = aPerson()
    const quotaOf = async (id = 0) => (await world.ctx.ledger.balanceOf([id])).get(id)
    const first = (await signIn(vouchedFor(person))).user
    expect(await quotaOf(first?.id)).toBe(50_000)
    await world.ctx.database.query
      .transaction()
      .execute((transaction) => releaseIdentity('telegram', first?.id ?? 0, transaction))
    const second = (await signIn(vouchedFor(person, 1))).user
    expect(second?.id).not.toBe(first?.id)
    expect(await quotaOf(second?.id)).toBe(0)
    await world.set({ QuotaForNewUser: '0' })
  })

  once('an assertion is accepted for five minutes, and once', async () => {
    const person = aPerson()
    expect(await outcomeOf(vouchedFor(person, 301))).toBe('oauth.assertion')
    expect(await outcomeOf(vouchedFor(person, -120))).toBe('oauth.assertion')
    expect(await outcomeOf(vouchedFor(person, -30))).toBe('ok')
    const assertion = vouchedFor(person, 270)
    expect(await outcomeOf(assertion)).toBe('ok')
    expect(await outcomeOf(assertion)).toBe('oauth.assertion')
    expect(await outcomeOf({ ...assertion, hash: assertion.hash.toUpperCase(), lang: 'zh' })).toBe('oauth.assertion')
  })

  once('a name with a line in it that reads as another id is refused, though its signature is genuine', async () => {
    const victim = aPerson()
    await signIn(vouchedFor(victim))
    const name = `A\nid=${victim.id}\nlast_name=Q`
    const { id = '', ...genuine } = vouchedFor(aPerson({ first_name: name }))
    expect(await outcomeOf({ id, ...genuine })).not.toBe('ok')
    const forged = { ...genuine, id: String(victim.id), first_name: 'A', last_name: `Q\nid=${id}` }
    expect(await outcomeOf(forged)).not.toBe('ok')
  })

  test('one of a hundred concurrent calls with one assertion signs in', async () => {
    const assertion = vouchedFor(aPerson())
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcomeOf(assertion)))
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
  })

  once('an assertion with a changed, added or missing field, or of another bot, is refused', async () => {
    const person = aPerson({ username: 'ann' })
    const { username: _, ...without } = vouchedFor(person)
    for (const forged of [
      { ...vouchedFor(person), id: '1' },
      { ...vouchedFor(person), last_name: 'Carr' },
      { ...vouchedFor(person, 400), auth_date: String(world.now()) },
      { ...vouchedFor(person), hash: '0'.repeat(64) },
      telegramAssertion('654321:OTHER', person, world.now()),
      telegramAssertion('', person, world.now()),
      without,
    ]) {
      expect(await outcomeOf(forged)).toBe('oauth.assertion')
    }
    expect(await outcomeOf({ ...vouchedFor(person), hash: 'short' })).toBe('input.invalid')
    expect((await signIn(vouchedFor(person), { 'Sec-Fetch-Site': 'cross-site' })).outcome).toBe('auth.forbidden')
  })

  once('each option takes effect', async () => {
    const known = aPerson()
    await signIn(vouchedFor(known, 1))
    for (const [key, value, expected] of [
      ['TelegramOAuthEnabled', 'false', 'oauth.off'],
      ['TelegramBotToken', '', 'oauth.off'],
      ['TelegramBotToken', '654321:OTHER', 'oauth.assertion'],
    ] as const) {
      await world.set({ [key]: value })
      expect([key, value, await outcomeOf(vouchedFor(known, 2))]).toEqual([key, value, expected])
      await world.set({ TelegramOAuthEnabled: 'true', TelegramBotToken: botToken })
    }
    await world.set({ RegisterEnabled: 'false' })
    expect(await outcomeOf(vouchedFor(known, 3))).toBe('ok')
    expect(await outcomeOf(vouchedFor(aPerson()))).toBe('oauth.unbound')
    await world.set({ RegisterEnabled: 'true' })
  })

  once('a banned member is refused', async () => {
    const person = aPerson()
    const { user } = await signIn(vouchedFor(person, 1))
    const { query } = world.ctx.database
    await query
      .updateTable('users')
      .set({ status: 2 })
      .where('id', '=', user?.id ?? 0)
      .execute()
    expect(await outcomeOf(vouchedFor(person))).toBe('user.banned')
  })

  once.each(['POST', 'GET'] as const)(
    'an account is linked by %s to the signed-in caller, who proves the password again',
    async (method) => {
      const account = await anAccount(world.ctx, { password: 'a long password' })
      const session = await world.site.signIn(account.id)
      const person = aPerson()
      const browser = aTraveller(world.site, { as: session })
      const path = '/api/oauth/telegram/bind'
      // The widget passes `id` and `auth_date` to its callback as numbers.
      const asGiven = ({ id, auth_date: at, ...rest }: Record<string, string>) => ({
        ...rest,
        id: Number(id),
        auth_date: Number(at),
      })
      const bind = (assertion: Record<string, string>, headers: Record<string, string> = {}) =>
        method === 'GET'
          ? browser.get(path, assertion, headers)
          : browser.call('POST', path, { body: asGiven(assertion), headers })
      expect((await bind(vouchedFor(person, 1))).outcome).toBe('auth.step_up')
      expect((await bind(vouchedFor(person, 1), await proofOf(world.ctx, session))).outcome).toBe('ok')
      expect((await signIn(vouchedFor(person, 2))).user?.id).toBe(account.id)
    },
  )
})
