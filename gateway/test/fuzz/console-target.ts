import { role } from '@tollgate/contract'

import type { Handler } from '../../src/http/handler'
import type { DatabaseKind } from '../../src/platform/store/database'
import { createClock } from '../../src/platform/time/clock'
import type { Context } from '../../src/context'
import { anAccount, createTestConsole, type SignedIn } from '../console-client'
import { setOptionsIn } from '../options'
import { aLogRow } from '../rows'
import { createWorld } from '../world'
import type { ConsoleCall, Sender } from './console-calls'
import { repeatsAtLength, shorten, within, type Finding } from './finding'
import { rowCounter } from './stored-rows'

/** A console to be called by hostile clients. */
export interface ConsoleTarget extends AsyncDisposable {
  /** Resolves with what is wrong with the response; null: nothing. */
  attempt(call: ConsoleCall): Promise<Finding | null>
}

/** Longer than any window of the limits of requests is for a single call. */
const betweenCallsMs = 120_000
const maxErrorLength = 1500

/** Nothing leaves the machine, and no command runs. */
const outside = {
  fetch: Object.assign(() => Promise.reject(new TypeError('no network')), { preconnect: () => {} }),
  outbound: {
    send: () => Promise.reject(new Error('no network')),
    open: () => Promise.reject(new Error('no network')),
    requirePublic: () => Promise.resolve(),
  },
  runCommand: () => Promise.resolve({ code: 0, output: '{"findings":[],"certificates":[]}' }),
}

/** So that calls get beyond the question whether anything is configured. */
const configured = {
  ServerAddress: 'https://gate.example.test',
  SMTPServer: '127.0.0.1',
  SMTPPort: '9',
  SMTPAccount: 'a@example.test',
  GitHubOAuthEnabled: 'true',
  GitHubClientId: 'id',
  GitHubClientSecret: 'secret',
  TelegramOAuthEnabled: 'true',
  TelegramBotToken: '123456:TEST',
  WeChatAuthEnabled: 'true',
  WeChatServerAddress: 'http://127.0.0.1:9',
  WeChatServerToken: 'secret',
  CheckInEnabled: 'true',
  GroupRatio: '{"default":1,"vip":0.5}',
}

export async function createConsoleTarget(kind: DatabaseKind, handlers: readonly Handler[]): Promise<ConsoleTarget> {
  let ms = 1_800_000_000_000
  const world = await createWorld({ kind, clock: createClock(() => ms) })
  const upstreams = {
    ...world.ctx.upstreams,
    send: () => Promise.reject(new Error('no network')),
    connect: () => Promise.reject(new Error('no network')),
  }
  const ctx = { ...world.ctx, ...outside, upstreams }
  const site = createTestConsole(ctx, handlers)
  const { query } = ctx.database
  await query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  const accounts: Record<Exclude<Sender, 'guest'>, number> = {
    root: (await anAccount(ctx, { username: 'root', role: role.root, quota: 5_000_000 })).id,
    admin: (await anAccount(ctx, { username: 'admin', role: role.admin, quota: 5000 })).id,
    user: (await anAccount(ctx, { username: 'user', quota: 5000 })).id,
  }
  await setOptionsIn(ctx, configured)
  await fill(ctx)
  const countRows = await rowCounter(ctx.database)

  /** Signed in a moment ago, whatever earlier calls did to the account. */
  async function signIn(sender: Sender): Promise<SignedIn | undefined> {
    if (sender === 'guest') return undefined
    const id = accounts[sender]
    const whole = { status: 1, deleted_at: null, role: role[sender], password_hash: '', group: 'default' }
    await query.updateTable('users').set(whole).where('id', '=', id).execute()
    return site.signIn(id)
  }

  return {
    async attempt(call) {
      ms += betweenCallsMs
      const as = await signIn(call.sender)
      await ctx.ledger.waitUntilApplied()
      const before = await countRows()
      const describeFault = (fault: string, text: string): Finding => ({
        kind: `${call.method} ${call.route.path}: ${fault}`,
        details: `${call.sender} ${call.method} ${shorten(call.path)} ${JSON.stringify(call.headers).slice(0, 200)} ${shorten(call.body ?? '')}\n  -> ${shorten(text)}`,
      })
      const { method, path, headers, body } = call
      let text = ''
      try {
        const response = await within(site.send(method, path, { as, body, headers }))
        text = await within(response.text())
        const fault = faultOf(call, response, text)
        if (fault !== null) return describeFault(fault, text)
        if (!isRefusal(response, text)) return null
        await ctx.ledger.waitUntilApplied()
        const after = await countRows()
        const changed = [...after].filter(([name, count]) => before.get(name) !== count).map(([name]) => name)
        return changed.length === 0 ? null : describeFault(`refused, but rows changed in ${changed.join(', ')}`, text)
      } catch (error) {
        return describeFault(`throws ${String(error).slice(0, 200)}`, error instanceof Error ? (error.stack ?? '') : '')
      }
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** Adds what calls can name: channels, keys, codes, messages, log rows. */
async function fill({ database: { query }, seal }: Context): Promise<void> {
  const channel = { type: 1, key_sealed: seal.seal('sk-1'), models: 'gpt-4o', created_time: 1, tag: null }
  await query
    .insertInto('channels')
    .values(['one', 'two'].map((name) => ({ ...channel, name, base_url: 'http://127.0.0.1:9' })))
    .execute()
  await query
    .insertInto('tokens')
    .values(
      [1, 2, 3].map((id) => ({ user_id: id, key_hash: `hash${id}`, key_sealed: '', name: 'key', created_time: 1 })),
    )
    .execute()
  await query
    .insertInto('logs')
    .values([1, 2, 3].map((id) => aLogRow({ request_id: `r${id}`, user_id: id, token_id: id })))
    .execute()
}

const isRefusal = ({ status }: Response, text: string): boolean => status >= 400 || text.startsWith('{"success":false')

function faultOf(call: ConsoleCall, response: Response, text: string): string | null {
  const { status } = response
  if (status === 500) return 'status 500'
  if (!isRefusal(response, text)) return null
  if (call.route.isCallback) return text.length > maxErrorLength ? `a callback with ${text.length} characters` : null
  if (!(response.headers.get('content-type') ?? '').startsWith('application/json'))
    return `status ${status} without an envelope`
  const envelope: unknown = JSON.parse(text)
  const { success, message, code } = Object(envelope) as Record<string, unknown>
  if (success !== false || typeof code !== 'string') return `status ${status} without an envelope`
  if (code === 'server.error') return 'server.error'
  if (typeof message !== 'string' || message === '') return `${code} without a message`
  if (/\{\w+\}/.test(message.replaceAll('{{x}}', ''))) return `${code} with a gap in its message`
  if (text.length > maxErrorLength) return `${code} with ${text.length} characters`
  if (repeatsAtLength(text, `${call.path} ${call.body ?? ''}`)) return `${code} repeats its input`
  return null
}
