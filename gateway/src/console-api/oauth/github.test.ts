import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { ProviderUser } from '@tollgate/simulator'

import { anAccount } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { anOAuthSite, aTraveller, proofOf, type OAuthSite } from '../../../test/oauth-site'

let ids = 1000
const aPerson = (more: Partial<ProviderUser> = {}): ProviderUser => {
  ids += 1
  return { id: ids, login: `login-${ids}`, ...more }
}

describe.each(kinds)('GitHub (%s)', (kind) => {
  const once = onceOf(kind)

  let world: OAuthSite
  beforeAll(async () => {
    world = await anOAuthSite(kind)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const traveller = (...options: Parameters<typeof aTraveller> extends [unknown, ...infer Rest] ? Rest : never) =>
    aTraveller(world.site, ...options)
  const rowOf = (id = 0) =>
    world.ctx.database.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const countUsers = async () => {
    const { count } = await world.ctx.database.query
      .selectFrom('users')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  once('a new member is registered on the first sign-in and recognized on the next', async () => {
    await using _restored = await withOptions({ QuotaForNewUser: '700' })
    world.github.user = aPerson({ name: 'Ann\nB. \u0007Carr' })
    const first = await traveller().signIn('github', { return_to: '/app/wallet?code=1' })
    expect(first).toMatchObject({ outcome: 'ok', action: 'login', returnTo: '/app/wallet?code=1' })
    const id = first.user?.id ?? 0
    const user = await rowOf(id)
    expect(user).toMatchObject({ display_name: 'Ann B. Carr', role: 1, status: 1, password_hash: '', email: null })
    expect(user.username).toBe(world.github.user.login)
    expect((await world.ctx.ledger.balanceOf([id])).get(id)).toBe(700)
    const again = await traveller().signIn('github')
    expect(again).toMatchObject({ outcome: 'ok', user: { id }, returnTo: null })
    expect((await world.ctx.ledger.balanceOf([id])).get(id)).toBe(700)
  })

  test('a member with a second factor is asked for it, and the destination of the sign-in is kept', async () => {
    world.github.user = aPerson()
    const { user } = await traveller().signIn('github')
    await world.ctx.database.query
      .insertInto('totp_factors')
      .values({ user_id: user?.id ?? 0, secret_sealed: 'never-opened', last_step: 0, created_at: 0 })
      .execute()
    const result = await traveller().signIn('github', { return_to: '/pricing' })
    expect(result).toMatchObject({ outcome: 'login.second_factor', secondFactor: { return_to: '/pricing' } })
    const plain = await traveller().signIn('github')
    expect(plain.secondFactor).not.toContainKey('return_to')
  })

  once('GitHub is called with the client id and secret', async () => {
    world.github.user = aPerson()
    const browser = traveller()
    const { authorizeUrl, state } = await browser.begin('github')
    const { searchParams, origin, pathname } = new URL(authorizeUrl)
    expect(origin + pathname).toBe(`${world.github.url}/login/oauth/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({ client_id: 'stand-in-client', scope: 'user:email', state })
    expect(state).toMatch(/^[\w-]{43}$/)
    expect((await browser.get('/api/oauth/github', await browser.visit(authorizeUrl))).outcome).toBe('ok')
    const sent = world.github.calls.findLast(({ path }) => path === '/login/oauth/access_token')
    expect(JSON.parse(sent?.body ?? '{}')).toEqual({
      client_id: 'stand-in-client',
      client_secret: 'stand-in-secret',
      code: expect.stringMatching(/^[0-9a-f]{20}$/),
    })
  })

  once(
    'users are identified by numeric id: a renamed login keeps its account, and a reused login gets another',
    async () => {
      const ann = aPerson({ login: 'ann' })
      world.github.user = ann
      const before = await traveller().signIn('github')
      world.github.user = { ...ann, login: 'ann-carr' }
      expect((await traveller().signIn('github')).user?.id).toBe(before.user?.id ?? 0)
      world.github.user = aPerson({ login: 'ann' })
      const other = await traveller().signIn('github')
      expect(other.outcome).toBe('ok')
      expect(other.user?.id).not.toBe(before.user?.id ?? 0)
    },
  )

  once(
    'the verified primary address of a new member is stored if it is free, and accounts are never merged',
    async () => {
      const taken = await anAccount(world.ctx, { email: `taken-${kind}@example.com`, password: 'a long password' })
      const email = `ann-${kind}@example.com`
      const entry = { primary: true, verified: true }
      const emailFor = async (...emails: object[]) => {
        world.github.user = aPerson({ emails })
        const { user } = await traveller().signIn('github')
        expect(user?.id).not.toBe(taken.id)
        return (await rowOf(user?.id)).email
      }
      expect(await emailFor({ email, ...entry, verified: false })).toBeNull()
      expect(await emailFor({ email, ...entry, primary: false })).toBeNull()
      expect(await emailFor({ email: `TAKEN-${kind}@example.com`, ...entry })).toBeNull()
      expect(await emailFor({ email: email.toUpperCase(), ...entry })).toBe(email)
      await using _restored = await withOptions({
        EmailDomainRestrictionEnabled: 'true',
        EmailDomainWhitelist: 'example.org',
      })
      expect(await emailFor({ email: `bob-${kind}@example.com`, ...entry })).toBeNull()
    },
  )

  once('the inviter of a new member is credited while invitations are enabled', async () => {
    const inviter = await anAccount(world.ctx)
    const { aff_code: aff } = await rowOf(inviter.id)
    const inviterWith = async (code: string) => {
      world.github.user = aPerson()
      const { user } = await traveller().signIn('github', { aff: code })
      return (await rowOf(user?.id)).inviter_id
    }
    expect(await inviterWith(aff)).toBe(inviter.id)
    expect(await inviterWith('unknown')).toBe(0)
    await using _restored = await withOptions({ AffEnabled: 'false' })
    expect(await inviterWith(aff)).toBe(0)
  })

  once(
    'a first sign-in needs an invitation code where the site is by invitation only, and later ones do not',
    async () => {
      const { aff_code: aff } = await rowOf((await anAccount(world.ctx)).id)
      const before = await countUsers()
      world.github.user = aPerson()
      {
        await using _restored = await withOptions({ InvitationRequired: 'true' })
        for (const code of ['', 'unknown'])
          expect(await traveller().signIn('github', { aff: code })).toMatchObject({ outcome: 'register.invitation' })
        expect(await countUsers()).toBe(before)
        expect(await traveller().signIn('github', { aff })).toMatchObject({ outcome: 'ok' })
        expect(await traveller().signIn('github')).toMatchObject({ outcome: 'ok' })
      }
      expect(await countUsers()).toBe(before + 1)
    },
  )

  describe('options', () => {
    once('GitHubOAuthEnabled switched off refuses both the state and the callback', async () => {
      world.github.user = aPerson()
      const browser = traveller()
      const started = await browser.begin('github')
      const back = await browser.visit(started.authorizeUrl)
      await using _restored = await withOptions({ GitHubOAuthEnabled: 'false' })
      expect((await browser.begin('github')).outcome).toBe('oauth.off')
      expect((await browser.get('/api/oauth/github', back)).outcome).toBe('oauth.off')
    })

    once('RegisterEnabled switched off refuses new members and signs in existing ones', async () => {
      const member = aPerson()
      world.github.user = member
      const { user } = await traveller().signIn('github')
      await using _restored = await withOptions({ RegisterEnabled: 'false' })
      expect((await traveller().signIn('github')).user?.id).toBe(user?.id ?? 0)
      world.github.user = aPerson()
      const before = await countUsers()
      expect((await traveller().signIn('github')).outcome).toBe('register.off')
      expect(await countUsers()).toBe(before)
    })

    once('PasswordRegisterEnabled switched off does not affect external registration', async () => {
      await using _restored = await withOptions({ PasswordRegisterEnabled: 'false', PasswordLoginEnabled: 'false' })
      world.github.user = aPerson()
      expect((await traveller().signIn('github')).outcome).toBe('ok')
    })

    once('a demonstration site signs members in but neither registers nor links accounts', async () => {
      world.github.user = aPerson()
      await traveller().signIn('github')
      const member = await anAccount(world.ctx, { password: 'a long password' })
      const session = await world.site.signIn(member.id)
      await using _restored = await withOptions({ DemoSiteEnabled: 'true' })
      expect((await traveller().signIn('github')).outcome).toBe('ok')
      const started = await traveller({ as: session }).begin('github', {}, await proofOf(world.ctx, session))
      expect(started.outcome).toBe('demo.read_only')
      world.github.user = aPerson()
      expect((await traveller().signIn('github')).outcome).toBe('demo.read_only')
    })

    test('the client ID names the application that a browser is sent to', async () => {
      await using _restored = await withOptions({ GitHubClientId: 'another' })
      const { authorizeUrl } = await traveller().begin('github')
      expect(new URL(authorizeUrl).searchParams.get('client_id')).toBe('another')
    })

    once('a client secret that GitHub rejects is refused', async () => {
      await using _restored = await withOptions({ GitHubClientSecret: 'another' })
      world.github.user = aPerson()
      expect((await traveller().signIn('github')).outcome).toBe('oauth.refused')
    })
  })

  describe('attacks', () => {
    once('a state that is missing, invented, expired or from another browser is refused', async () => {
      world.github.user = aPerson()
      const [ann, eve] = [traveller(), traveller()]
      const { authorizeUrl } = await eve.begin('github')
      const back = await eve.visit(authorizeUrl)
      await ann.begin('github')
      expect(await ann.get('/api/oauth/github', back)).toMatchObject({ outcome: 'oauth.state', status: 403 })
      expect((await traveller().get('/api/oauth/github', back)).outcome).toBe('oauth.state')
      expect((await ann.get('/api/oauth/github', { code: back['code'] ?? '' })).outcome).toBe('oauth.state')
      expect((await ann.get('/api/oauth/github', { ...back, state: 'x'.repeat(43) })).outcome).toBe('oauth.state')
      world.passSeconds(601)
      expect((await eve.get('/api/oauth/github', back)).outcome).toBe('oauth.state')
    })

    once('a replayed callback and a replayed code are refused', async () => {
      world.github.user = aPerson()
      const browser = traveller()
      const back = await browser.visit((await browser.begin('github')).authorizeUrl)
      expect((await browser.get('/api/oauth/github', back)).outcome).toBe('ok')
      expect((await browser.get('/api/oauth/github', back)).outcome).toBe('oauth.state')
      const { state } = await browser.begin('github')
      expect((await browser.get('/api/oauth/github', { ...back, state })).outcome).toBe('oauth.refused')
    })

    once('a state for another provider is refused and stays usable for its own', async () => {
      world.github.user = aPerson()
      world.linuxdo.user = aPerson()
      const browser = traveller()
      const ofLinuxDo = await browser.begin('linuxdo')
      const back = await browser.visit((await browser.begin('github')).authorizeUrl)
      expect((await browser.get('/api/oauth/github', { ...back, state: ofLinuxDo.state })).outcome).toBe('oauth.state')
      expect((await browser.get('/api/oauth/linuxdo', back)).outcome).toBe('oauth.state')
      expect((await browser.get('/api/oauth/github', back)).outcome).toBe('ok')
    })

    test('one of a hundred concurrent callbacks with one code signs in, and one account is created', async () => {
      world.github.user = aPerson()
      const browser = traveller()
      const back = await browser.visit((await browser.begin('github')).authorizeUrl)
      const before = await countUsers()
      const results = await Promise.all(Array.from({ length: 100 }, () => browser.get('/api/oauth/github', back)))
      expect(results.filter(({ outcome }) => outcome === 'ok')).toHaveLength(1)
      expect(results.filter(({ outcome }) => outcome === 'oauth.state')).toHaveLength(99)
      expect(await countUsers()).toBe(before + 1)
    })

    test('a person who registers in twenty browsers at once gets one account', async () => {
      world.github.user = aPerson()
      const before = await countUsers()
      const results = await Promise.all(Array.from({ length: 20 }, () => traveller().signIn('github')))
      expect(new Set(results.map(({ outcome, user }) => `${outcome} ${user?.id}`)).size).toBe(1)
      expect(results[0]?.outcome).toBe('ok')
      expect(await countUsers()).toBe(before + 1)
    })

    once.each(['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)'])(
      'return_to %p is refused',
      async (returnTo) => {
        expect((await traveller().begin('github', { return_to: returnTo })).outcome).toBe('input.invalid')
      },
    )

    once('a cross-site request can neither begin nor finish a sign-in', async () => {
      world.github.user = aPerson()
      const browser = traveller()
      const fromElsewhere = { 'Sec-Fetch-Site': 'cross-site' }
      expect((await browser.begin('github', {}, fromElsewhere)).outcome).toBe('auth.forbidden')
      const back = await browser.visit((await browser.begin('github')).authorizeUrl)
      expect((await browser.get('/api/oauth/github', back, fromElsewhere)).outcome).toBe('auth.forbidden')
    })

    once('banned and closed accounts are refused', async () => {
      world.github.user = aPerson()
      const { user } = await traveller().signIn('github')
      const change = (values: { status?: number; deleted_at?: number }) =>
        world.ctx.database.query
          .updateTable('users')
          .set(values)
          .where('id', '=', user?.id ?? 0)
          .execute()
      await change({ status: 2 })
      expect((await traveller().signIn('github')).outcome).toBe('user.banned')
      await change({ status: 1, deleted_at: 1 })
      expect((await traveller().signIn('github')).outcome).toBe('user.deregistered')
    })
  })

  once('a denied authorization and an outage of GitHub are reported as such', async () => {
    world.github.user = null
    expect((await traveller().signIn('github')).outcome).toBe('oauth.denied')
    world.github.user = aPerson()
    const browser = traveller()
    const back = await browser.visit((await browser.begin('github')).authorizeUrl)
    world.github.isDown = true
    expect((await browser.get('/api/oauth/github', back)).outcome).toBe('oauth.unreachable')
    world.github.isDown = false
  })

  once('the audit log names the user and the linked account, and contains no code or state', async () => {
    const person = aPerson()
    world.github.user = person
    const account = await anAccount(world.ctx, { password: 'a long password' })
    const session = await world.site.signIn(account.id)
    const browser = traveller({ as: session })
    const { authorizeUrl } = await browser.begin('github', {}, await proofOf(world.ctx, session))
    const back = await browser.visit(authorizeUrl)
    await browser.get('/api/oauth/github', back)
    await traveller().signIn('github')
    const rows = await world.ctx.database.query
      .selectFrom('audit_log')
      .selectAll()
      .where('user_id', '=', account.id)
      .orderBy('id')
      .execute()
    expect(rows.map(({ action, outcome, means, after }) => [action, outcome, means, after])).toEqual([
      ['session.external', 'ok', 'session', JSON.stringify({ github: String(person.id) })],
      ['session.external', 'ok', 'guest', ''],
    ])
    const whole = JSON.stringify(rows)
    for (const secret of Object.values(back)) expect(whole).not.toContain(secret)
  })

  once('a state without a provider works for GitHub but not for OpenID Connect', async () => {
    world.github.user = aPerson()
    const browser = traveller()
    const { data, authorizeUrl } = await browser.get('/api/oauth/state')
    expect(authorizeUrl).toBeNull()
    const query = `client_id=${world.github.clientId}&state=${String(data)}`
    const back = await browser.visit(`${world.github.url}/login/oauth/authorize?${query}`)
    expect((await browser.get('/api/oauth/oidc', back)).outcome).toBe('oauth.off')
    expect((await browser.get('/api/oauth/github', back)).outcome).toBe('ok')
  })

  async function withOptions(values: Record<string, string>) {
    await world.set(values)
    return {
      [Symbol.asyncDispose]: async () => {
        const { query } = world.ctx.database
        const own = {
          GitHubOAuthEnabled: 'true',
          GitHubClientId: world.github.clientId,
          GitHubClientSecret: world.github.clientSecret,
        }
        await query.deleteFrom('options').where('key', 'in', Object.keys(values)).execute()
        await world.set(Object.fromEntries(Object.entries(own).filter(([key]) => key in values)))
        await world.ctx.catalog.rebuild()
      },
    }
  }
})
