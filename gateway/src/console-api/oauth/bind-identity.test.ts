import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { ProviderUser } from '@tollgate/simulator'

import { anAccount, type SignedIn } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { anOAuthSite, aTraveller, proofOf, type OAuthSite } from '../../../test/oauth-site'
import { aPostOffice } from '../../../test/post-office'

let ids = 1000
const aPerson = (): ProviderUser => {
  ids += 1
  return { id: ids, login: `login-${ids}` }
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

  describe('linking', () => {
    const aMember = async (seed: { readonly email?: string } = {}) => {
      const account = await anAccount(world.ctx, { password: 'a long password', ...seed })
      const session = await world.site.signIn(account.id)
      return { ...account, session, proof: await proofOf(world.ctx, session), browser: traveller({ as: session }) }
    }
    const ownerOf = async ({ id }: ProviderUser) =>
      world.ctx.database.query
        .selectFrom('identities')
        .select('user_id')
        .where('provider', '=', 'github')
        .where('subject', '=', String(id))
        .executeTakeFirst()

    once('linking lets the caller sign in with the account', async () => {
      const person = aPerson()
      world.github.user = person
      const { id, browser, proof } = await aMember()
      const started = await browser.begin('github', {}, proof)
      const bound = await browser.get('/api/oauth/github', await browser.visit(started.authorizeUrl))
      expect(bound).toMatchObject({ outcome: 'ok', action: 'bind', data: null })
      expect(await ownerOf(person)).toEqual({ user_id: id })
      expect((await traveller().signIn('github')).user?.id).toBe(id)
    })

    once('linking is reported to the owner by mail, once', async () => {
      await using post = await aPostOffice(world.ctx)
      world.github.user = aPerson()
      const email = `linked-${kind}@example.com`
      const { browser, proof } = await aMember({ email })
      for (let round = 0; round < 2; round += 1) {
        const { authorizeUrl } = await browser.begin('github', {}, proof)
        await browser.get('/api/oauth/github', await browser.visit(authorizeUrl))
      }
      expect(await post.subjectsTo(email)).toEqual(['A GitHub account was linked to your Tollgate account'])
    })

    once('linking requires the password again', async () => {
      const { browser } = await aMember()
      expect((await browser.begin('github')).outcome).toBe('auth.step_up')
    })

    once('linking is refused if either side is already linked, and repeating it has no effect', async () => {
      const person = aPerson()
      world.github.user = person
      const [ann, bob] = [await aMember(), await aMember()]
      const bind = async ({ browser, proof }: typeof ann) => {
        const { authorizeUrl } = await browser.begin('github', {}, proof)
        return (await browser.get('/api/oauth/github', await browser.visit(authorizeUrl))).outcome
      }
      expect(await bind(ann)).toBe('ok')
      expect(await bind(ann)).toBe('ok')
      expect(await bind(bob)).toBe('oauth.taken')
      world.github.user = aPerson()
      expect(await bind(ann)).toBe('oauth.bound')
    })

    test('linking works only in the session that began it, even within one browser', async () => {
      world.github.user = aPerson()
      const [ann, bob] = [await aMember(), await aMember()]
      const started = await ann.browser.begin('github', {}, ann.proof)
      const back = await ann.browser.visit(started.authorizeUrl)
      const outcomeIn = async (session?: SignedIn) => {
        const browser = ann.browser.with(session)
        return (await browser.get('/api/oauth/github', back)).outcome
      }
      expect(await outcomeIn(bob.session)).toBe('oauth.state')
      expect(await outcomeIn(await world.site.signIn(ann.id))).toBe('oauth.state')
      expect(await outcomeIn()).toBe('oauth.state')
      expect(await ownerOf(world.github.user)).toBeUndefined()
    })
  })
})
