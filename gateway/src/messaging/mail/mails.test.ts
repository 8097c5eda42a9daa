import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { userStatus } from '@tollgate/contract'

import { anAccount } from '../../../test/console-client'
import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { aMailServer, sendMailsBy } from '../../../test/mail-server'
import { createWorld, type World } from '../../../test/world'
import { takeFlow } from '../../accounts/flows/take-flow'
import { Jobs } from '../../app/jobs/jobs'
import type { MailKindName } from './mail-kinds'
import { queueMail, type QueuedMail } from './queue-mail'
import { sendMails } from './send-mails'
import { WallClock } from '../../../test/fake-time'

const place = {
  username: 'ann',
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  at: 1_800_000_000,
}
const { signal } = new AbortController()

describe.each(kinds)('mails (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  const start = 1_800_000_000_000
  const clock = new WallClock(start)
  beforeEach(async () => {
    clock.moveTo(start)
    world = await createWorld({ kind, clock })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const queue = <Kind extends MailKindName>(mail: QueuedMail<Kind>) =>
    world.ctx.database.query.transaction().execute((transaction) => queueMail(world.ctx, mail, transaction))
  const aNotice = (to = 'ann@example.com') => queue({ kind: 'password-changed', to, language: 'en', params: place })
  const send = () => sendMails(world.ctx, signal)
  const rows = () => world.ctx.database.query.selectFrom('mails').selectAll().orderBy('created_at').execute()
  const outcomes = () => {
    const reading = world.ctx.metrics.read().find(({ name }) => name === 'tollgate_mails_total')
    return Object.fromEntries(
      (reading?.samples ?? []).map(([name, value]) => [/outcome="([\w-]+)"/.exec(name)?.[1], value]),
    )
  }

  once('mails are sent in both languages, as text and as HTML', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server, { SystemName: '收费站' })
    await aNotice()
    await queue({ kind: 'password-changed', to: 'bob@example.com', language: 'zh', params: place })
    await send()
    const [english, chinese] = server.received.toSorted((one, other) =>
      (one.to[0] ?? '').localeCompare(other.to[0] ?? ''),
    )
    expect([english?.from, english?.isSecure]).toEqual(['gate@example.com', true])
    expect(english?.subject).toBe('Your 收费站 password was changed')
    for (const text of [english?.text, english?.html]) {
      expect(text).toContain('Hello ann,')
      expect(text).toContain('2027-01-15 08:00 UTC, from 192.0.2.7 (Firefox · Linux)')
      expect(text).toContain('https://gate.example.com/login')
    }
    expect(chinese?.subject).toBe('您的 收费站 密码已修改')
    expect(chinese?.html).toContain('<html lang="zh-CN">')
    // Programs with a dark mode get the colours, and do not guess them.
    expect(chinese?.html).toContain('@media (prefers-color-scheme:dark)')
    expect(chinese?.text).toContain('ann，您好：')
    expect(outcomes()).toEqual({ sent: 2, later: 0, 'given-up': 0 })
  })

  once(
    'mails are encrypted from the start where the site says so, and sent from the account where it names no sender',
    async () => {
      await using server = await aMailServer({
        secure: true,
        onAuth: ({ username }, _session, done) => done(null, { user: username }),
      })
      const account = { SMTPAccount: 'post@example.org', SMTPToken: 'not-a-real-password', SMTPFrom: '' }
      await sendMailsBy(world.ctx, server, { SMTPSSLEnabled: 'true', ...account })
      await aNotice()
      await send()
      expect(server.received).toMatchObject([{ from: 'post@example.org', isSecure: true }])
      expect(server.received[0]?.headers.get('from')).toBe('Tollgate <post@example.org>')
    },
  )

  once('mails take neither headers nor markup from the names in them', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server, { SystemName: 'Gate" Bcc: eve@example.com <script>' })
    const username = '<b>Eve</b>\r\nBcc: eve@example.com'
    const userAgent = '<img src=x onerror=alert(1)>"'
    await queue({
      kind: 'new-device',
      to: 'ann@example.com',
      language: 'en',
      params: { ...place, username, userAgent },
    })
    await send()
    const [mail] = server.received
    expect(mail?.to).toEqual(['ann@example.com'])
    expect([...(mail?.headers.keys() ?? [])]).not.toContain('bcc')
    expect(mail?.subject).toBe('New sign-in to your Gate" Bcc: eve@example.com <script> account')
    expect(mail?.text).toContain('Hello <b>Eve</b> Bcc: eve@example.com,')
    expect(mail?.html).toContain('Hello &lt;b&gt;Eve&lt;/b&gt; Bcc: eve@example.com,')
    expect(mail?.text).toContain('from 192.0.2.7 (unknown device).')
    expect(`${mail?.text}${mail?.html}`).not.toContain('onerror')
    expect(mail?.html).not.toMatch(/<(img|script|b)\b/)
  })

  test('mails are sent once by several senders', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    const addresses = Array.from({ length: 30 }, (_, index) => `user${index}@example.com`)
    for (const address of addresses) await aNotice(address)
    await Promise.all(Array.from({ length: 4 }, send))
    await send()
    expect(server.received.map(({ to }) => to[0] ?? '').sort()).toEqual(addresses.sort())
    expect(outcomes()).toEqual({ sent: 30, later: 0, 'given-up': 0 })
  })

  once('mails wait for an unavailable server, and are the same when they are retried', async () => {
    const ids: (string | undefined)[] = []
    let isBusy = true
    await using server = await aMailServer({
      response: () => (isBusy ? { responseCode: 451, message: 'Come later' } : null),
    })
    await sendMailsBy(world.ctx, server)
    await aNotice()
    await send()
    await send()
    expect(await rows()).toMatchObject([{ attempts: 1, sent_at: null, due_at: 1_800_000_015 }])
    expect((await rows())[0]?.failure).toContain('smtp.failed')
    clock.jump(15_000)
    await send()
    expect(await rows()).toMatchObject([{ attempts: 2, due_at: 1_800_000_045 }])
    isBusy = false
    clock.jump(30_000)
    await send()
    ids.push(server.received[0]?.headers.get('message-id'))
    expect(await rows()).toMatchObject([{ attempts: 3, due_at: null, sent_at: 1_800_000_045, params: '{}' }])
    expect(ids).toEqual([`<${(await rows())[0]?.id ?? ''}@example.com>`])
    expect(outcomes()).toEqual({ sent: 1, later: 2, 'given-up': 0 })
  })

  once('mails of a sender that died are taken over', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    await aNotice()
    await world.ctx.database.query.updateTable('mails').set({ attempts: 1, due_at: 1_800_000_180 }).execute()
    clock.moveTo(start + 179_000)
    await send()
    expect(server.received).toHaveLength(0)
    clock.moveTo(start + 180_000)
    await send()
    expect(server.received).toHaveLength(1)
  })

  test('mails that are refused permanently are given up', async () => {
    await using server = await aMailServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No such box'), { responseCode: 550 })),
    })
    await sendMailsBy(world.ctx, server)
    await aNotice()
    await send()
    expect(await rows()).toMatchObject([{ attempts: 1, due_at: null, sent_at: null }])
    expect((await rows())[0]?.failure).toContain('smtp.envelope')
    expect(outcomes()).toEqual({ sent: 0, later: 0, 'given-up': 1 })
  })

  once('mails wait until mail is set up, but not longer than they are useful', async () => {
    await aNotice()
    await queue({ kind: 'reset-password', to: 'ann@example.com', language: 'en', params: {} })
    await send()
    clock.jump(15 * 60_000)
    await send()
    const waiting = (await rows()).filter(({ due_at: dueAt }) => dueAt !== null)
    expect(waiting).toMatchObject([{ kind: 'password-changed' }])
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    await send()
    expect(server.received.map(({ subject }) => subject)).toEqual(['Your Tollgate password was changed'])
  })

  once('mails are sent when they are queued, from the worker that runs the jobs', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    const [one, two] = [
      new Jobs({ context: world.ctx, holderId: 'one' }),
      new Jobs({ context: world.ctx, holderId: 'two' }),
    ]
    await one.start()
    await two.start()
    await aNotice()
    await world.ctx.changes.deliver()
    expect((await eventually(async () => server.received[0])).to).toEqual(['ann@example.com'])
    await two.stop()
    await one.stop()
  })

  test('the code of a mail is created when it is sent, so that none is stored', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    await queue({ kind: 'register-code', to: 'new@example.com', language: 'en', params: { browser: 'hers' } })
    expect(await world.ctx.database.query.selectFrom('flows').selectAll().execute()).toEqual([])
    await send()
    const code = /\b\d{6}\b/.exec(server.received[0]?.text ?? '')?.[0] ?? ''
    expect(server.received[0]?.html).toContain(code)
    expect(server.received[0]?.text).toContain('10 minutes')
    const taken = takeFlow(
      world.ctx,
      'register-mail',
      { subject: 'new@example.com', browser: 'hers', secret: code },
      () => Promise.resolve('taken'),
    )
    expect(await taken).toBe('taken')
  })

  once('only the owner of an address is told that it belongs to an account', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    const ann = await anAccount(world.ctx, { email: 'Ann@example.com' })
    const bob = await anAccount(world.ctx)
    const to = 'ann@example.com'
    await queue({ kind: 'register-code', to, language: 'en', params: { browser: 'b' } })
    await send()
    await queue({ kind: 'bind-code', to, language: 'en', params: { browser: 'b', userId: bob.id } })
    await send()
    expect(server.received.map(({ subject }) => subject)).toEqual(
      Array(2).fill('You already have an account at Tollgate'),
    )
    expect(await world.ctx.database.query.selectFrom('flows').selectAll().execute()).toEqual([])
    await queue({ kind: 'bind-code', to, language: 'en', params: { browser: 'b', userId: ann.id } })
    await send()
    expect(server.received[2]?.subject).toBe('Your Tollgate verification code')
  })

  test('mails to reset a password go to open accounts only, with a link to the site’s own address', async () => {
    await using server = await aMailServer()
    await sendMailsBy(world.ctx, server)
    await anAccount(world.ctx, { username: 'open', email: 'open+1@example.com' })
    const banned = await anAccount(world.ctx, { email: 'banned@example.com' })
    const closed = await anAccount(world.ctx, { email: 'closed@example.com' })
    const { query } = world.ctx.database
    await query.updateTable('users').set({ status: userStatus.disabled }).where('id', '=', banned.id).execute()
    await query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', closed.id).execute()
    for (const name of ['open+1', 'banned', 'closed', 'unknown']) {
      await queue({ kind: 'reset-password', to: `${name}@example.com`, language: 'en', params: {} })
    }
    await send()
    expect(server.received.map(({ to }) => to)).toEqual([['open+1@example.com']])
    expect(server.received[0]?.text).toMatch(
      /https:\/\/gate\.example\.com\/user\/reset\?email=open%2B1%40example\.com&token=[\w-]{43}\n/,
    )
    expect(server.received[0]?.text).toContain('Hello open,')
    expect((await rows()).filter(({ due_at: dueAt }) => dueAt !== null)).toEqual([])
    expect(await query.selectFrom('flows').select('subject').execute()).toEqual([{ subject: 'open+1@example.com' }])
  })
})
