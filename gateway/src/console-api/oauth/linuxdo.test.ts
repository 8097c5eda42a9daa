import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { anAccount } from '../../../test/console-client'
import { anOAuthSite, aTraveller, proofOf, type OAuthSite } from '../../../test/oauth-site'

let ids = 0
const aPerson = (trustLevel: number) => ({ id: ++ids, login: `person-${ids}`, trust_level: trustLevel })

describe('Linux DO', () => {
  let world: OAuthSite
  beforeAll(async () => {
    world = await anOAuthSite('sqlite')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const signIn = () => aTraveller(world.site).signIn('linuxdo')

  test('Linux DO is called with Basic authentication and identifies users by numeric id', async () => {
    world.linuxdo.user = { ...aPerson(2), login: 'ann', name: 'Ann' }
    const { authorizeUrl, state } = await aTraveller(world.site).begin('linuxdo')
    expect(authorizeUrl.startsWith(`${world.linuxdo.url}/oauth2/authorize?`)).toBe(true)
    expect(Object.fromEntries(new URL(authorizeUrl).searchParams)).toEqual({
      response_type: 'code',
      client_id: 'stand-in-client',
      redirect_uri: 'https://gate.example.com/oauth/linuxdo',
      state,
    })
    const first = await signIn()
    expect(first).toMatchObject({ outcome: 'ok', user: { display_name: 'Ann' } })
    expect(first.user?.username).toBe('ann')
    world.linuxdo.user = { ...world.linuxdo.user, login: 'renamed' }
    expect((await signIn()).user?.id).toBe(first.user?.id ?? 0)
  })

  test('LinuxDOOAuthEnabled switched off refuses the sign-in', async () => {
    world.linuxdo.user = aPerson(4)
    await world.set({ LinuxDOOAuthEnabled: 'false' })
    expect((await aTraveller(world.site).begin('linuxdo')).outcome).toBe('oauth.off')
    await world.set({ LinuxDOOAuthEnabled: 'true' })
    expect((await signIn()).outcome).toBe('ok')
  })

  test('the client of the application takes effect', async () => {
    world.linuxdo.user = aPerson(4)
    const { clientId, clientSecret } = world.linuxdo
    await world.set({ LinuxDOClientId: 'another' })
    const { authorizeUrl } = await aTraveller(world.site).begin('linuxdo')
    expect(new URL(authorizeUrl).searchParams.get('client_id')).toBe('another')
    await world.set({ LinuxDOClientId: clientId, LinuxDOClientSecret: 'another' })
    expect((await signIn()).outcome).toBe('oauth.refused')
    await world.set({ LinuxDOClientSecret: clientSecret })
    expect((await signIn()).outcome).toBe('ok')
  })

  test.each([0, 1, 2, 3, 4])('LinuxDOMinimumTrustLevel %p refuses new members below it', async (minLevel) => {
    await world.set({ LinuxDOMinimumTrustLevel: String(minLevel) })
    for (const level of [0, 1, 2, 3, 4]) {
      world.linuxdo.user = aPerson(level)
      expect((await signIn()).outcome).toBe(level < minLevel ? 'oauth.trust' : 'ok')
    }
    await world.set({ LinuxDOMinimumTrustLevel: '0' })
  })

  test('a raised minimum still signs in existing members and refuses to link accounts below it', async () => {
    world.linuxdo.user = aPerson(1)
    const member = await signIn()
    await world.set({ LinuxDOMinimumTrustLevel: '3' })
    expect((await signIn()).user?.id).toBe(member.user?.id ?? 0)
    const account = await anAccount(world.ctx, { password: 'a long password' })
    const session = await world.site.signIn(account.id)
    const bind = async (level: number) => {
      world.linuxdo.user = aPerson(level)
      const browser = aTraveller(world.site, { as: session })
      const { authorizeUrl } = await browser.begin('linuxdo', {}, await proofOf(world.ctx, session))
      return (await browser.get('/api/oauth/linuxdo', await browser.visit(authorizeUrl))).outcome
    }
    expect(await bind(2)).toBe('oauth.trust')
    expect(await bind(3)).toBe('ok')
    await world.set({ LinuxDOMinimumTrustLevel: '0' })
  })

  test('a site without ServerAddress refuses to begin', async () => {
    await world.set({ ServerAddress: '' })
    expect((await aTraveller(world.site).begin('linuxdo')).outcome).toBe('oauth.address')
    await world.set({ ServerAddress: 'https://gate.example.com' })
  })
})
