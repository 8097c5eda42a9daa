import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { userStatus } from '@tollgate/contract'

import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { aUser } from '../../../test/calls'
import { createWorld, type World } from '../../../test/world'
import { verifyPassword } from '../../accounts/users/passwords'
import { systemClock } from '../../platform/time/clock'
import { databaseLimiter } from '../../http/limits/database-limiter'
import { sha256 } from '../../platform/store/seal'
import { runCommand } from './run-command'

describe.each(kinds)('commands for the way back in (%s)', (kind) => {
  let world: World

  beforeAll(async () => void (world = await createWorld({ kind })))
  afterAll(() => world[Symbol.asyncDispose]())

  async function run(...words: string[]) {
    const { config } = world.ctx
    const environment = { DATA_DIR: config.dataDir, ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl }) }
    const lines: string[] = []
    const code = await runCommand(words, { environment, print: (line) => lines.push(line) })
    await world.ctx.changes.deliver()
    return { code, text: lines.join('\n') }
  }
  const lastAct = () =>
    world.ctx.database.query.selectFrom('audit_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  const userOf = (id: number) =>
    world.ctx.database.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('a user has the password that reset-password prints, and no session any more', async () => {
    const { id } = await aUser(world.ctx, { username: 'Locked' })
    const { query } = world.ctx.database
    const session = { created_at: 1, last_seen_at: 1, expires_at: 2e9, ip: '', user_agent: '' }
    await query
      .insertInto('sessions')
      .values({ ...session, id_hash: 'old', user_id: id })
      .execute()
    const { code, text } = await run('reset-password', 'locked')
    expect(code).toBe(0)
    const password = text.split(' ').at(-1) ?? ''
    expect(password).toHaveLength(20)
    expect(await verifyPassword(password, (await userOf(id)).password_hash)).toBe(true)
    expect(await query.selectFrom('sessions').select('user_id').where('user_id', '=', id).execute()).toEqual([])
    const act = await lastAct()
    expect(act).toMatchObject({ action: 'account.reset_password', means: 'command', target_name: 'Locked' })
    expect(JSON.stringify(act)).not.toContain(password)
  })

  test('a user whom unlock names is enabled, and wrong passwords and codes count no more', async () => {
    const { id } = await aUser(world.ctx, { username: 'banned' })
    const disabled = { status: userStatus.disabled }
    await world.ctx.database.query.updateTable('users').set(disabled).where('id', '=', id).execute()
    const limiter = databaseLimiter(world.ctx.database, systemClock)
    const limit = { points: 1, durationSeconds: 1200 }
    const keys = [`sign-in:account:192.0.2.1:${sha256('banned')}`, `second-factor:${id}`]
    const other = `sign-in:account:192.0.2.1:${sha256('other')}`
    for (const key of [...keys, other]) await limiter.consume(key, limit)
    expect((await run('unlock', 'banned')).code).toBe(0)
    expect((await userOf(id)).status).toBe(userStatus.enabled)
    for (const key of keys) expect((await limiter.peek(key, limit)).allowed).toBe(true)
    expect((await limiter.peek(other, limit)).allowed).toBe(false)
    expect(await lastAct()).toMatchObject({ action: 'user.manage', means: 'command', target_id: String(id) })
  })

  test('an option is printed, set and unset, in force at once, with its history', async () => {
    const key = 'PasswordLoginEnabled'
    expect(await run('option', 'get', key)).toEqual({ code: 0, text: 'true' })
    await run('option', 'set', key, 'false')
    expect(world.ctx.catalog.current.options.PasswordLoginEnabled).toBe(false)
    expect(await run('option', 'get', key)).toEqual({ code: 0, text: 'false' })
    await run('option', 'unset', key)
    expect(world.ctx.catalog.current.options.PasswordLoginEnabled).toBe(true)
    const { query } = world.ctx.database
    const history = query.selectFrom('option_changes').select(['before', 'after']).where('key', '=', key).orderBy('id')
    expect(await history.execute()).toEqual([
      { before: 'true', after: 'false' },
      { before: 'false', after: 'true' },
    ])
    expect(await lastAct()).toMatchObject({ action: 'option.update', after: '{"PasswordLoginEnabled":"true"}' })
  })

  test('a secret is neither printed nor taken from the command line, and can be unset', async () => {
    await setOptionsIn(world.ctx, { SMTPToken: 'canary' })
    expect(await run('option', 'get', 'SMTPToken')).toEqual({ code: 0, text: 'set' })
    expect(await run('option', 'set', 'SMTPToken', 'canary-2')).toMatchObject({ code: 1 })
    await run('option', 'unset', 'SMTPToken')
    expect(await run('option', 'get', 'SMTPToken')).toEqual({ code: 0, text: '' })
    expect(JSON.stringify(await lastAct())).not.toContain('canary')
  })

  test.each([
    [['reset-password', 'unheard'], 1],
    [['reset-password'], 2],
    [['unlock', 'one', 'two'], 2],
    [['option', 'get', 'Unheard'], 2],
    [['option', 'set', 'RetryTimes', 'x'], 1],
    [['option', 'set', 'RetryTimes'], 2],
    [['option', 'set', 'ModelRatio', '{}'], 1],
    [['option', 'drop', 'RetryTimes'], 2],
  ] as const)('the words %j end with exit code %i and change nothing', async (words, code) => {
    const { count } = await world.ctx.database.query
      .selectFrom('audit_log')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect((await run(...words)).code).toBe(code)
    const after = await world.ctx.database.query.selectFrom('audit_log').select('id').execute()
    expect(after).toHaveLength(count)
  })
})
