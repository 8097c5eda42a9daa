import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { ApiError, externalSignInRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { proofOf } from '../../../test/oauth-site'
import { createWorld, type World } from '../../../test/world'
import { claimIdentity, identityOwner, type IdentityProvider } from '../../accounts/identities'
import { oauthHandlers } from './oauth'

const password = 'correct horse'

describe.each(kinds)('unlinking an external account (%s)', (kind) => {
  let world: World
  let site: TestConsole
  let subjects = 0
  beforeAll(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, oauthHandlers)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const anOwner = async (seed: { readonly password?: string }, ...providers: readonly IdentityProvider[]) => {
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

  test('removes that one alone, which anyone can link then', async () => {
    const owner = await anOwner({ password }, 'github', 'wechat')
    expect(await owner.unbind('telegram')).toBe('oauth.not_bound')
    expect(await owner.unbind('github')).toBe('ok')
    expect((await owner.owners()).map((found) => found?.id)).toEqual([undefined, owner.userId])
    expect(await owner.unbind('github')).toBe('oauth.not_bound')
    expect(await owner.unbind('wechat')).toBe('ok')
  })

  test('asks the owner to prove who they are', async () => {
    const owner = await anOwner({ password }, 'github')
    expect(await owner.unbind('github', 'no proof')).toBe('auth.step_up')
    expect((await owner.owners())[0]?.id).toBe(owner.userId)
  })

  test('leaves an account without a password one way to sign in, also when two are unlinked at once', async () => {
    const owner = await anOwner({}, 'github', 'oidc')
    const outcomes = await Promise.all([owner.unbind('github'), owner.unbind('oidc')])
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'oauth.last']))
    expect((await owner.owners()).filter(Boolean)).toHaveLength(1)
  })
})
