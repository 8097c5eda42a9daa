import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { role } from '@tollgate/contract'

import { anAccount } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { anOAuthSite, aTraveller, proofOf, type OAuthSite } from '../../../test/oauth-site'
import { aForgingProvider, type ForgingProvider, type Forgery } from '../../../test/oidc/forging-provider'

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe.each(kinds)('OpenID Connect (%s)', (kind) => {
  const once = onceOf(kind)

  let world: OAuthSite
  let provider: ForgingProvider
  beforeAll(async () => {
    world = await anOAuthSite(kind)
    provider = await aForgingProvider()
    await useProvider(provider)
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })
  afterEach(() => {
    provider.forge = {}
  })

  const useProvider = ({ wellKnown, clientId, clientSecret }: ForgingProvider) =>
    world.set({
      'oidc.enabled': 'true',
      'oidc.well_known': wellKnown,
      'oidc.client_id': clientId,
      'oidc.client_secret': clientSecret,
    })

  let subjects = 0
  const aSubject = () => `subject-${(subjects += 1)}`
  const signIn = async (subject: string, query: Record<string, string> = {}) => {
    const browser = aTraveller(world.site)
    const started = await browser.begin('oidc')
    if (started.outcome !== 'ok') return started
    return browser.get('/api/oauth/oidc', { ...provider.authorize(started.authorizeUrl, subject), ...query })
  }
  const outcomeOf = async (...args: Parameters<typeof signIn>) => (await signIn(...args)).outcome
  const rowOf = (id = 0) =>
    world.ctx.database.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  once('the authorize URL carries a fresh state, nonce and PKCE challenge', async () => {
    const readAuthorizeUrl = async () => {
      const { authorizeUrl, state } = await aTraveller(world.site).begin('oidc')
      const { origin, pathname, searchParams } = new URL(authorizeUrl)
      expect(origin + pathname).toBe(`${provider.url}/authorize`)
      const query = Object.fromEntries(searchParams)
      expect(query).toMatchObject({
        response_type: 'code',
        client_id: provider.clientId,
        redirect_uri: 'https://gate.example.com/oauth/oidc',
        scope: 'openid profile email',
        code_challenge_method: 'S256',
        state,
      })
      return query
    }
    const [one, other] = [await readAuthorizeUrl(), await readAuthorizeUrl()]
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one[name]).toMatch(/^[\w-]{43}$/)
      expect(one[name]).not.toBe(other[name] ?? '')
    }
  })

  once('a new member is registered by subject and recognized on the next sign-in', async () => {
    const subject = aSubject()
    const email = `${subject}-${kind}@example.com`
    provider.forge = { claims: { name: 'Ann Carr', preferred_username: `ann-${kind}`, email, email_verified: true } }
    const first = await signIn(subject)
    expect(first).toMatchObject({ outcome: 'ok', user: { username: `ann-${kind}`, display_name: 'Ann Carr' } })
    expect(await rowOf(first.user?.id)).toMatchObject({ email, password_hash: '' })
    provider.forge = { claims: { preferred_username: 'renamed', email: 'other@example.com', email_verified: true } }
    expect((await signIn(subject)).user?.id).toBe(first.user?.id ?? 0)
    expect(await rowOf(first.user?.id)).toMatchObject({ email, username: `ann-${kind}` })
  })

  once.each(['in@valid', 'a name of more than twenty characters', '', 'taken'])(
    'a preferred user name that is invalid or taken, %p, is replaced',
    async (username) => {
      if (username === 'taken') await anAccount(world.ctx, { username: 'TAKEN' })
      provider.forge = { claims: { preferred_username: username } }
      expect((await signIn(aSubject())).user?.username).toMatch(/^oidc_[a-z2-9]{6}$/)
    },
  )

  once('an unverified mail address is not stored', async () => {
    for (const verified of [undefined, false, 'true', null]) {
      provider.forge = { claims: { email: `unverified-${kind}@example.com`, email_verified: verified } }
      const { user } = await signIn(aSubject())
      expect((await rowOf(user?.id)).email).toBeNull()
    }
  })

  once('a verified address that a member has merges no accounts', async () => {
    const email = `member-${kind}@example.com`
    const member = await anAccount(world.ctx, { email, password: 'a long password' })
    provider.forge = { claims: { email, email_verified: true } }
    const { outcome, user } = await signIn(aSubject())
    expect(outcome).toBe('ok')
    expect(user?.id).not.toBe(member.id)
    expect((await rowOf(user?.id)).email).toBeNull()
  })

  once('the user info supplements the ID token if its subject is the same', async () => {
    provider.forge = { userInfo: { name: 'Ann of the user info' } }
    expect((await signIn(aSubject())).user?.display_name).toBe('Ann of the user info')
    provider.forge = { userInfo: { sub: 'another' } }
    expect(await outcomeOf(aSubject())).toBe('oauth.refused')
  })

  describe('an ID token is refused', () => {
    const cases: Record<string, () => Forgery> = {
      'without a signature': () => ({
        token: (claims) => `${base64({ alg: 'none' })}.${base64(claims)}.`,
      }),
      'with the algorithm none in other letters': () => ({
        token: (claims) => `${base64({ alg: 'nOnE' })}.${base64(claims)}.`,
      }),
      'signed with the client secret': () => ({
        token: (claims) => {
          const text = `${base64({ alg: 'HS256' })}.${base64(claims)}`
          const mac = new Bun.CryptoHasher('sha256', provider.clientSecret).update(text).digest('base64url')
          return `${text}.${mac}`
        },
      }),
      'signed with a key that is not published': () => ({ usesForeignKey: true }),
      'naming a key that is not published': () => ({ header: { kid: 'unknown' } }),
      'changed after it was signed': () => ({
        token: (claims) => `${base64({ alg: 'RS256' })}.${base64(claims)}.${base64({ not: 'a signature' })}`,
      }),
      'of another issuer': () => ({ claims: { iss: 'https://evil.example' } }),
      'for another client': () => ({ claims: { aud: 'another' } }),
      'for several clients without saying whose it is': () => ({ claims: { aud: [provider.clientId, 'another'] } }),
      'for several clients and another’s': () => ({ claims: { aud: [provider.clientId, 'b'], azp: 'b' } }),
      'that expired': () => ({ claims: { iat: world.now() - 700, exp: world.now() - 100 } }),
      'without an expiry': () => ({ claims: { exp: null } }),
      'with another nonce': () => ({ claims: { nonce: 'another' } }),
      'without a nonce': () => ({ claims: { nonce: null } }),
      'without a subject': () => ({ claims: { sub: null } }),
      'that cannot be parsed': () => ({ token: () => 'nonsense' }),
    }
    once.each(Object.keys(cases))('an ID token with %s is refused', async (name) => {
      const subject = aSubject()
      provider.forge = cases[name]?.() ?? {}
      expect(await outcomeOf(subject)).toBe('oauth.refused')
      provider.forge = {}
      expect(await outcomeOf(subject)).toBe('ok')
    })

    once('an ID token with an empty subject is refused', async () => {
      provider.forge = { claims: { sub: ' ' } }
      expect(await outcomeOf('unused')).toBe('oauth.empty')
    })
  })

  once('rotated signing keys take effect at once', async () => {
    const subject = aSubject()
    const before = await signIn(subject)
    await provider.rotateKey()
    expect((await signIn(subject)).user?.id).toBe(before.user?.id ?? 0)
  })

  once('clock skew of up to a minute is tolerated', async () => {
    provider.forge = { claims: { iat: world.now() - 630, exp: world.now() - 30 } }
    expect(await outcomeOf(aSubject())).toBe('ok')
  })

  describe('swapped issuers', () => {
    once('a response with another `iss` is refused, and a missing one where the provider promises it', async () => {
      expect(await outcomeOf(aSubject(), { iss: 'https://evil.example' })).toBe('oauth.refused')
      expect(await outcomeOf(aSubject(), { iss: provider.url })).toBe('ok')
      provider.forge = { discovered: { authorization_response_iss_parameter_supported: true } }
      expect(await outcomeOf(aSubject())).toBe('oauth.refused')
    })

    once('a discovery document of another issuer is refused', async () => {
      provider.forge = { discovered: { issuer: 'https://evil.example' } }
      expect((await aTraveller(world.site).begin('oidc')).outcome).toBe('oauth.discovery')
    })

    once('a callback is refused if the provider was changed since the state was created', async () => {
      await using other = await aForgingProvider()
      const browser = aTraveller(world.site)
      const { authorizeUrl } = await browser.begin('oidc')
      await useProvider(other)
      const back = other.authorize(authorizeUrl, aSubject())
      expect((await browser.get('/api/oauth/oidc', back)).outcome).toBe('oauth.refused')
      await useProvider(provider)
    })

    once('the same subject at another issuer is another user', async () => {
      await using other = await aForgingProvider()
      const subject = aSubject()
      const { user } = await signIn(subject)
      await useProvider(other)
      const browser = aTraveller(world.site)
      const { authorizeUrl } = await browser.begin('oidc')
      const result = await browser.get('/api/oauth/oidc', other.authorize(authorizeUrl, subject))
      expect(result.outcome).toBe('ok')
      expect(result.user?.id).not.toBe(user?.id ?? 0)
      await useProvider(provider)
    })
  })

  once('a state of another browser, and a code with another PKCE verifier, are refused', async () => {
    const [ann, eve] = [aTraveller(world.site), aTraveller(world.site)]
    const [ofAnn, ofEve] = [await ann.begin('oidc'), await eve.begin('oidc')]
    const back = provider.authorize(ofEve.authorizeUrl, aSubject())
    expect((await ann.get('/api/oauth/oidc', back)).outcome).toBe('oauth.state')
    expect((await ann.get('/api/oauth/oidc', { ...back, state: ofAnn.state })).outcome).toBe('oauth.refused')
    const { data: withoutProvider } = await eve.get('/api/oauth/state')
    expect((await eve.get('/api/oauth/oidc', { ...back, state: String(withoutProvider) })).outcome).toBe('oauth.state')
  })

  test('one of a hundred concurrent callbacks with one code signs in', async () => {
    const browser = aTraveller(world.site)
    const back = provider.authorize((await browser.begin('oidc')).authorizeUrl, aSubject())
    const results = await Promise.all(Array.from({ length: 100 }, () => browser.get('/api/oauth/oidc', back)))
    expect(results.filter(({ outcome }) => outcome === 'ok')).toHaveLength(1)
  })

  once('an account can be linked to the caller', async () => {
    const account = await anAccount(world.ctx, { password: 'a long password' })
    const session = await world.site.signIn(account.id)
    const browser = aTraveller(world.site, { as: session })
    const subject = aSubject()
    const { authorizeUrl } = await browser.begin('oidc', {}, await proofOf(world.ctx, session))
    const bound = await browser.get('/api/oauth/oidc', provider.authorize(authorizeUrl, subject))
    expect(bound).toMatchObject({ outcome: 'ok', action: 'bind' })
    expect((await signIn(subject)).user?.id).toBe(account.id)
  })

  once('each option takes effect', async () => {
    const subject = aSubject()
    await signIn(subject)
    const nowhere = 'http://127.0.0.1:1/'
    for (const [key, value, expected] of [
      ['oidc.enabled', 'false', 'oauth.off'],
      ['oidc.client_id', 'another', 'oauth.refused'],
      ['oidc.client_secret', 'another', 'oauth.refused'],
      ['oidc.well_known', '', 'oauth.discovery'],
      ['oidc.well_known', `${provider.url}/elsewhere`, 'oauth.discovery'],
      ['oidc.well_known', provider.url, 'ok'],
      ['oidc.well_known', `${nowhere}.well-known/openid-configuration`, 'oauth.unreachable'],
      ['oidc.token_endpoint', nowhere, 'oauth.unreachable'],
      ['oidc.token_endpoint', `${provider.url}/other-token`, 'ok'],
      ['RegisterEnabled', 'false', 'ok'],
    ] as const) {
      await world.set({ [key]: value })
      expect([key, value, await outcomeOf(subject)]).toEqual([key, value, expected])
      await world.set({ RegisterEnabled: 'true', 'oidc.token_endpoint': '' })
      await useProvider(provider)
    }
    await world.set({ 'oidc.authorization_endpoint': 'https://id.example/authorize' })
    expect((await aTraveller(world.site).begin('oidc')).authorizeUrl).toStartWith('https://id.example/authorize?')
    await world.set({ 'oidc.authorization_endpoint': '', 'oidc.user_info_endpoint': `${provider.url}/other-me` })
    await signIn(aSubject())
    expect(provider.parameters.at(-1)).toBe('/other-me')
    await world.set({ 'oidc.user_info_endpoint': '' })
  })

  once('a response over the size limit is refused', async () => {
    provider.forge = { discovered: { padding: 'x'.repeat(2 * 1024 * 1024) } }
    expect((await aTraveller(world.site).begin('oidc')).outcome).toBe('oauth.unreachable')
  })

  once('only the super admin can read the endpoints of a provider', async () => {
    const read = async (accountRole: number, wellKnown: string) => {
      const account = await anAccount(world.ctx, { role: accountRole })
      const browser = aTraveller(world.site, { as: await world.site.signIn(account.id) })
      return browser.get('/api/oauth/oidc/discovery', { well_known: wellKnown })
    }
    expect((await read(role.root, provider.wellKnown)).data).toEqual({
      issuer: provider.url,
      authorization_endpoint: `${provider.url}/authorize`,
      token_endpoint: `${provider.url}/token`,
      userinfo_endpoint: `${provider.url}/me`,
    })
    expect((await read(role.root, 'http://127.0.0.1:1')).outcome).toBe('oauth.unreachable')
    expect((await read(role.root, 'not an address')).outcome).toBe('oauth.discovery')
    expect((await read(role.root, 'file:///etc/passwd')).outcome).toBe('oauth.discovery')
    expect((await read(role.admin, provider.wellKnown)).outcome).toBe('auth.forbidden')
  })
})
