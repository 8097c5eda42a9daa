import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { role } from '@tollgate/contract'
import { z } from 'zod'

import { aBrowser, type Browser } from '../../../test/browser'
import { TotpSetup, bytesOf, factorSite, password, Proof, recovery, totp, type Owner } from '../../../test/factor-site'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { aPostOffice, type PostOffice } from '../../../test/post-office'

setDefaultTimeout(120_000)

describe.each(kinds)('second factors (%s)', (kind) => {
  const once = onceOf(kind)

  const at = factorSite(kind)
  const { anOwner, proofOf, codeAt, setUpTotp, addPasskey, halfway, overviewOf } = at

  describe('an authenticator app', () => {
    once(
      'an app is set up with a code of its secret, after the password, and its secret is not stored in the clear',
      async () => {
        const owner = await anOwner()
        expect((await owner.browser.call('POST', '/api/user/factors/totp/begin')).outcome).toBe('auth.step_up')
        const started = await owner.browser.call('POST', '/api/user/factors/totp/begin', {
          headers: await proofOf(owner.browser),
        })
        const { token, secret, uri } = TotpSetup.parse(JSON.parse(started.text)).data
        expect(uri).toBe(`otpauth://totp/Gate:${owner.username}?secret=${secret}&issuer=Gate`)
        const confirm = async (code: string, by = owner.browser) =>
          (await by.call('POST', '/api/user/factors/totp', { body: { token, code } })).outcome
        expect(await confirm(codeAt(secret, 120))).toBe('factor.wrong')
        expect(await confirm(codeAt(secret), (await anOwner()).browser)).toBe('factor.wrong')
        expect(await confirm(codeAt(secret), aBrowser(at.site, { as: owner.session }))).toBe('factor.wrong')
        expect((await overviewOf(owner)).totp_since).toBeNull()
        expect(await confirm(codeAt(secret))).toBe('ok')
        expect(await confirm(codeAt(secret))).toBe('factor.wrong')
        const { query } = at.ctx.database
        const rows = [
          await query.selectFrom('totp_factors').selectAll().execute(),
          await query.selectFrom('flows').selectAll().execute(),
          await query.selectFrom('audit_log').selectAll().execute(),
        ]
        const bytes = Buffer.from(bytesOf(secret))
        for (const form of [secret, bytes.toString('base64'), bytes.toString('hex')]) {
          expect(JSON.stringify(rows)).not.toContain(form)
        }
      },
    )

    once('an app is required after the password, and its code signs in once', async () => {
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
      at.passSeconds(30)
      expect(await second.complete(totp(codeAt(secret)))).toBe('ok')
    })

    test('one of many sign-ins with the same code succeeds', async () => {
      const owner = await anOwner()
      const { secret } = await setUpTotp(owner)
      const halves = await Promise.all(Array.from({ length: 8 }, () => halfway(owner.username)))
      const outcomes = await Promise.all(halves.map(({ complete }) => complete(totp(codeAt(secret)))))
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
    })

    once(
      'an app is locked after ten wrong codes in an hour, wherever they come from; recovery codes still work',
      async () => {
        const owner = await anOwner()
        const { secret, recoveryCodes } = await setUpTotp(owner)
        for (let guess = 0; guess < 10; guess += 1) {
          const { complete } = await halfway(owner.username)
          expect(await complete(totp(codeAt(secret, 300)))).toBe('factor.wrong')
        }
        const { complete } = await halfway(owner.username)
        expect(await complete(totp(codeAt(secret)))).toBe('rate.limited')
        expect(await complete(recovery(recoveryCodes[0] ?? ''))).toBe('ok')
      },
    )

    once('an app is removed after the password, and no longer signs in', async () => {
      const owner = await anOwner()
      await setUpTotp(owner)
      const remove = async (headers = {}) =>
        (await owner.browser.call('DELETE', '/api/user/factors/totp', { headers })).outcome
      expect(await remove()).toBe('auth.step_up')
      expect(await remove(await proofOf(owner.browser, 'token_key'))).toBe('auth.step_up')
      expect(await remove(await proofOf(owner.browser))).toBe('ok')
      expect(await remove(await proofOf(owner.browser))).toBe('factor.none')
      const signIn = { body: { username: owner.username, password } }
      expect((await aBrowser(at.site).call('POST', '/api/user/login', signIn)).outcome).toBe('ok')
      expect((await overviewOf(owner)).recovery_codes).toBe(0)
    })
  })

  describe('recovery codes', () => {
    test('recovery codes work once each, also when used twice at the same moment, in any spelling', async () => {
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
      const rows = await at.ctx.database.query.selectFrom('recovery_codes').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(two.replaceAll('-', ''))
    })

    once('recovery codes belong to one account, and end with a renewal', async () => {
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
    test('a half-finished sign-in gives no access, and works in its own browser, once, for five minutes', async () => {
      const owner = await anOwner()
      const { secret } = await setUpTotp(owner)
      const { browser, complete, asked } = await halfway(owner.username)
      const as = { 'Tollgate-User': String(owner.id) }
      for (const headers of [as, { ...as, Authorization: asked.token }, { ...as, Cookie: `session=${asked.token}` }]) {
        const { outcome } = await browser.call('GET', '/api/user/self', { headers })
        expect(['auth.required', 'auth.token_invalid']).toContain(outcome)
      }
      expect(await complete(totp(codeAt(secret)), aBrowser(at.site))).toBe('login.expired')
      const other = await halfway(owner.username)
      expect(await complete(totp(codeAt(secret)), other.browser)).toBe('login.expired')
      at.passSeconds(300)
      expect(await complete(totp(codeAt(secret)))).toBe('login.expired')
    })

    once('a half-finished sign-in is only completed by factors of its own account', async () => {
      const [owner, other] = [await anOwner(), await anOwner()]
      await setUpTotp(owner)
      await setUpTotp(other)
      at.passSeconds(60)
      const { secret } = await setUpTotp(other)
      const { complete } = await halfway(owner.username)
      expect(await complete(totp(codeAt(secret)))).toBe('factor.wrong')
    })

    once('a half-finished sign-in ends with the password, and with the account', async () => {
      const owner = await anOwner()
      const { secret } = await setUpTotp(owner)
      const before = await halfway(owner.username)
      const { query } = at.ctx.database
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

  once('a step-up accepts a code once, also of an account without a password', async () => {
    const owner = await anOwner()
    const { secret } = await setUpTotp(owner)
    const { query } = at.ctx.database
    await query.updateTable('users').set({ password_hash: '' }).where('id', '=', owner.id).execute()
    at.passSeconds(900)
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

  describe('a site that requires a second factor', () => {
    test('a user without a required second factor can set one up and do nothing else', async () => {
      const owner = await anOwner({ role: role.admin })
      const user = await anOwner()
      const token = { access_token_hash: new Bun.SHA256().update('the-token').digest('hex') }
      await at.ctx.database.query.updateTable('users').set(token).where('id', '=', owner.id).execute()
      await setOptionsIn(at.ctx, { SecondFactorRequired: 'admins' })
      const reads = async ({ browser }: Owner) => (await browser.call('GET', '/api/token/')).outcome
      expect([await reads(owner), await reads(user)]).toEqual(['auth.factor_needed', 'ok'])
      const byToken = await at.site.send('GET', '/api/token/', { headers: { Authorization: 'the-token' } })
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

    once('the super admin must set one up first', async () => {
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
      post = await aPostOffice(at.ctx)
      await setOptionsIn(at.ctx, { ServerAddress: 'https://console.test' })
    })
    afterEach(() => post[Symbol.asyncDispose]())

    test('mails tell the owner about factors, a new password and a new device', async () => {
      const email = 'ann@example.com'
      const owner = await anOwner({ email })
      const device = aBrowser(at.site)
      const signIn = (browser: Browser) =>
        browser.call('POST', '/api/user/login', { body: { username: owner.username, password } })
      await signIn(device)
      expect(await post.subjectsTo(email)).toEqual([])
      at.passSeconds(86_400)
      await signIn(device)
      await signIn(aBrowser(at.site))
      const { authenticator } = await addPasskey(owner)
      await owner.browser.call('DELETE', `/api/user/passkeys/${authenticator.id}`, {
        headers: await proofOf(owner.browser),
      })
      await owner.browser.call('PUT', '/api/user/self', {
        body: { password: 'another horse', original_password: password },
      })
      // Those of one second are sent in any order.
      expect((await post.subjectsTo(email)).toSorted()).toEqual([
        'A second factor was added to your Gate account',
        'A second factor was removed from your Gate account',
        'New sign-in to your Gate account',
        'Your Gate password was changed',
      ])
    })
  })

  once('the audit log has what was done by whom, and with which factor', async () => {
    const owner = await anOwner()
    const { secret } = await setUpTotp(owner)
    const { complete } = await halfway(owner.username)
    await complete(totp(codeAt(secret, 300)))
    await complete(totp(codeAt(secret)))
    const rows = await at.ctx.database.query
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

  once('all sessions except the own one are ended', async () => {
    const owner = await anOwner()
    const others = [await at.site.signIn(owner.id), await at.site.signIn(owner.id)]
    const stranger = await anOwner()
    const { text } = await owner.browser.call('DELETE', '/api/user/sessions')
    expect(JSON.parse(text)).toMatchObject({ data: 2 })
    for (const as of others) {
      expect((await aBrowser(at.site, { as }).call('GET', '/api/user/self')).outcome).toBe('auth.required')
    }
    for (const { browser } of [owner, stranger])
      expect((await browser.call('GET', '/api/user/self')).outcome).toBe('ok')
  })
})
