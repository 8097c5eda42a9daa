import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { AppError } from '../../platform/app-error'
import { createFlow, endFlows } from './create-flow'
import { flowKinds } from './flow-kinds'
import { spendForeignSecret, takeFlow } from './take-flow'
import { WallClock } from '../../../test/fake-time'

const outcomeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
const noAct = async () => undefined

describe.each(kinds)('one-time flows (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  const clock = new WallClock(1_800_000_000_000)
  beforeAll(async () => {
    world = await createWorld({ kind, clock })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const mail = { subject: 'ann@example.com', browser: 'browser of ann' }
  const takeMail = (secret: string, holder = mail) =>
    outcomeOf(takeFlow(world.ctx, 'register-mail', { ...holder, secret }, noAct))
  const userIds = [7, 8]
  const aReset = () => createFlow(world.ctx, 'reset-password', { subject: 'bob@example.com', payload: { userId: 7 } })
  const takeReset = (secret: string, subject = 'bob@example.com') =>
    takeFlow(world.ctx, 'reset-password', { subject, secret }, ({ userId }) => Promise.resolve(userId))

  once('a code has six digits, a token 256 bits, and neither is stored', async () => {
    const code = await createFlow(world.ctx, 'register-mail', { ...mail, payload: {} })
    const token = await aReset()
    expect(code).toMatch(/^\d{6}$/)
    expect(token).toMatch(/^[\w-]{43}$/)
    const rows = await world.ctx.database.query.selectFrom('flows').selectAll().execute()
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  once('a token returns its payload once', async () => {
    const token = await aReset()
    expect(await takeReset(token)).toBe(userIds[0] ?? 0)
    expect(await outcomeOf(takeReset(token))).toBe('reset.invalid')
  })

  test('one of a hundred simultaneous uses succeeds', async () => {
    const token = await aReset()
    const code = await createFlow(world.ctx, 'register-mail', { ...mail, payload: {} })
    for (const take of [() => outcomeOf(takeReset(token)), () => takeMail(code)]) {
      const outcomes = await Promise.all(Array.from({ length: 100 }, take))
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    }
  })

  once('a flow cannot be used for another subject, purpose or browser, or without one', async () => {
    const code = await createFlow(world.ctx, 'register-mail', { ...mail, payload: {} })
    expect(await takeMail(code, { ...mail, subject: 'eve@example.com' })).toBe('code.wrong')
    expect(await takeMail(code, { ...mail, browser: 'browser of eve' })).toBe('code.wrong')
    const unbound = takeFlow(world.ctx, 'register-mail', { ...mail, browser: null, secret: code }, noAct)
    expect(await outcomeOf(unbound)).toBe('code.wrong')
    expect(await outcomeOf(takeFlow(world.ctx, 'bind-mail', { ...mail, secret: code }, noAct))).toBe('code.wrong')
    expect(await outcomeOf(takeReset(code, mail.subject))).toBe('reset.invalid')
    expect(await takeMail(code)).toBe('done')
  })

  once('a flow expires', async () => {
    for (const [purpose, seconds] of [
      ['register-mail', 600],
      ['reset-password', 900],
    ] as const) {
      expect(flowKinds[purpose].seconds).toBe(seconds)
    }
    const [inTime, late] = [await aReset(), await aReset()]
    clock.jump(899 * 1000)
    expect(await outcomeOf(takeReset(inTime))).toBe('done')
    clock.jump(1 * 1000)
    expect(await outcomeOf(takeReset(late))).toBe('reset.invalid')
  })

  test('five wrong guesses invalidate a code, in turn and simultaneous, and no code of another browser', async () => {
    for (const areAtOnce of [false, true]) {
      const owner = { subject: `guessed-${areAtOnce}@example.com`, browser: 'the guesser' }
      const code = await createFlow(world.ctx, 'register-mail', { ...owner, payload: {} })
      const other = { ...owner, browser: 'the owner' }
      const otherCode = await createFlow(world.ctx, 'register-mail', { ...other, payload: {} })
      const wrong = code === '000000' ? '000001' : '000000'
      const guesses = () => Array.from({ length: 5 }, () => takeMail(wrong, owner))
      if (areAtOnce) await Promise.all(guesses())
      else for (let guess = 0; guess < 5; guess += 1) await takeMail(wrong, owner)
      expect(await takeMail(code, owner)).toBe('code.wrong')
      expect(await takeMail(otherCode, other)).toBe('done')
    }
  })

  test('an act that fails leaves the flow unchanged, however often', async () => {
    const code = await createFlow(world.ctx, 'register-mail', { ...mail, payload: {} })
    const failing = () =>
      takeFlow(world.ctx, 'register-mail', { ...mail, secret: code }, () => Promise.reject(new AppError('user.exists')))
    for (let attempt = 0; attempt < 6; attempt += 1) expect(await outcomeOf(failing())).toBe('user.exists')
    expect(await takeMail(code)).toBe('done')
  })

  test('a secret of another service is used once within its time, for whatever subject', async () => {
    const use = (subject: string, secret = 'a code') =>
      outcomeOf(spendForeignSecret(world.ctx, 'wechat-code', { subject, secret }))
    const atOnce = await Promise.all(Array.from({ length: 100 }, () => use('ann')))
    expect(atOnce.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(await use('bob')).toBe('done')
    expect(await use('ann', 'another code')).toBe('done')
    clock.jump(179 * 1000)
    expect(await use('ann')).toBe('code.wrong')
    clock.jump(1 * 1000)
    expect(await use('ann')).toBe('done')
    expect(await use('ann')).toBe('code.wrong')
  })

  once('all flows of a subject can be ended together', async () => {
    const [one, other] = [await aReset(), await aReset()]
    const elsewhere = await createFlow(world.ctx, 'reset-password', { subject: 'carl', payload: { userId: 8 } })
    await world.ctx.database.query
      .transaction()
      .execute((transaction) => endFlows(world.ctx, 'reset-password', 'bob@example.com', transaction))
    expect(await outcomeOf(takeReset(one))).toBe('reset.invalid')
    expect(await outcomeOf(takeReset(other))).toBe('reset.invalid')
    expect(await takeReset(elsewhere, 'carl')).toBe(userIds[1] ?? 0)
  })
})
