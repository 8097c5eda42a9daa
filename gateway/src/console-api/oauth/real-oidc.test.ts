import { describe, expect, test } from 'bun:test'

import { anOAuthSite, aTraveller } from '../../../test/oauth-site'
import { aRealProvider } from '../../../test/oidc/real-provider'

describe('oidc-provider', () => {
  test('a new member is registered with name and verified address, and recognized on the next sign-in', async () => {
    await using world = await anOAuthSite('sqlite')
    const ann = {
      sub: 'ann-7',
      name: 'Ann Carr',
      preferred_username: 'ann',
      email: 'ann@example.com',
      email_verified: true,
    }
    await using provider = await aRealProvider(ann, 'https://gate.example.com/oauth/oidc')
    await world.set({
      'oidc.enabled': 'true',
      'oidc.well_known': provider.wellKnown,
      'oidc.client_id': provider.clientId,
      'oidc.client_secret': provider.clientSecret,
    })
    const signIn = async () => {
      const browser = aTraveller(world.site)
      const { authorizeUrl } = await browser.begin('oidc')
      const back = await provider.visit(authorizeUrl)
      return { back, answered: await browser.get('/api/oauth/oidc', back) }
    }
    const { back, answered } = await signIn()
    expect(back['iss']).toBe(new URL(provider.wellKnown).origin)
    expect(answered).toMatchObject({ outcome: 'ok', user: { username: 'ann', display_name: 'Ann Carr' } })
    const { email } = await world.ctx.database.query
      .selectFrom('users')
      .select('email')
      .where('id', '=', answered.user?.id ?? 0)
      .executeTakeFirstOrThrow()
    expect(email).toBe('ann@example.com')
    const again = await signIn()
    expect(again.answered.user?.id).toBe(answered.user?.id ?? 0)
    const unfit = aTraveller(world.site)
    await unfit.begin('oidc')
    expect((await unfit.get('/api/oauth/oidc', again.back)).outcome).toBe('oauth.state')
  })
})
