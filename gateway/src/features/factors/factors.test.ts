import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { factorRoutes, NewPasskeyRequest, PasskeyRequest, role, SecondFactorAsked } from '@tollgate/contract'
import { z } from 'zod'

import { handlers } from '../../../test/all-handlers'
import { anAuthenticator } from '../../../test/authenticator'
import { aBrowser, type Browser } from '../../../test/browser'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { aPostOffice, type PostOffice } from '../../../test/post-office'
import { createWorld, type World } from '../../../test/world'
import { stepAt, totpCode } from '../../accounts/factors/totp'

setDefaultTimeout(60_000)

const password = 'correct horse'
const Proof = z.object({ data: z.object({ proof: z.string() }) })
const Begun = z.object({ data: z.object({ token: z.string(), secret: z.string(), uri: z.string() }) })
const Codes = z.object({ data: z.object({ recovery_codes: z.array(z.string()).nullable() }) })
const Refused = z.object({ second_factor: SecondFactorAsked })
const AskedPasskey = z.object({ data: PasskeyRequest })
const AskedNewPasskey = z.object({ data: NewPasskeyRequest })
const Overview = z.object({ data: factorRoutes.Factors })

/** Reads base32. */
function bytesOf(secret: string): Uint8Array {
  const bits = Array.from(secret, (sign) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
  )
  return new Uint8Array((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

describe.each(kinds)('second factors (%s)', (kind) => {
  let world: World
  let site: TestConsole
  let aheadSeconds: number
  const clock = { now: () => 1_800_000_000_000 + aheadSeconds * 1000, monotonic: () => performance.now() }
  beforeEach(async () => {
    aheadSeconds = 0
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, handlers)
    await world.ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
    await setOptionsIn(world.ctx, { ServerAddress: 'https://console.test', SystemName: 'Gate' })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  interface Owner {
    readonly id: number
    readonly username: string
    readonly session: SignedIn
    readonly browser: Browser
  }
  const anOwner = async (seed: { role?: number; email?: string } = {}): Promise<Owner> => {
    const account = await anAccount(world.ctx, { password, ...seed })
    const session = await site.signIn(account.id)
    return { ...account, session, browser: aBrowser(site, { as: session }) }
  }
  const proofOf = async (browser: Browser, purpose = 'factors') => {
    const { text } = await browser.call('POST', '/api/user/step_up', { body: { purpose, password } })
    return { 'Tollgate-Step-Up': Proof.parse(JSON.parse(text)).data.proof }
  }
  const codeAt = (secret: string, seconds = 0) =>
    totpCode(bytesOf(secret), stepAt(Math.floor(clock.now() / 1000) + seconds))
  /** Sets up an authenticator app, and lets its first time step pass. */
  const setUpTotp = async ({ browser }: Owner) => {
    const begun = await browser.call('POST', '/api/user/factors/totp/begin', { headers: await proofOf(browser) })
    const { token, secret } = Begun.parse(JSON.parse(begun.text)).data
    const done = await browser.call('POST', '/api/user/factors/totp', { body: { token, code: codeAt(secret) } })
    expect(done.outcome).toBe('ok')
    aheadSeconds += 30
    return { secret, recoveryCodes: Codes.parse(JSON.parse(done.text)).data.recovery_codes ?? [] }
  }
  const addPasskey = async ({ browser }: Owner, authenticator = anAuthenticator(), name = 'Laptop') => {
    const begun = await browser.call('POST', '/api/user/passkeys/begin', { headers: await proofOf(browser) })
    const request = AskedNewPasskey.parse(JSON.parse(begun.text)).data
    const answer = authenticator.create(request)
    const { outcome } = await browser.call('POST', '/api/user/passkeys', { body: { name, answer } })
    return { authenticator, outcome, request, answer }
  }
  /** Gives the password in a new browser. */
  const halfway = async (username: string, browser = aBrowser(site)) => {
    const { outcome, text } = await browser.call('POST', '/api/user/login', { body: { username, password } })
    expect(outcome).toBe('login.second_factor')
    const complete = async (proof: object, by = browser) =>
      (await by.call('POST', '/api/user/login/factor', { body: { token: asked.token, proof } })).outcome
    const asked = Refused.parse(JSON.parse(text)).second_factor
    return { browser, asked, complete }
  }
  const totp = (code: string) => ({ kind: 'totp', code })
  const recovery = (code: string) => ({ kind: 'recovery_code', code })
  const overviewOf = async ({ browser }: Owner) =>
    Overview.parse(JSON.parse((await browser.call('GET', '/api/user/factors')).text)).data

  describe('an authenticator app', () => {
    test('is set up with a code of its secret, after the password, and its secret is nowhere in the database', async () => {
      const owner = await anOwner()
      expect((await owner.browser.call('POST', '/api/user/factors/totp/begin')).outcome).toBe('auth.step_up')
      const begun = await owner.browser.call('POST', '/api/user/factors/totp/begin', {
        headers: await proofOf(owner.browser),
      })
      const { token, secret, uri } = Begun.parse(JSON.parse(begun.text)).data
      expect(uri).toBe(`otpauth://totp/Gate:${owner.username}?secret=${secret}&issuer=Gate`)
      const confirm = async (code: string, by = owner.browser) =>
        (await by.call('POST', '/api/user/factors/totp', { body: { token, code } })).outcome
      expect(await confirm(codeAt(secret, 120))).toBe('factor.wrong')
      expect(await confirm(codeAt(secret), (await anOwner()).browser)).toBe('factor.wrong')
      expect(await confirm(codeAt(secret), aBrowser(site, { as: owner.session }))).toBe('factor.wrong')
      expect((await overviewOf(owner)).totp_since).toBeNull()
      expect(await confirm(codeAt(secret))).toBe('ok')
      expect(await confirm(codeAt(secret))).toBe('factor.wrong')
      const { query } = world.ctx.database
      const rows = [
        await query.selectFrom('totp_factors').selectAll().execute(),
        await query.selectFrom('flows').selectAll().execute(),
        await query.selectFrom('audit_log').selectAll().execute(),
      ]
      const bytes = Buffer.from(bytesOf(secret))
      for (const form of [secret, bytes.toString('base64'), bytes.toString('hex')]) {
        expect(JSON.stringify(rows)).not.toContain(form)
      }
    })

    test('is asked for after the password, and its code signs in once', async () => {
      const owner = await anOwner()
      const { secret } = await setUpTotp(owner)
      const first = await halfway(owner.username)
      expect(first.asked.factors).toEqual(['totp', 'recovery_code'])
      expect(first.asked.passkey).toBeUndefined()
      expect(await first.complete(totp(codeAt(secret, 120)))).toBe('factor.wrong')
      expect(await first.complete(totp(codeAt(secret)))).toBe('ok')
      expect(await first.complete(totp(codeAt(secret, 30)))).toBe('login.expired')
      const second = await halfway(owner.username)
      expect(await second.complete(totp(codeAt(secret)))).toBe('factor.wrong')
      expect(await second.complete(totp(codeAt(secret, -30)))).toBe('factor.wrong')
      aheadSeconds += 30
      expect(await second.complete(totp(codeAt(secret)))).toBe('ok')
    })

    test('lets one of many sign-ins with the same code in', async () => {
      const owner = await anOwner()
      const { secret } = await setUpTotp(owner)
      const halves = await Promise.all(Array.from({ length: 8 }, () => halfway(owner.username)))
      const outcomes = await Promise.all(halves.map(({ complete }) => complete(totp(codeAt(secret)))))
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
    })

    test('stands ten wrong codes in an hour, wherever they come from; recovery codes still work', async () => {
      const owner = await anOwner()
      const { secret, recoveryCodes } = await setUpTotp(owner)
      for (let guess = 0; guess < 10; guess += 1) {
        const { complete } = await halfway(owner.username)
        expect(await complete(totp(codeAt(secret, 300)))).toBe('factor.wrong')
      }
      const { complete } = await halfway(owner.username)
      expect(await complete(totp(codeAt(secret)))).toBe('rate.limited')
      expect(await complete(recovery(recoveryCodes[0] ?? ''))).toBe('ok')
    })

    test('is switched off after the password, and signs in no more', async () => {
      const owner = await anOwner()
      await setUpTotp(owner)
      const remove = async (headers = {}) =>
        (await owner.browser.call('DELETE', '/api/user/factors/totp', { headers })).outcome
      expect(await remove()).toBe('auth.step_up')
      expect(await remove(await proofOf(owner.browser, 'token_key'))).toBe('auth.step_up')
      expect(await remove(await proofOf(owner.browser))).toBe('ok')
      expect(await remove(await proofOf(owner.browser))).toBe('factor.none')
      const signIn = { body: { username: owner.username, password } }
      expect((await aBrowser(site).call('POST', '/api/user/login', signIn)).outcome).toBe('ok')
      expect((await overviewOf(owner)).recovery_codes).toBe(0)
    })
  })

  describe('recovery codes', () => {
    test('work once each, also when used twice at the same moment, in any spelling', async () => {
      const owner = await anOwner()
      const { recoveryCodes } = await setUpTotp(owner)
      expect(new Set(recoveryCodes).size).toBe(10)
      const [one = '', two = ''] = recoveryCodes
      const halves = await Promise.all(Array.from({ length: 6 }, () => halfway(owner.username)))
      const outcomes = await Promise.all(halves.map(({ complete }) => complete(recovery(one))))
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
      const { complete } = await halfway(owner.username)
      expect(await complete(recovery(two.toLowerCase().replaceAll('-', ' ')))).toBe('ok')
      expect((await overviewOf(owner)).recovery_codes).toBe(8)
      const rows = await world.ctx.database.query.selectFrom('recovery_codes').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(two.replaceAll('-', ''))
    })

    test('are of one account, and end with a renewal', async () => {
      const [owner, other] = [await anOwner(), await anOwner()]
      const { recoveryCodes } = await setUpTotp(owner)
      const { recoveryCodes: others } = await setUpTotp(other)
      const { complete } = await halfway(owner.username)
      expect(await complete(recovery(others[0] ?? ''))).toBe('factor.wrong')
      const path = '/api/user/factors/recovery_codes'
      expect((await owner.browser.call('POST', path)).outcome).toBe('auth.step_up')
      const { text } = await owner.browser.call('POST', path, { headers: await proofOf(owner.browser) })
      const renewed = z.object({ data: z.array(z.string()) }).parse(JSON.parse(text)).data
      expect(await complete(recovery(recoveryCodes[0] ?? ''))).toBe('factor.wrong')
      expect(await complete(recovery(renewed[0] ?? ''))).toBe('ok')
    })
  })

  describe('a half-finished sign-in', () => {
    test('opens nothing, and is of use in its own browser, once, for five minutes', async () => {
      const owner = await anOwner()
      const { secret } = await setUpTotp(owner)
      const { browser, complete, asked } = await halfway(owner.username)
      const as = { 'Tollgate-User': String(owner.id) }
      for (const headers of [as, { ...as, Authorization: asked.token }, { ...as, Cookie: `session=${asked.token}` }]) {
        const { outcome } = await browser.call('GET', '/api/user/self', { headers })
        expect(['auth.required', 'auth.token_invalid']).toContain(outcome)
      }
      expect(await complete(totp(codeAt(secret)), aBrowser(site))).toBe('login.expired')
      const other = await halfway(owner.username)
      expect(await complete(totp(codeAt(secret)), other.browser)).toBe('login.expired')
      aheadSeconds += 300
      expect(await complete(totp(codeAt(secret)))).toBe('login.expired')
    })

    test('is completed by factors of its own account alone', async () => {
      const [owner, other] = [await anOwner(), await anOwner()]
      await setUpTotp(owner)
      await setUpTotp(other)
      aheadSeconds += 60
      const { secret } = await setUpTotp(other)
      const { complete } = await halfway(owner.username)
      expect(await complete(totp(codeAt(secret)))).toBe('factor.wrong')
    })

    test('ends with the password, and with the account', async () => {
      const owner = await anOwner()
      const { secret } = await setUpTotp(owner)
      const before = await halfway(owner.username)
      const { query } = world.ctx.database
      const change = (values: object) => query.updateTable('users').set(values).where('id', '=', owner.id).execute()
      const { password_hash: hash } = await query
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', owner.id)
        .executeTakeFirstOrThrow()
      for (const [values, back] of [
        [{ password_hash: 'another' }, { password_hash: hash }],
        [{ status: 2 }, { status: 1 }],
        [{ deleted_at: 1 }, { deleted_at: null }],
      ] as const) {
        await change(values)
        expect(await before.complete(totp(codeAt(secret)))).toBe('login.expired')
        await change(back)
      }
      expect(await before.complete(totp(codeAt(secret)))).toBe('ok')
    })
  })

  describe('passkeys', () => {
    const signIn = async (browser: Browser, authenticator: ReturnType<typeof anAuthenticator>, said = {}) => {
      const { text } = await browser.call('POST', '/api/user/login/passkey/begin')
      const request = AskedPasskey.parse(JSON.parse(text)).data
      const answer = authenticator.get(request, said)
      const send = async (by = browser) =>
        (await by.call('POST', '/api/user/login/passkey', { body: { answer } })).outcome
      return { request, answer, send }
    }

    test('sign in without a user name, once for each challenge, in the browser that asked', async () => {
      const owner = await anOwner()
      const { authenticator, outcome, request } = await addPasskey(owner)
      expect(outcome).toBe('ok')
      expect(request.rp).toEqual({ id: 'console.test', name: 'Gate' })
      const browser = aBrowser(site)
      const { send, request: asked } = await signIn(browser, authenticator, { counter: 1 })
      expect(asked).toMatchObject({ rpId: 'console.test', userVerification: 'required', allowCredentials: [] })
      expect(await send(aBrowser(site))).toBe('passkey.failed')
      expect(await send()).toBe('ok')
      expect(await send()).toBe('passkey.failed')
      const self = await browser.call('GET', '/api/user/self', { headers: { 'Tollgate-User': String(owner.id) } })
      expect(self.outcome).toBe('ok')
      const [passkey] = (await overviewOf(owner)).passkeys
      expect(passkey).toMatchObject({
        name: 'Laptop',
        last_used_at: Math.floor(clock.now() / 1000),
        is_backed_up: false,
      })
    })

    test('are refused from another site, unverified, as a copy, for another user and unknown', async () => {
      const owner = await anOwner()
      const { authenticator } = await addPasskey(owner)
      const outcomeOf = async (said: object, by = authenticator) => (await signIn(aBrowser(site), by, said)).send()
      expect(await outcomeOf({ counter: 5 })).toBe('ok')
      expect(await outcomeOf({ counter: 5 })).toBe('passkey.failed')
      expect(await outcomeOf({ counter: 0 })).toBe('passkey.failed')
      expect(await outcomeOf({ counter: 6, origin: 'https://evil.test' })).toBe('passkey.failed')
      expect(await outcomeOf({ counter: 6, isUnverified: true })).toBe('passkey.failed')
      expect(await outcomeOf({ counter: 6, userHandle: 'c29tZW9uZQ' })).toBe('passkey.failed')
      expect(await outcomeOf({}, anAuthenticator())).toBe('passkey.failed')
      expect(await outcomeOf({ counter: 6 })).toBe('ok')
      await world.ctx.database.query.updateTable('users').set({ status: 2 }).where('id', '=', owner.id).execute()
      expect(await outcomeOf({ counter: 7 })).toBe('passkey.failed')
    })

    test('are a second factor after the password, of their own account, by the challenge of that sign-in', async () => {
      const [owner, other] = [await anOwner(), await anOwner()]
      const { authenticator } = await addPasskey(owner)
      const { authenticator: others } = await addPasskey(other)
      const { complete, asked } = await halfway(owner.username)
      const request = PasskeyRequest.parse(asked.passkey)
      expect(request.allowCredentials).toEqual([{ id: authenticator.id, type: 'public-key', transports: ['internal'] }])
      const passkey = (answer: object) => ({ kind: 'passkey', answer })
      expect(await complete(passkey(others.get(request)))).toBe('passkey.failed')
      const { answer, send } = await signIn(aBrowser(site), authenticator)
      expect(await complete(passkey(answer))).toBe('passkey.failed')
      expect(await send()).toBe('ok')
      expect(await complete(passkey(authenticator.get(request)))).toBe('ok')
    })

    test('prove again who one is, for one purpose of one user', async () => {
      const [owner, other] = [await anOwner(), await anOwner()]
      const { authenticator } = await addPasskey(owner)
      const { authenticator: others } = await addPasskey(other)
      const begin = async (purpose: string, { browser } = owner) => {
        const { text } = await browser.call('POST', '/api/user/step_up/passkey', { body: { purpose } })
        return AskedPasskey.parse(JSON.parse(text)).data
      }
      const prove = async (purpose: string, answer: object, { browser } = owner) =>
        (await browser.call('POST', '/api/user/step_up', { body: { purpose, factor: { kind: 'passkey', answer } } }))
          .outcome
      const request = await begin('factors')
      const answer = authenticator.get(request)
      expect(await prove('password', answer)).toBe('passkey.failed')
      expect(await prove('factors', answer, other)).toBe('passkey.failed')
      expect(await prove('factors', others.get(request))).toBe('passkey.failed')
      expect(await prove('factors', answer, { ...owner, browser: aBrowser(site, { as: owner.session }) })).toBe(
        'passkey.failed',
      )
      expect(await prove('factors', answer)).toBe('ok')
      expect(await prove('factors', answer)).toBe('passkey.failed')
    })

    test('are added to the account that asked, once, and listed, renamed and removed by their owner alone', async () => {
      const [owner, other] = [await anOwner(), await anOwner()]
      const { authenticator, answer } = await addPasskey(owner)
      const add = async ({ browser }: Owner, given: object) =>
        (await browser.call('POST', '/api/user/passkeys', { body: { name: 'x', answer: given } })).outcome
      expect(await add(owner, answer)).toBe('passkey.failed')
      expect(await add(other, answer)).toBe('passkey.failed')
      expect((await addPasskey(other, authenticator)).outcome).toBe('passkey.taken')
      const second = await addPasskey(owner, anAuthenticator(), 'Phone')
      expect(second.request.excludeCredentials.map(({ id }) => id)).toEqual([authenticator.id])
      const path = `/api/user/passkeys/${authenticator.id}`
      const rename = async ({ browser }: Owner, name: string) =>
        (await browser.call('PUT', path, { body: { name } })).outcome
      expect([await rename(other, 'Mine'), await rename(owner, ' Desk '), await rename(owner, ' ')]).toEqual([
        'passkey.none',
        'ok',
        'input.invalid',
      ])
      const remove = async ({ browser }: Owner) =>
        (await browser.call('DELETE', path, { headers: await proofOf(browser) })).outcome
      expect((await owner.browser.call('DELETE', path)).outcome).toBe('auth.step_up')
      expect(await remove(other)).toBe('passkey.none')
      expect((await overviewOf(owner)).passkeys.map(({ name }) => name).toSorted()).toEqual(['Desk', 'Phone'])
      expect(await remove(owner)).toBe('ok')
      expect((await overviewOf(owner)).passkeys.map(({ name }) => name)).toEqual(['Phone'])
    })

    test('need an address with a name; on this machine that of the request does', async () => {
      const owner = await anOwner()
      const begin = async (host: string) => {
        const headers = { ...(await proofOf(owner.browser)), host }
        const { outcome, text } = await owner.browser.call('POST', '/api/user/passkeys/begin', { headers })
        return outcome === 'ok' ? AskedNewPasskey.parse(JSON.parse(text)).data.rp.id : outcome
      }
      expect(await begin('evil.test')).toBe('console.test')
      await setOptionsIn(world.ctx, { ServerAddress: 'http://localhost:3000' })
      expect([await begin('localhost:8080'), await begin('evil.test'), await begin('127.0.0.1:3000')]).toEqual([
        'localhost',
        'passkey.no_address',
        'passkey.no_address',
      ])
      await setOptionsIn(world.ctx, { ServerAddress: 'https://192.0.2.1' })
      expect(await begin('localhost')).toBe('passkey.no_address')
      expect((await overviewOf(owner)).can_use_passkeys).toBe(false)
    })
  })

  test('a step-up takes a code once, also of an account without a password', async () => {
    const owner = await anOwner()
    const { secret } = await setUpTotp(owner)
    const { query } = world.ctx.database
    await query.updateTable('users').set({ password_hash: '' }).where('id', '=', owner.id).execute()
    aheadSeconds += 900
    const remove = (headers = {}) => owner.browser.call('DELETE', '/api/user/factors/totp', { headers })
    expect((await remove()).outcome).toBe('auth.step_up')
    const prove = () =>
      owner.browser.call('POST', '/api/user/step_up', { body: { purpose: 'factors', factor: totp(codeAt(secret)) } })
    const { text } = await prove()
    expect((await prove()).outcome).toBe('factor.wrong')
    const headers = { 'Tollgate-Step-Up': Proof.parse(JSON.parse(text)).data.proof }
    expect((await remove(headers)).outcome).toBe('ok')
    expect((await remove()).outcome).toBe('auth.sign_in_again')
  })

  describe('where the site asks for a second factor', () => {
    const ask = (value: string) => setOptionsIn(world.ctx, { SecondFactorRequired: value })

    test('who has none can set one up and do nothing else', async () => {
      const owner = await anOwner({ role: role.admin })
      const user = await anOwner()
      const token = { access_token_hash: new Bun.SHA256().update('the-token').digest('hex') }
      await world.ctx.database.query.updateTable('users').set(token).where('id', '=', owner.id).execute()
      await ask('admins')
      const reads = async ({ browser }: Owner) => (await browser.call('GET', '/api/token/')).outcome
      expect([await reads(owner), await reads(user)]).toEqual(['auth.factor_needed', 'ok'])
      const byToken = await site.send('GET', '/api/token/', { headers: { Authorization: 'the-token' } })
      expect(byToken.status).toBe(200)
      expect((await owner.browser.call('GET', '/api/user/self')).outcome).toBe('ok')
      await setUpTotp(owner)
      expect(await reads(owner)).toBe('ok')
      const remove = await owner.browser.call('DELETE', '/api/user/factors/totp', {
        headers: await proofOf(owner.browser),
      })
      expect(remove.outcome).toBe('factor.required')
      expect((await overviewOf(owner)).is_required).toBe(true)
    })

    test('the super admin sets one up first', async () => {
      const [root, admin] = [await anOwner({ role: role.root }), await anOwner({ role: role.admin })]
      const set = async ({ browser }: Owner, value: string) =>
        (await browser.call('PUT', '/api/option/', { body: { key: 'SecondFactorRequired', value } })).outcome
      expect(await set(admin, 'everyone')).toBe('option.root_only')
      expect([await set(root, 'root'), await set(root, 'everyone')]).toEqual(['option.own_factor', 'option.own_factor'])
      await setUpTotp(root)
      expect(await set(root, 'everyone')).toBe('ok')
    })
  })

  describe('mails', () => {
    let post: PostOffice
    beforeEach(async () => {
      post = await aPostOffice(world.ctx)
      await setOptionsIn(world.ctx, { ServerAddress: 'https://console.test' })
    })
    afterEach(() => post[Symbol.asyncDispose]())

    test('tell the owner of factors, of a new password and of a new device', async () => {
      const email = 'ann@example.com'
      const owner = await anOwner({ email })
      const device = aBrowser(site)
      const signIn = (browser: Browser) =>
        browser.call('POST', '/api/user/login', { body: { username: owner.username, password } })
      await signIn(device)
      expect(await post.subjectsTo(email)).toEqual([])
      aheadSeconds += 86_400
      await signIn(device)
      await signIn(aBrowser(site))
      const { authenticator } = await addPasskey(owner)
      await owner.browser.call('DELETE', `/api/user/passkeys/${authenticator.id}`, {
        headers: await proofOf(owner.browser),
      })
      await owner.browser.call('PUT', '/api/user/self', {
        body: { password: 'another horse', original_password: password },
      })
      expect(await post.subjectsTo(email)).toEqual([
        'New sign-in to your Gate account',
        'A second factor was added to your Gate account',
        'A second factor was removed from your Gate account',
        'Your Gate password was changed',
      ])
    })
  })

  test('the audit log tells what was done by whom, and with which factor', async () => {
    const owner = await anOwner()
    const { secret } = await setUpTotp(owner)
    const { complete } = await halfway(owner.username)
    await complete(totp(codeAt(secret, 300)))
    await complete(totp(codeAt(secret)))
    const rows = await world.ctx.database.query
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'outcome', 'after'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { action: 'self.step_up', user_id: owner.id, outcome: 'ok', after: '{"purpose":"factors"}' },
      { action: 'self.set_up_totp', user_id: owner.id, outcome: 'ok', after: '' },
      { action: 'session.begin', user_id: owner.id, outcome: 'factor.wrong', after: '{"factor":"totp"}' },
      { action: 'session.begin', user_id: owner.id, outcome: 'ok', after: '{"factor":"totp"}' },
    ])
  })

  test('all sessions but the own one are ended', async () => {
    const owner = await anOwner()
    const others = [await site.signIn(owner.id), await site.signIn(owner.id)]
    const stranger = await anOwner()
    const { text } = await owner.browser.call('DELETE', '/api/user/sessions')
    expect(JSON.parse(text)).toMatchObject({ data: 2 })
    for (const as of others) {
      expect((await aBrowser(site, { as }).call('GET', '/api/user/self')).outcome).toBe('auth.required')
    }
    for (const { browser } of [owner, stranger])
      expect((await browser.call('GET', '/api/user/self')).outcome).toBe('ok')
  })
})
