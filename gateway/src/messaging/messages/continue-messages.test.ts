import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { userStatus } from '@tollgate/contract'

import { anAccount } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { aMailServer, sendMailsBy } from '../../../test/mail-server'
import { createWorld, type World } from '../../../test/world'
import { queueMail } from '../mail/queue-mail'
import { sendMails } from '../mail/send-mails'
import { YieldingPace } from '../../platform/store/pace'
import { continueMessages } from './continue-messages'
import { removeMessage } from './remove-message'
import { sendToAudience, sendToUsers } from './send-message'
import { systemTimers, type Timers } from '../../platform/time/timers'
import { WallClock } from '../../../test/fake-time'

setDefaultTimeout(120_000)

const { signal } = new AbortController()
const written = { title: 'News', content: 'Hi <b onclick=x>you</b>', format: 'html', created_by: 1 } as const

/** Timers that come at once. */
const noWaits: Timers = { ...systemTimers, after: (_, work) => (work(), () => {}) }

describe.each(kinds)('unfinished messages (%s)', (kind) => {
  let world: World
  let clock: WallClock
  beforeEach(async () => {
    clock = new WallClock(1_800_000_000_000)
    world = await createWorld({ kind, clock })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const query = () => world.ctx.database.query
  const pace = () => new YieldingPace({ ...world.ctx, timers: noWaits, kind, calls: () => 0, signal })
  const goOn = () => continueMessages(world.ctx, pace(), signal)
  const users = async (count: number) => {
    const userIds = []
    for (let number = 0; number < count; number += 1) {
      userIds.push((await anAccount(world.ctx, { email: `u${number}@example.com` })).id)
    }
    return userIds
  }
  const message = (id: number) => query().selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
  const receipts = async (id: number) =>
    (await query().selectFrom('message_receipts').select('user_id').where('message_id', '=', id).execute()).map(
      ({ user_id: userId }) => userId,
    )
  const waiting = () =>
    query().selectFrom('mails').select(['recipient', 'kind']).where('due_at', 'is not', null).execute()

  test('an audience left half done by a crash gets its message once, however many processes continue', async () => {
    const ids = await users(60)
    const group = { kind: 'group', group: 'default' } as const
    const id = (await sendToAudience(world.ctx, { ...written, send_mail: false }, group, pace())) ?? 0
    // As it was when the process died midway; a member who left the group since has it, one who joined since does not get it.
    await query()
      .deleteFrom('message_receipts')
      .where('message_id', '=', id)
      .where('user_id', '>', ids[19] ?? 0)
      .execute()
    const half = { expand_after: ids[19] ?? 0, total_recipients: 20, due_at: clock.seconds() }
    await query().updateTable('messages').set(half).where('id', '=', id).execute()
    await anAccount(world.ctx)
    await Promise.all([goOn(), goOn()])
    await goOn()
    expect((await receipts(id)).toSorted((one, other) => one - other)).toEqual(ids)
    expect(await message(id)).toMatchObject({ total_recipients: 60, expand_after: null, due_at: null })
  })

  test('copies by mail go to each recipient who can get one, once, after mails that people wait for', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    const [ann = 0, bob = 0, carl = 0] = await users(3)
    const silent = await anAccount(world.ctx)
    await query().updateTable('users').set({ status: userStatus.disabled }).where('id', '=', carl).execute()
    const id = await sendToUsers(world.ctx, { ...written, send_mail: true }, [ann, bob, carl, silent.id])
    await Promise.all([goOn(), goOn()])
    await goOn()
    clock.jump(1000)
    const link = { kind: 'reset-password', to: 'u1@example.com', language: 'en', params: {} } as const
    await query()
      .transaction()
      .execute((transaction) => queueMail(world.ctx, link, transaction))
    await sendMails(world.ctx, signal)
    const subjects = server.received.map(({ subject, to }) => `${to[0]} ${subject}`)
    expect(subjects.toSorted()).toEqual([
      'u0@example.com News',
      'u1@example.com News',
      'u1@example.com Reset your Tollgate password',
    ])
    const copy = server.received.find(({ subject }) => subject === 'News')
    expect(copy?.html).toContain('Hi <b>you</b>')
    expect(copy?.html).toContain(`https://gate.example.com/app/inbox/${id}`)
    expect(copy?.text).toContain('Hi you')
    expect(await message(id)).toMatchObject({ mail_after: null, due_at: null })
  })

  test('a message to everyone is mailed a part at a time, and no further once it is deleted', async () => {
    const ids = await users(4)
    const insertMany = Array.from({ length: 250 }, (_, number) => number)
    const [first] = await query()
      .selectFrom('users')
      .selectAll()
      .where('id', '=', ids[0] ?? 0)
      .execute()
    if (!first) throw new Error('no user')
    const { id: _id, search_text: _search, ...columns } = first
    const rows = insertMany.map((number) => ({
      ...columns,
      username: `many-${number}`,
      username_key: `many-${number}`,
      email: `many-${number}@example.com`,
      aff_code: `m${number}`,
    }))
    await query().insertInto('users').values(rows).execute()
    const all = { kind: 'all' } as const
    const id = (await sendToAudience(world.ctx, { ...written, send_mail: true }, all, pace())) ?? 0
    await goOn()
    await goOn()
    const before = await waiting()
    expect(before).toHaveLength(200)
    await query().updateTable('mails').set({ due_at: null }).execute()
    await goOn()
    const after = await waiting()
    expect(after).toHaveLength(54)
    expect(new Set([...before, ...after].map(({ recipient }) => recipient)).size).toBe(254)
    // Queued copies have no content once the message is gone.
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    await removeMessage(world.ctx, id, pace())
    await sendMails(world.ctx, signal)
    expect(server.received).toEqual([])
    expect(await waiting()).toEqual([])
  })

  test('a deletion left half done by a crash is finished', async () => {
    const ids = await users(30)
    const id = await sendToUsers(world.ctx, { ...written, send_mail: false }, ids)
    await query()
      .updateTable('messages')
      .set({ deleted_at: clock.seconds(), due_at: clock.seconds() })
      .where('id', '=', id)
      .execute()
    await Promise.all([goOn(), goOn()])
    expect([await message(id), await receipts(id)]).toEqual([undefined, []])
  })
})
