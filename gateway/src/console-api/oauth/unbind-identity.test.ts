import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { ApiError, externalSignInRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { proofOf } from '../../../test/oauth-site'
import { setOptionsIn } from '../../../test/options'
import { aPostOffice, type PostOffice } from '../../../test/post-office'
import { aPasskeyRow } from '../../../test/rows'
import { createWorld, type World } from '../../../test/world'
import { claimIdentity, identityOwner, type IdentityProvider } from '../../accounts/identities/identities'
import { providerSwitches } from '../../accounts/identities/sign-in-providers'
import { oauthHandlers } from './oauth'

const password = 'correct horse'

describe.each(kinds)('unlinking an external account (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let subjects = 0
  let post: PostOffice
  const switchedOn = Object.fromEntries(Object.values(providerSwitches).map((key) => [key, 'true']))
  beforeAll(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, oauthHandlers)
    post = await aPostOffice(world.ctx)
    await setOptionsIn(world.ctx, switchedOn)
  })
  afterAll(async () => {
    await post[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const anOwner = async (
    seed: { readonly password?: string; readonly email?: string },
    ...providers: readonly IdentityProvider[]
  ) => {
    const { id: userId } = await anAccount(world.ctx, seed)
    const identities = providers.map((provider) => ({ provider, subject: `${++subjects}` }))
    await world.ctx.database.query.transaction().execute(async (transaction) => {
      for (const identity of identities) await claimIdentity(identity, { userId, createdAt: 1 }, transaction)
    })
    const session = await site.signIn(userId)
    const { 'Tollgate-Step-Up': stepUpProof } = await proofOf(world.ctx, session)
    const unbind = (provider: IdentityProvider, proof = stepUpProof) =>
      site
        .client(session)
        .call(externalSignInRoutes.unbindIdentity, { params: { provider }, stepUpProof: proof })
        .then(
          () => 'ok',
          (error: unknown) => (error instanceof ApiError ? error.code : error),
        )
    const owners = () => Promise.all(identities.map((identity) => identityOwner(world.ctx.database.query, identity)))
    return { userId, unbind, owners }
  }

  once('unlinking removes only that account, which any user can link then', async () => {
    const owner = await anOwner({ password }, 'github', 'wechat')
    expect(await owner.unbind('telegram')).toBe('oauth.not_bound')
    expect(await owner.unbind('github')).toBe('ok')
    expect((await owner.owners()).map((found) => found?.id)).toEqual([undefined, owner.userId])
    expect(await owner.unbind('github')).toBe('oauth.not_bound')
    expect(await owner.unbind('wechat')).toBe('ok')
  })

  once('unlinking requires the owner to prove their identity', async () => {
    const owner = await anOwner({ password }, 'github')
    expect(await owner.unbind('github', 'no proof')).toBe('auth.step_up')
    expect((await owner.owners())[0]?.id).toBe(owner.userId)
  })

  once('unlinking is reported to the owner by mail, in the language of the account', async () => {
    const email = `ann-${kind}@example.com`
    const owner = await anOwner({ password, email }, 'wechat')
    await world.ctx.database.query
      .updateTable('users')
      .set({ setting: '{"language":"zh"}' })
      .where('id', '=', owner.userId)
      .execute()
    expect(await owner.unbind('wechat')).toBe('ok')
    const { subject, text } = await post.lastTo(email)
    expect(subject).toBe('您的 Tollgate 账户解绑了微信账户')
    expect(text).toContain('今后无法再使用该微信账户登录')
  })

  describe('unlinking requires another way to sign in from an account without a password', () => {
    test('a passkey counts as a way to sign in', async () => {
      const owner = await anOwner({}, 'github')
      expect(await owner.unbind('github')).toBe('oauth.last')
      await world.ctx.database.query.insertInto('passkeys').values(aPasskeyRow(owner.userId)).execute()
      expect(await owner.unbind('github')).toBe('ok')
    })

    once('another provider counts as a way to sign in while it is enabled', async () => {
      const owner = await anOwner({}, 'github', 'telegram')
      await setOptionsIn(world.ctx, { TelegramOAuthEnabled: 'false' })
      expect(await owner.unbind('github')).toBe('oauth.last')
      await setOptionsIn(world.ctx, switchedOn)
      expect(await owner.unbind('github')).toBe('ok')
    })

    once('a mail address counts as a way to sign in while a link to a first password can be sent there', async () => {
      const owner = await anOwner({ email: `bob-${kind}@example.com` }, 'github')
      await setOptionsIn(world.ctx, { SMTPServer: '' })
      expect(await owner.unbind('github')).toBe('oauth.last')
      await setOptionsIn(world.ctx, { SMTPServer: '127.0.0.1' })
      expect(await owner.unbind('github')).toBe('ok')
    })
  })

  once('a password counts as a way to sign in only while the site accepts passwords', async () => {
    const owner = await anOwner({ password }, 'github')
    await setOptionsIn(world.ctx, { PasswordLoginEnabled: 'false' })
    expect(await owner.unbind('github')).toBe('oauth.last')
    await setOptionsIn(world.ctx, { PasswordLoginEnabled: 'true' })
    expect(await owner.unbind('github')).toBe('ok')
  })

  test('unlinking leaves an account without a password one way to sign in, also when two are unlinked at once', async () => {
    const owner = await anOwner({}, 'github', 'oidc')
    const outcomes = await Promise.all([owner.unbind('github'), owner.unbind('oidc')])
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'oauth.last']))
    expect((await owner.owners()).filter(Boolean)).toHaveLength(1)
  })
})
