import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import { NewPasskeyRequest, PasskeyRequest } from '@tollgate/contract'
import { z } from 'zod'

import { anAuthenticator } from '../../../test/authenticator'
import { aBrowser, type Browser } from '../../../test/browser'
import { PasskeyChallenge, factorSite, type Owner } from '../../../test/factor-site'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'

setDefaultTimeout(120_000)

const NewPasskeyEnvelope = z.object({ data: NewPasskeyRequest })

describe.each(kinds)('passkeys (%s)', (kind) => {
  const once = onceOf(kind)

  const at = factorSite(kind)
  const { anOwner, proofOf, addPasskey, halfway, overviewOf } = at

  const signIn = async (browser: Browser, authenticator: ReturnType<typeof anAuthenticator>, overrides = {}) => {
    const { text } = await browser.call('POST', '/api/user/login/passkey/begin')
    const request = PasskeyChallenge.parse(JSON.parse(text)).data
    const assertion = authenticator.get(request, overrides)
    const send = async (by = browser) =>
      (await by.call('POST', '/api/user/login/passkey', { body: { answer: assertion } })).outcome
    return { request, assertion, send }
  }

  once.each(['packed', 'apple', 'tpm', 'android-key'])(
    'a passkey with an attestation, which was not asked for, is refused: %s',
    async (format) => {
      const authenticator = anAuthenticator()
      const attesting = {
        ...authenticator,
        create: (request: Parameters<typeof authenticator.create>[0]) => authenticator.create(request, format),
      }
      expect((await addPasskey(await anOwner(), attesting)).outcome).toBe('passkey.failed')
    },
  )

  once('passkeys sign in without a user name, once per challenge, in the browser that requested it', async () => {
    const owner = await anOwner()
    const { authenticator, outcome, request } = await addPasskey(owner)
    expect(outcome).toBe('ok')
    expect(request.rp).toEqual({ id: 'console.test', name: 'Gate' })
    const browser = aBrowser(at.site)
    const { send, request: challengeRequest } = await signIn(browser, authenticator, { counter: 1 })
    expect(challengeRequest).toMatchObject({ rpId: 'console.test', userVerification: 'required', allowCredentials: [] })
    expect(await send(aBrowser(at.site))).toBe('passkey.failed')
    expect(await send()).toBe('ok')
    expect(await send()).toBe('passkey.failed')
    const self = await browser.call('GET', '/api/user/self', { headers: { 'Tollgate-User': String(owner.id) } })
    expect(self.outcome).toBe('ok')
    const [passkey] = (await overviewOf(owner)).passkeys
    expect(passkey).toMatchObject({
      name: 'Laptop',
      last_used_at: at.ctx.clock.seconds(),
      is_backed_up: false,
    })
  })

  once('passkeys are refused from another site, unverified, as a copy, for another user and unknown', async () => {
    const owner = await anOwner()
    const { authenticator } = await addPasskey(owner)
    const outcomeOf = async (overrides: object, by = authenticator) =>
      (await signIn(aBrowser(at.site), by, overrides)).send()
    expect(await outcomeOf({ counter: 5 })).toBe('ok')
    expect(await outcomeOf({ counter: 5 })).toBe('passkey.failed')
    expect(await outcomeOf({ counter: 0 })).toBe('passkey.failed')
    expect(await outcomeOf({ counter: 6, origin: 'https://evil.test' })).toBe('passkey.failed')
    expect(await outcomeOf({ counter: 6, isUnverified: true })).toBe('passkey.failed')
    expect(await outcomeOf({ counter: 6, userHandle: 'c29tZW9uZQ' })).toBe('passkey.failed')
    expect(await outcomeOf({}, anAuthenticator())).toBe('passkey.failed')
    expect(await outcomeOf({ counter: 6 })).toBe('ok')
    await at.ctx.database.query.updateTable('users').set({ status: 2 }).where('id', '=', owner.id).execute()
    expect(await outcomeOf({ counter: 7 })).toBe('passkey.failed')
  })

  test('an imported passkey is known by its credential, and by its user from the first use on', async () => {
    const owner = await anOwner()
    const { authenticator } = await addPasskey(owner)
    await at.ctx.database.query
      .updateTable('passkeys')
      .set({ user_handle: '' })
      .where('user_id', '=', owner.id)
      .execute()
    const outcomeOf = async (overrides: object) => (await signIn(aBrowser(at.site), authenticator, overrides)).send()
    expect(await outcomeOf({ counter: 1, userHandle: 'Mg' })).toBe('ok')
    expect(await outcomeOf({ counter: 2, userHandle: 'Mw' })).toBe('passkey.failed')
    expect(await outcomeOf({ counter: 3, userHandle: 'Mg' })).toBe('ok')
  })

  once(
    'passkeys are a second factor after the password, of their own account, by the challenge of that sign-in',
    async () => {
      const [owner, other] = [await anOwner(), await anOwner()]
      const { authenticator } = await addPasskey(owner)
      const { authenticator: others } = await addPasskey(other)
      const { complete, asked } = await halfway(owner.username)
      const request = PasskeyRequest.parse(asked.passkey)
      expect(request.allowCredentials).toEqual([{ id: authenticator.id, type: 'public-key', transports: ['internal'] }])
      const passkey = (assertion: object) => ({ kind: 'passkey', answer: assertion })
      expect(await complete(passkey(others.get(request)))).toBe('passkey.failed')
      const { assertion, send } = await signIn(aBrowser(at.site), authenticator)
      expect(await complete(passkey(assertion))).toBe('passkey.failed')
      expect(await send()).toBe('ok')
      expect(await complete(passkey(authenticator.get(request)))).toBe('ok')
    },
  )

  once('passkeys prove an identity again, for one purpose of one user', async () => {
    const [owner, other] = [await anOwner(), await anOwner()]
    const { authenticator } = await addPasskey(owner)
    const { authenticator: others } = await addPasskey(other)
    const begin = async (purpose: string, { browser } = owner) => {
      const { text } = await browser.call('POST', '/api/user/step_up/passkey', { body: { purpose } })
      return PasskeyChallenge.parse(JSON.parse(text)).data
    }
    const prove = async (purpose: string, assertion: object, { browser } = owner) =>
      (
        await browser.call('POST', '/api/user/step_up', {
          body: { purpose, factor: { kind: 'passkey', answer: assertion } },
        })
      ).outcome
    const request = await begin('factors')
    const assertion = authenticator.get(request)
    expect(await prove('password', assertion)).toBe('passkey.failed')
    expect(await prove('factors', assertion, other)).toBe('passkey.failed')
    expect(await prove('factors', others.get(request))).toBe('passkey.failed')
    expect(await prove('factors', assertion, { ...owner, browser: aBrowser(at.site, { as: owner.session }) })).toBe(
      'passkey.failed',
    )
    expect(await prove('factors', assertion)).toBe('ok')
    expect(await prove('factors', assertion)).toBe('passkey.failed')
  })

  test('passkeys are added to the account that requested it, once, and listed, renamed and removed by their owner only', async () => {
    const [owner, other] = [await anOwner(), await anOwner()]
    const { authenticator, answer } = await addPasskey(owner)
    const add = async ({ browser }: Owner, credential: object) =>
      (await browser.call('POST', '/api/user/passkeys', { body: { name: 'x', answer: credential } })).outcome
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

  once('passkeys that are the only way to sign in cannot be removed', async () => {
    const owner = await anOwner()
    const { authenticator } = await addPasskey(owner)
    const headers = await proofOf(owner.browser)
    const path = `/api/user/passkeys/${authenticator.id}`
    await setOptionsIn(at.ctx, { PasswordLoginEnabled: 'false' })
    expect((await owner.browser.call('DELETE', path, { headers })).outcome).toBe('oauth.last')
    expect((await overviewOf(owner)).passkeys).toHaveLength(1)
    await setOptionsIn(at.ctx, { PasswordLoginEnabled: 'true' })
    expect((await owner.browser.call('DELETE', path, { headers })).outcome).toBe('ok')
  })

  once('passkeys need an address with a host name; on this machine that of the request suffices', async () => {
    const owner = await anOwner()
    const begin = async (host: string) => {
      const headers = { ...(await proofOf(owner.browser)), host }
      const { outcome, text } = await owner.browser.call('POST', '/api/user/passkeys/begin', { headers })
      return outcome === 'ok' ? NewPasskeyEnvelope.parse(JSON.parse(text)).data.rp.id : outcome
    }
    expect(await begin('evil.test')).toBe('console.test')
    await setOptionsIn(at.ctx, { ServerAddress: 'http://localhost:3000' })
    expect([await begin('localhost:8080'), await begin('evil.test'), await begin('127.0.0.1:3000')]).toEqual([
      'localhost',
      'passkey.no_address',
      'passkey.no_address',
    ])
    await setOptionsIn(at.ctx, { ServerAddress: 'https://192.0.2.1' })
    expect(await begin('localhost')).toBe('passkey.no_address')
    expect((await overviewOf(owner)).can_use_passkeys).toBe(false)
  })
})
