import { role as roles, userStatus, type Grant } from '@tollgate/contract'

import { standingOf } from '../src/accounts/users/standing'
import { AppError } from '../src/platform/app-error'
import type { Context } from '../src/context'
import type { Caller, Handler } from '../src/http/handler'
import type { Language } from '../src/http/language'

interface NewUser {
  readonly username: string
  readonly role?: number
  readonly grants?: readonly Grant[]
  readonly group?: string
  readonly quota?: number
}

/** A user in the database, with a balance when one is given. */
export async function aUser(ctx: Context, fields: NewUser) {
  const row = await ctx.database.query
    .insertInto('users')
    .values({
      username: fields.username,
      username_key: fields.username.toLowerCase(),
      password_hash: 'canary-password-hash',
      display_name: fields.username,
      role: fields.role ?? roles.user,
      grants: fields.grants?.join(',') ?? null,
      status: userStatus.enabled,
      group: fields.group ?? 'default',
      access_token_hash: `canary-access-token-${fields.username}`,
      setting: JSON.stringify({ notify_type: 'webhook', webhook_secret: 'canary-webhook-secret' }),
      aff_code: `code-${fields.username}`,
      created_at: 1,
    })
    .returning(['id', 'username', 'role', 'grants', 'group'])
    .executeTakeFirstOrThrow()
  if (fields.quota) {
    await ctx.ledger.credit({ id: `setup:${row.id}`, userId: row.id, kind: 'setup', amount: fields.quota })
  }
  return row
}

type UserLike = Awaited<ReturnType<typeof aUser>>

export const callerOf = ({ id, username, role, grants, group }: UserLike): Caller => ({
  userId: id,
  username,
  role,
  ...standingOf({ role, grants }),
  group,
  isByAccessToken: false,
  scopes: null,
})

interface CallOptions {
  readonly caller?: UserLike
  readonly language?: Language
}

/** A console call as a handler receives it, past the guards. */
export const aCall = (ctx: Context, { caller, language = 'en' }: CallOptions = {}) => ({
  ctx,
  site: {
    startedAt: 0,
    setupAccess: { code: '', requiresCode: () => Promise.resolve(false), finish() {} },
    workers: { states: () => Promise.resolve([]), logLines: () => Promise.resolve([]) },
  },
  isSecure: false,
  caller: (caller ? callerOf(caller) : null) as never,
  requestId: crypto.randomUUID(),
  audit: { target: () => {}, recordChange: () => {}, by: () => {}, read: () => {} },
  clientIp: '192.0.2.1',
  peer: '192.0.2.1',
  language,
  request: new Request('http://localhost/'),
  responseHeaders: new Headers(),
})

/** Resolves with the code of a refusal. */
export async function refusalOf(attempt: Promise<unknown>): Promise<string | null> {
  try {
    await attempt
    return null
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

interface RawInput {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** Runs the handler of that method and path, its input parsed by the route. */
export async function runHandler(
  handlers: readonly Handler[],
  name: string,
  input: RawInput,
  call: ReturnType<typeof aCall>,
) {
  const found = handlers.find(({ route }) => `${route.method} ${route.path}` === name)
  if (!found) throw new Error(`There is no handler for ${name}`)
  const { params, query, body } = found.route
  const parsed = {
    params: params?.parse(input.params ?? {}),
    query: query?.parse(input.query ?? {}),
    body: body?.parse(input.body),
  }
  return found.handle(parsed as never, call)
}
