import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { anAccount } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { anOAuthSite, aTraveller, proofOf, type OAuthSite } from '../../../test/oauth-site'

const path = '/api/oauth/wechat'

describe.each(kinds)('WeChat (%s)', (kind) => {
  const once = onceOf(kind)

  let world: OAuthSite
  beforeAll(async () => {
    world = await anOAuthSite(kind)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const signIn = (code: string, more: Record<string, string> = {}) =>
    aTraveller(world.site).get(path, { code, ...more })

  once('a code registers a new member with their inviter, and the next one signs the same member in', async () => {
    const inviter = await anAccount(world.ctx)
    const { query } = world.ctx.database
    const rowOf = (id = 0) => query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { aff_code: aff } = await rowOf(inviter.id)
    const first = await signIn(world.bridge.codeFor('open-1'), { aff })
    expect(first.outcome).toBe('ok')
    expect(await rowOf(first.user?.id)).toMatchObject({
      username: expect.stringMatching(/^wechat_[a-z2-9]{6}$/),
      inviter_id: inviter.id,
    })
    expect((await signIn(world.bridge.codeFor('open-1'))).user?.id).toBe(first.user?.id ?? 0)
  })

  once('a code is percent-encoded in the request to the bridge server', async () => {
    const code = 'a/b?c=d&e %'
    expect((await signIn(world.bridge.codeFor('open-2', code))).outcome).toBe('ok')
    expect(world.bridge.requested.at(-1)).toBe(code)
  })

  once('a wrong code, and one used within the last three minutes, is refused', async () => {
    expect((await signIn('000000')).outcome).toBe('code.wrong')
    const code = world.bridge.codeFor('open-3')
    expect((await signIn(code)).outcome).toBe('ok')
    world.passSeconds(150)
    expect((await signIn(code)).outcome).toBe('code.wrong')
    world.passSeconds(30)
    // By now the bridge may have issued the same code again.
    expect((await signIn(code)).outcome).toBe('ok')
    expect((await signIn(code)).outcome).toBe('code.wrong')
  })

  once.each([
    ['longer than any', 'x'.repeat(256)],
    ['with a control character', 'a\0b'],
  ])('an id that is %s is refused', async (_what, id) => {
    expect((await signIn(world.bridge.codeFor(id))).outcome).toBe('oauth.unreachable')
  })

  test('one of a hundred concurrent calls with one code signs in', async () => {
    const code = world.bridge.codeFor('open-4')
    const results = await Promise.all(Array.from({ length: 100 }, () => signIn(code)))
    expect(results.filter(({ outcome }) => outcome === 'ok')).toHaveLength(1)
    expect(results.filter(({ outcome }) => outcome === 'code.wrong')).toHaveLength(99)
  })

  once('guesses are limited to twenty per address', async () => {
    const guesser = aTraveller(world.site, { address: `192.0.2.${kind === 'sqlite' ? 7 : 8}` })
    for (let guess = 0; guess < 20; guess += 1)
      expect((await guesser.get(path, { code: 'x' })).outcome).toBe('code.wrong')
    expect((await guesser.get(path, { code: 'x' })).outcome).toBe('rate.limited')
  })

  once('each option takes effect', async () => {
    const outcome = async () => (await signIn(world.bridge.codeFor('open-1'))).outcome
    const own = {
      WeChatAuthEnabled: 'true',
      WeChatServerAddress: world.bridge.url,
      WeChatServerToken: world.bridge.token,
    }
    for (const [key, value, expected] of [
      ['WeChatAuthEnabled', 'false', 'oauth.off'],
      ['WeChatServerAddress', '', 'oauth.off'],
      ['WeChatServerAddress', 'http://127.0.0.1:1', 'oauth.unreachable'],
      ['WeChatServerToken', 'another', 'oauth.unusable'],
      ['RegisterEnabled', 'false', 'ok'],
    ] as const) {
      await world.set({ [key]: value })
      expect([key, value, await outcome()]).toEqual([key, value, expected])
      await world.set(own)
    }
    expect((await signIn(world.bridge.codeFor('open-5'))).outcome).toBe('register.off')
    await world.set({ RegisterEnabled: 'true' })
    world.bridge.isDown = true
    expect(await outcome()).toBe('oauth.unreachable')
    world.bridge.isDown = false
  })

  once('a cross-site request is refused', async () => {
    const code = world.bridge.codeFor('open-6')
    const result = await aTraveller(world.site).get(path, { code }, { 'Sec-Fetch-Site': 'cross-site' })
    expect(result.outcome).toBe('auth.forbidden')
  })

  once.each(['POST', 'GET'] as const)(
    'an account is linked by %s to the signed-in caller, who proves the password again',
    async (method) => {
      const account = await anAccount(world.ctx, { password: 'a long password' })
      const session = await world.site.signIn(account.id)
      const openId = `to-bind-${method}`
      const bind = (
        code: string,
        headers: Record<string, string> = {},
        browser = aTraveller(world.site, { as: session }),
      ) =>
        method === 'GET'
          ? browser.get(`${path}/bind`, { code }, headers)
          : browser.call('POST', `${path}/bind`, { body: { code }, headers })
      const proof = await proofOf(world.ctx, session)
      expect((await bind(world.bridge.codeFor(openId))).outcome).toBe('auth.step_up')
      expect((await bind(world.bridge.codeFor(openId), { ...proof, 'Tollgate-User': '' })).outcome).toBe(
        'auth.header_invalid',
      )
      expect((await bind(world.bridge.codeFor(openId), proof, aTraveller(world.site))).outcome).toBe('auth.required')
      expect((await bind(world.bridge.codeFor(openId), proof)).outcome).toBe('ok')
      expect((await signIn(world.bridge.codeFor(openId))).user?.id).toBe(account.id)
      const { id: other } = await anAccount(world.ctx, { password: 'a long password' })
      const others = await world.site.signIn(other)
      const again = await bind(
        world.bridge.codeFor(openId),
        await proofOf(world.ctx, others),
        aTraveller(world.site, { as: others }),
      )
      expect(again.outcome).toBe('oauth.taken')
    },
  )
})
