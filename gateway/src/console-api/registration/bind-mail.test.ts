import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { registrationRoutes, accountRoutes, stepUpHeader } from '@tollgate/contract'

import { aBrowser, type Browser } from '../../../test/browser'
import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { aPostOffice, type PostOffice } from '../../../test/post-office'
import { createWorld, type World } from '../../../test/world'
import { selfHandlers } from '../account/account'
import { registrationHandlers } from './registration'

setDefaultTimeout(120_000)

const password = 'correct horse'

describe.each(kinds)('a mail address for an account (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let post: PostOffice
  beforeEach(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, [...registrationHandlers, ...selfHandlers])
    post = await aPostOffice(world.ctx)
  })
  afterEach(async () => {
    await post[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const aPerson = async (email?: string) => {
    const account = await anAccount(world.ctx, { password, email })
    const as = await site.signIn(account.id)
    const { proof } = await site.client(as).call(accountRoutes.stepUp, { body: { purpose: 'email', password } })
    return { ...account, browser: aBrowser(site, { as }), proof }
  }
  type Person = Awaited<ReturnType<typeof aPerson>>
  const requestCode = async (browser: Browser, email: string) =>
    (await browser.call('GET', `/api/verification?${new URLSearchParams({ email }).toString()}`)).outcome
  const aCode = async ({ browser }: Person, email: string) => {
    expect(await requestCode(browser, email)).toBe('ok')
    return post.codeFor(email)
  }
  const bind = async ({ browser, proof }: Person, email: string, code: string) => {
    const sent = { body: { email, code }, headers: { [stepUpHeader]: proof } }
    return (await browser.call('POST', registrationRoutes.bindMail.path, sent)).outcome
  }
  const mailOf = async ({ id }: Person) =>
    (await world.ctx.database.query.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst())?.email

  once('an address is stored once a code proved it, and the previous one is notified', async () => {
    const ann = await aPerson()
    expect(await bind(ann, 'Ann@example.com', await aCode(ann, 'ann@example.com'))).toBe('ok')
    expect(await mailOf(ann)).toBe('ann@example.com')
    const code = await aCode(ann, 'new@example.com')
    const query = new URLSearchParams({ email: 'new@example.com', code }).toString()
    const byLink = (headers: Record<string, string>) =>
      ann.browser.call('GET', `/api/oauth/email/bind?${query}`, { headers: { [stepUpHeader]: ann.proof, ...headers } })
    expect((await byLink({ 'Sec-Fetch-Site': 'cross-site' })).outcome).toBe('auth.forbidden')
    expect((await byLink({ 'Tollgate-User': '' })).outcome).toBe('auth.header_invalid')
    expect((await byLink({})).outcome).toBe('ok')
    expect(await mailOf(ann)).toBe('new@example.com')
    expect(await post.subjectsTo('ann@example.com')).toEqual([
      'Your Tollgate verification code',
      'The email address of your Tollgate account was changed',
    ])
  })

  once('an address is proven by a code in the language of the account', async () => {
    const ann = await aPerson()
    const setting = '{"language":"zh"}'
    await world.ctx.database.query.updateTable('users').set({ setting }).where('id', '=', ann.id).execute()
    const code = await aCode(ann, 'ann@example.com')
    expect((await post.lastTo('ann@example.com')).subject).toBe('Tollgate 邮箱验证邮件')
    expect(await bind(ann, 'ann@example.com', code)).toBe('ok')
  })

  once('an address requires the password again: the owner of the mailbox controls the account', async () => {
    const ann = await aPerson()
    const code = await aCode(ann, 'ann@example.com')
    expect(await bind({ ...ann, proof: '' }, 'ann@example.com', code)).toBe('auth.step_up')
    expect(await mailOf(ann)).toBe(null)
    expect(await bind(ann, 'ann@example.com', code)).toBe('ok')
  })

  once('a code is accepted once, for the account, the address and the purpose it was sent for', async () => {
    const [ann, eve] = [await aPerson(), await aPerson()]
    const code = await aCode(ann, 'ann@example.com')
    expect(await bind(eve, 'ann@example.com', code)).toBe('code.wrong')
    // Also with the browser of the user who requested it.
    const session = await site.signIn(eve.id)
    const stolen = await ann.browser.call('POST', '/api/oauth/email/bind', {
      body: { email: 'ann@example.com', code },
      headers: { 'Tollgate-User': String(session.userId) },
    })
    expect(stolen.outcome).toBe('auth.header_mismatch')
    expect(await bind(ann, 'other@example.com', code)).toBe('code.wrong')
    const guest = aBrowser(site)
    expect(await requestCode(guest, 'guest@example.com')).toBe('ok')
    expect(
      await bind({ ...ann, browser: ann.browser }, 'guest@example.com', await post.codeFor('guest@example.com')),
    ).toBe('code.wrong')
    expect(await bind(ann, 'ann@example.com', code)).toBe('ok')
    expect(await bind(ann, 'ann@example.com', code)).toBe('code.wrong')
  })

  test('an address belongs to one account, whichever of two comes first', async () => {
    const [ann, eve] = [await aPerson('ann@example.com'), await aPerson()]
    expect(await requestCode(eve.browser, 'ann@example.com')).toBe('ok')
    expect(await post.subjectsTo('ann@example.com')).toEqual(['You already have an account at Tollgate'])
    const [code, other] = [await aCode(ann, 'free@example.com'), await aCodeAgain(eve, 'free@example.com')]
    const outcomes = await Promise.all([bind(ann, 'free@example.com', code), bind(eve, 'free@example.com', other)])
    expect(outcomes.toSorted()).toEqual(['email.taken', 'ok'])
  })

  /** Past the pause of the mailbox. */
  const aCodeAgain = async (person: Person, email: string) => {
    await world.ctx.database.query.deleteFrom('limit_counts').execute()
    return aCode(person, email)
  }
})
