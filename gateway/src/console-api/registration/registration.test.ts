import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { logType, userStatus } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { aBrowser } from '../../../test/browser'
import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { aPostOffice, type PostOffice } from '../../../test/post-office'
import { createWorld, type World } from '../../../test/world'
import { sessionHandlers } from '../account/sessions'
import { registrationHandlers } from './registration'

setDefaultTimeout(120_000)

const password = 'correct horse'

describe.each(kinds)('registration (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let aheadSeconds: number
  beforeEach(async () => {
    aheadSeconds = 0
    const clock = createClock(
      () => 1_800_000_000_000 + aheadSeconds * 1000,
      () => aheadSeconds * 1000,
    )
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...registrationHandlers, ...sessionHandlers])
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const set = (values: Record<string, string>) => setOptionsIn(world.ctx, values)
  const register = async (body: object, browser = aBrowser(site)) =>
    (await browser.call('POST', '/api/user/register', { body: { password, ...body } })).outcome
  const requestCode = async (email: string, browser = aBrowser(site)) =>
    (await browser.call('GET', `/api/verification?${new URLSearchParams({ email }).toString()}`)).outcome
  const logIn = async (username: string) =>
    (await aBrowser(site).call('POST', '/api/user/login', { body: { username, password } })).outcome
  const userNamed = (username: string) =>
    world.ctx.database.query.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
  const users = () => world.ctx.database.query.selectFrom('users').select(['username', 'email']).execute()

  once('registration creates an account that can sign in', async () => {
    expect(await register({ username: ' ann ', password2: password, email: '', verification_code: '' })).toBe('ok')
    expect(await userNamed('ann')).toMatchObject({ display_name: 'ann', role: 1, status: 1, email: null, quota: 0 })
    expect(await logIn('ann')).toBe('ok')
  })

  once('a site for its owner’s own use takes no strangers', async () => {
    await set({ SelfUseModeEnabled: 'true' })
    expect(await register({ username: 'ann' })).toBe('register.off')
  })

  once.each([
    [{ username: ' ' }, 'user.username'],
    [{ username: 'ann@example.com' }, 'user.username'],
    [{ username: 'a'.repeat(21) }, 'user.username'],
    [{ username: 'ann', password: 'seven..' }, 'user.password'],
    [{ username: 'ann', password2: 'correct hors' }, 'user.password_mismatch'],
    [{ username: 'TAKEN' }, 'user.exists'],
    [{ username: 'ann', email: 'ann@example.com' }, 'register.email_needed'],
    [{ username: 'ann', role: 100 }, 'input.invalid'],
  ])('%j is refused', async (body, code) => {
    await anAccount(world.ctx, { username: 'taken' })
    expect(await register(body)).toBe(code)
    expect(await users()).toHaveLength(1)
  })

  test('a site by invitation only takes no one without the code of a user who may sign in, also where invitations bring nothing', async () => {
    await set({ InvitationRequired: 'true', AffEnabled: 'false', QuotaForInviter: '5' })
    const codeOf = async (fields: object) => {
      const { id } = await anAccount(world.ctx)
      const row = await world.ctx.database.query
        .updateTable('users')
        .set(fields)
        .where('id', '=', id)
        .returning('aff_code')
        .executeTakeFirstOrThrow()
      return { id, code: row.aff_code }
    }
    const member = await codeOf({ group: 'default' })
    const banned = await codeOf({ status: userStatus.disabled })
    const closed = await codeOf({ deleted_at: 1 })
    for (const aff_code of [undefined, '', '  ', 'none', member.code.slice(1), banned.code, closed.code])
      expect([aff_code, await register({ username: 'ann', aff_code })]).toEqual([aff_code, 'register.invitation'])
    expect(await userNamed('ann')).toBeUndefined()
    expect(await register({ username: 'ann', aff_code: ` ${member.code} ` })).toBe('ok')
    expect((await userNamed('ann'))?.inviter_id).toBe(member.id)
    const inviter = await world.ctx.database.query
      .selectFrom('users')
      .select(['aff_count', 'aff_quota'])
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(inviter).toEqual({ aff_count: 0, aff_quota: 0 })
  })

  once('registration is closed by its switches', async () => {
    await set({ RegisterEnabled: 'false' })
    expect(await register({ username: 'ann' })).toBe('register.off')
    await set({ RegisterEnabled: 'true', PasswordRegisterEnabled: 'false' })
    expect(await register({ username: 'ann' })).toBe('register.password_off')
    await set({ PasswordRegisterEnabled: 'true' })
    expect(await register({ username: 'ann' })).toBe('ok')
  })

  once('registration gives the initial quota once, and records it in the log', async () => {
    await set({ QuotaForNewUser: '70' })
    expect(await register({ username: 'ann' })).toBe('ok')
    const ann = await userNamed('ann')
    expect(await world.ctx.ledger.balanceOf([ann?.id ?? 0])).toEqual(new Map([[ann?.id ?? 0, 70]]))
    const rows = world.ctx.database.query.selectFrom('logs').select(['type', 'user_id', 'content'])
    const row = await eventually(() => rows.executeTakeFirst())
    expect(row).toMatchObject({ type: logType.system, user_id: ann?.id ?? 0 })
    expect(row.content).toContain('log.registered')
  })

  once('registration records the inviter while invitations are enabled', async () => {
    const bob = await anAccount(world.ctx)
    const code = { aff_code: (await userNamed(bob.username))?.aff_code ?? '' }
    expect(await register({ username: 'ann', ...code })).toBe('ok')
    expect(await userNamed('ann')).toMatchObject({ inviter_id: bob.id })
    expect(await register({ username: 'carl', aff_code: 'unknown' })).toBe('ok')
    expect(await userNamed('carl')).toMatchObject({ inviter_id: 0 })
    await set({ AffEnabled: 'false' })
    expect(await register({ username: 'dora', ...code })).toBe('ok')
    expect(await userNamed('dora')).toMatchObject({ inviter_id: 0 })
    await set({ AffEnabled: 'true' })
    const banned = { status: userStatus.disabled }
    await world.ctx.database.query.updateTable('users').set(banned).where('id', '=', bob.id).execute()
    expect(await register({ username: 'emil', ...code })).toBe('ok')
    expect(await userNamed('emil')).toMatchObject({ inviter_id: 0 })
  })

  once('registration is limited by network address', async () => {
    const here = () => aBrowser(site, { address: '198.51.100.7' })
    for (let call = 0; call < 20; call += 1) expect(await register({ username: '' }, here())).toBe('user.username')
    expect(await register({ username: 'ann' }, here())).toBe('rate.limited')
    expect(await register({ username: 'ann' })).toBe('ok')
  })

  describe('registration with a mail address', () => {
    let post: PostOffice
    beforeEach(async () => {
      post = await aPostOffice(world.ctx)
    })
    afterEach(() => post[Symbol.asyncDispose]())

    const aCode = async (email: string, browser = aBrowser(site)) => {
      expect(await requestCode(email, browser)).toBe('ok')
      return { browser, proof: { email, verification_code: await post.codeFor(email.toLowerCase()) } }
    }

    once('registration stores an address that a code proved, and needs one where the site says so', async () => {
      const { browser, proof } = await aCode('Ann@Example.com')
      expect(await register({ username: 'ann', ...proof }, browser)).toBe('ok')
      expect(await userNamed('ann')).toMatchObject({ email: 'ann@example.com' })
      expect(await register({ username: 'bob', email: 'bob@example.com' })).toBe('register.email_needed')
      expect(await register({ username: 'bob' })).toBe('ok')
      expect(await userNamed('bob')).toMatchObject({ email: null })
      await set({ EmailVerificationEnabled: 'true' })
      expect(await register({ username: 'carl' })).toBe('register.email_needed')
      expect(await register({ username: 'carl', email: 'carl@example.com' })).toBe('register.email_needed')
      const carls = await aCode('carl@example.com')
      expect(await register({ username: 'carl', ...carls.proof }, carls.browser)).toBe('ok')
      expect(await userNamed('carl')).toMatchObject({ email: 'carl@example.com' })
    })

    once(
      'registration accepts a code once, in the browser that requested it, for that address and purpose, within ten minutes',
      async () => {
        await set({ EmailVerificationEnabled: 'true' })
        const { browser, proof } = await aCode('ann@example.com')
        expect(await register({ username: 'ann', ...proof }, aBrowser(site))).toBe('code.wrong')
        const other = await aCode('eve@example.com')
        expect(await register({ username: 'ann', ...proof }, other.browser)).toBe('code.wrong')
        expect(await register({ username: 'ann', ...other.proof, email: proof.email }, other.browser)).toBe(
          'code.wrong',
        )
        const eve = await anAccount(world.ctx)
        const signedIn = aBrowser(site, { as: await site.signIn(eve.id) })
        const bound = await aCode('new@example.com', signedIn)
        expect(await register({ username: 'eve', ...bound.proof }, signedIn)).toBe('code.wrong')
        expect(await register({ username: 'ann', ...proof }, browser)).toBe('ok')
        await world.ctx.database.query.updateTable('users').set({ email: null }).where('username', '=', 'ann').execute()
        expect(await register({ username: 'ann2', ...proof }, browser)).toBe('code.wrong')
        aheadSeconds += 600
        expect(await register({ username: 'eve', ...other.proof }, other.browser)).toBe('code.wrong')
      },
    )

    test('one of a hundred registrations with one code succeeds', async () => {
      const { browser, proof } = await aCode('ann@example.com')
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, index) => register({ username: `ann${index}`, ...proof }, browser)),
      )
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
      expect(new Set(outcomes).difference(new Set(['ok', 'code.wrong', 'email.taken'])).size).toBe(0)
      expect(await users()).toMatchObject([{ email: 'ann@example.com' }])
    })

    once('a code stays valid after a registration with a taken name', async () => {
      await anAccount(world.ctx, { username: 'taken' })
      const { browser, proof } = await aCode('ann@example.com')
      expect(await register({ username: 'taken', ...proof }, browser)).toBe('user.exists')
      expect(await register({ username: 'ann', ...proof }, browser)).toBe('ok')
    })

    once('a taken address is reported when it is used, and to its owner when a code is requested', async () => {
      const owner = await anAccount(world.ctx, { email: 'Ann@example.com' })
      const known = await aBrowser(site).call('GET', '/api/verification?email=ann%40example.com')
      const unknown = await aBrowser(site).call('GET', '/api/verification?email=bob%40example.com')
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
      expect(await post.subjectsTo('ann@example.com')).toEqual(['You already have an account at Tollgate'])
      expect(await post.subjectsTo('bob@example.com')).toEqual(['Your Tollgate verification code'])
      const setting = '{"language":"zh"}'
      await world.ctx.database.query.updateTable('users').set({ setting }).where('id', '=', owner.id).execute()
      aheadSeconds += 30
      expect(await requestCode('ann@example.com')).toBe('ok')
      expect((await post.lastTo('ann@example.com')).subject).toBe('您已有 Tollgate 账户')
      const proof = { email: 'ann@example.com', verification_code: '000000' }
      expect(await register({ username: 'eve', ...proof })).toBe('email.taken')
      const closed = { deleted_at: 1 }
      await world.ctx.database.query.updateTable('users').set(closed).where('id', '=', owner.id).execute()
      expect(await register({ username: 'eve', ...proof })).toBe('email.taken')
    })

    once('registration follows the rules for addresses', async () => {
      expect(await requestCode('not an address')).toBe('email.invalid')
      expect(await requestCode('ann@example.com\r\nBcc: eve@example.com')).toBe('email.invalid')
      expect(await requestCode('a.n+n@elsewhere.example')).toBe('ok')
      await set({ EmailAliasRestrictionEnabled: 'true' })
      expect(await requestCode('a.nn@elsewhere.example')).toBe('email.alias')
      expect(await requestCode('ann+1@elsewhere.example')).toBe('email.alias')
      expect(await requestCode('bob@elsewhere.example')).toBe('ok')
      await set({ EmailDomainRestrictionEnabled: 'true', EmailDomainWhitelist: 'example.com,example.org' })
      expect(await requestCode('carl@elsewhere.example')).toBe('email.domain')
      expect(await requestCode('carl@sub.example.com')).toBe('email.domain')
      expect(await requestCode('carl@EXAMPLE.com')).toBe('ok')
      const proof = { email: 'ann@elsewhere.example', verification_code: '000000' }
      expect(await register({ username: 'ann', ...proof })).toBe('email.domain')
    })

    once('a mailbox is sent few codes, from wherever they are requested', async () => {
      await anAccount(world.ctx, { email: 'known@example.com' })
      for (const name of ['known', 'unknown']) {
        expect(await requestCode(`${name}@example.com`)).toBe('ok')
        expect(await requestCode(`${name}@example.com`)).toBe('rate.limited')
        expect(await requestCode(`${name}+1@example.com`)).toBe('rate.limited')
        for (let code = 0; code < 4; code += 1) {
          aheadSeconds += 30
          expect(await requestCode(`${name}+${code}@example.com`)).toBe('ok')
        }
        aheadSeconds += 30
        expect(await requestCode(`${name}@example.com`)).toBe('rate.limited')
      }
    })

    once('a network address is sent thirty codes an hour, whatever the mailboxes', async () => {
      const here = () => aBrowser(site, { address: '198.51.100.8' })
      const requestCodeFor = (index: number) => requestCode(`user${index}@example.com`, here())
      for (let code = 0; code < 20; code += 1) expect(await requestCodeFor(code)).toBe('ok')
      // Beyond the limit of all such calls.
      aheadSeconds += 1200
      for (let code = 20; code < 30; code += 1) expect(await requestCodeFor(code)).toBe('ok')
      expect(await requestCodeFor(30)).toBe('rate.limited')
      expect(await requestCode('user30@example.com')).toBe('ok')
    })

    once(
      'a network address is sent as many codes as the site allows, and links to a new password all the same',
      async () => {
        await set({ MailsOfAddress: '2' })
        const here = () => aBrowser(site, { address: '198.51.100.9' })
        const outcomes: string[] = []
        for (let user = 1; user <= 3; user += 1) outcomes.push(await requestCode(`user${user}@example.com`, here()))
        expect(outcomes).toEqual(['ok', 'ok', 'rate.limited'])
        const link = await here().call('GET', '/api/reset_password?email=user4%40example.com')
        expect(link.outcome).toBe('ok')
      },
    )

    once('no codes are sent without a mail server, or to strangers of a closed site', async () => {
      await set({ RegisterEnabled: 'false' })
      expect(await requestCode('ann@example.com')).toBe('register.off')
      const { id } = await anAccount(world.ctx)
      expect(await requestCode('bob@example.com', aBrowser(site, { as: await site.signIn(id) }))).toBe('ok')
      await set({ RegisterEnabled: 'true', SMTPServer: '' })
      expect(await requestCode('ann@example.com')).toBe('smtp.unset')
    })
  })
})
