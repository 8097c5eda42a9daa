import { createClient, role, type Client } from '@tollgate/contract'

import { hashedPassword } from '../src/accounts/users/passwords'
import { insertUser } from '../src/accounts/users/add-member'
import type { Context } from '../src/context'
import { createApp, type App, type AppOptions } from '../src/http/app'
import type { Feature, Handler } from '../src/http/handler'
import { startSession } from '../src/accounts/sessions/sessions'

/** A browser that is signed in. */
export interface SignedIn {
  readonly userId: number
  /** The whole Cookie header. */
  readonly cookie: string
}

export interface Sent {
  readonly as?: SignedIn
  /** A string is sent verbatim, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The peer's address; default: a new one for each call, so that limits by address do not interfere. */
  readonly address?: string
}

/** The console API without a socket. Every response is compared with the contract. */
export interface TestConsole {
  readonly app: App
  /** Returns the typed client, signed in or as a guest. Prefers English. */
  client(as?: SignedIn, options?: { accessToken?: string; address?: string }): Client
  /** Begins a session without a password. */
  signIn(userId: number): Promise<SignedIn>
  /** Sends a bare request. */
  send(method: string, path: string, sent?: Sent): Promise<Response>
}

export function createTestConsole(
  ctx: Context,
  handlers: readonly Handler[],
  options: Omit<AppOptions, 'features'> = {},
): TestConsole {
  const features: readonly Feature[] = [{ paths: ['/api'], load: () => Promise.resolve(handlers) }]
  const app = createApp(ctx, { mustCheckResponses: true, ...options, features })
  return {
    app,
    client: (as, { accessToken, address } = {}) =>
      createClient({
        baseUrl: 'http://console.test',
        fetch: async (request) => app.fetch(request, { address: address ?? newAddress() }),
        language: 'en',
        ...as,
        accessToken,
      }),
    async signIn(userId) {
      const id = await startSession(ctx, { userId, ip: '192.0.2.1', userAgent: 'test' })
      return { userId, cookie: `session=${id}; __Host-session=${id}` }
    },
    send: async (method, path, sent = {}) =>
      app.fetch(requestOf(method, path, sent), { address: sent.address ?? newAddress() }),
  }
}

let addresses = 0

/** From the range for documentation, 2001:db8::/32: each in a network of its own. */
function newAddress(): string {
  addresses += 1
  return `2001:db8:${(addresses >>> 16).toString(16)}:${(addresses & 0xffff).toString(16)}::1`
}

function requestOf(method: string, path: string, { as, body, headers }: Sent): Request {
  const sent = new Headers(headers)
  if (as && !sent.has('Cookie')) sent.set('Cookie', as.cookie)
  if (as && !sent.has('Tollgate-User')) sent.set('Tollgate-User', String(as.userId))
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  return new Request(`http://console.test${path}`, { method, headers: sent, body: text })
}

export interface AccountSeed {
  readonly username?: string
  readonly role?: number
  /** Without one the account has no sign-in by password. */
  readonly password?: string
  readonly email?: string
  readonly quota?: number
}

let accounts = 0

/** Hashing is expensive by design, so each password is hashed once. */
const hashes = new Map<string, Promise<string>>()

function hashOf(password: string): Promise<string> {
  let hash = hashes.get(password)
  if (!hash) hashes.set(password, (hash = hashedPassword(password)))
  return hash
}

/** Creates a user who can sign in, with a balance from the ledger. */
export async function anAccount(ctx: Context, seed: AccountSeed = {}): Promise<{ id: number; username: string }> {
  accounts += 1
  const username = seed.username ?? `account-${accounts}`
  const passwordHash = seed.password ? await hashOf(seed.password) : ''
  const createdAt = ctx.clock.seconds()
  const user = {
    username,
    displayName: username,
    passwordHash,
    role: seed.role ?? role.user,
    email: seed.email,
    createdAt,
  }
  const id = await ctx.database.query.transaction().execute((transaction) => insertUser(user, ctx.random, transaction))
  if (seed.quota) await ctx.ledger.credit({ id: `seed:${id}`, userId: id, kind: 'admin', amount: seed.quota })
  return { id, username }
}
