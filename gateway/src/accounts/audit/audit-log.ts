import { auditDone, statusOf, type AuditAction, type ErrorCode, type Route } from '@tollgate/contract'
import type { Insertable } from 'kysely'

import { lruCache } from '../../platform/lru-cache'
import type { Context } from '../../context'
import type { AuditLogTable } from '../../platform/store/tables/logs'
import { differenceOf } from './auditable'

/** The acting user, as a row has it. */
interface AuditActor {
  readonly userId: number
  readonly username: string
  /** The rank, which is the role except for users with grants. */
  readonly role: number
}

/** What a handler adds to the row of its call. */
export interface AuditNote {
  /** Sets the target of the action. */
  target(kind: string, id: number | string, name?: string): void
  /** Adds what changed; members that do not differ are left out, secrets are masked. */
  recordChange(before: object, after: object): void
  /** Sets the acting user where no guard knows: a sign-in. */
  by(actor: AuditActor): void
  /** Records a read, which leaves no row by itself. */
  read(action: AuditAction): void
}

/** The row of one call: what the server knows, and what the handler adds. */
export interface AuditTrail {
  readonly note: AuditNote
  /** Sets the caller, as soon as it is known. */
  calledBy(actor: AuditActor, means: 'session' | 'access_token'): void
  /** Sets the route and its input; a single id in it is the target. */
  calls(route: Route, input?: { readonly params: object; readonly body: unknown }): void
  /** Writes the row, where the call is one that leaves a row. Never fails: what cannot be written is logged instead. */
  finish(outcome: typeof auditDone | ErrorCode): Promise<void>
}

/** The initial facts of a trail. */
interface AuditOrigin {
  readonly request: Request
  readonly requestId: string
  readonly clientIp: string
}

export interface AuditLog {
  begin(origin: AuditOrigin): AuditTrail
}

const maxTextLength = 255
/** A repeated identical refusal is not informative, and must not fill the disk. */
const refusalsRemembered = 5_000
const refusalMs = 60_000
const wrongProofs: ReadonlySet<string> = new Set<ErrorCode>([
  'login.failed',
  'user.password_original',
  'factor.wrong',
  'passkey.failed',
])

type Deps = Pick<Context, 'database' | 'clock' | 'log'>

/** Creates the audit log of a worker. */
export function createAuditLog(parts: Deps): AuditLog {
  const refusals = lruCache<string, number>(refusalsRemembered)
  const isRepeated = (refusal: string): boolean => {
    const now = parts.clock.monotonic()
    const last = refusals.get(refusal)
    if (last !== undefined && now - last < refusalMs) return true
    refusals.set(refusal, now)
    return false
  }
  return { begin: (origin) => new CallTrail(parts, origin, isRepeated) }
}

type Row = Insertable<AuditLogTable>

const cut = (text: string) => text.replaceAll('\0', '').slice(0, maxTextLength)

class CallTrail implements AuditTrail, AuditNote {
  readonly note: AuditNote = this
  readonly #parts: Deps
  readonly #isRepeated: (refusal: string) => boolean
  readonly #row: Row
  #isRecordedWhenDone = false
  #before: Record<string, unknown> = {}
  #after: Record<string, unknown> = {}

  constructor(parts: Deps, { request, requestId, clientIp }: AuditOrigin, isRepeated: (refusal: string) => boolean) {
    this.#parts = parts
    this.#isRepeated = isRepeated
    this.#row = {
      created_at: parts.clock.seconds(),
      request_id: requestId,
      user_id: 0,
      username: '',
      role: 0,
      means: 'guest',
      ip: clientIp,
      user_agent: cut(request.headers.get('user-agent') ?? ''),
      action: '',
      method: request.method,
      path: cut(new URL(request.url).pathname),
      target: '',
      target_id: '',
      target_name: '',
      outcome: '',
      before: '',
      after: '',
    }
  }

  calledBy(actor: AuditActor, means: 'session' | 'access_token') {
    this.by(actor)
    this.#row.means = means
  }

  calls(route: Route, input?: { readonly params: object; readonly body: unknown }) {
    const { audit } = route
    if (!audit) return
    this.#isRecordedWhenDone = true
    this.#row.action = audit
    const id = input && (idIn(input.params) ?? idIn(input.body))
    if (id !== undefined) this.target(audit.split('.')[0] ?? '', id)
  }

  target(kind: string, id: number | string, name = '') {
    Object.assign(this.#row, { target: kind, target_id: cut(String(id)), target_name: cut(name) })
  }

  recordChange(before: object, after: object) {
    const difference = differenceOf(before, after)
    Object.assign(this.#before, difference.before)
    Object.assign(this.#after, difference.after)
  }

  by({ userId, username, role }: AuditActor) {
    Object.assign(this.#row, { user_id: userId, username, role })
  }

  read(action: AuditAction) {
    this.#isRecordedWhenDone = true
    this.#row.action = action
  }

  async finish(outcome: typeof auditDone | ErrorCode) {
    if (!this.#isRecorded(outcome)) return
    const row = { ...this.#row, outcome, before: textOf(this.#before), after: textOf(this.#after) }
    try {
      await this.#parts.database.query.insertInto('audit_log').values(row).execute()
    } catch (error) {
      this.#parts.log.error({ error, requestId: row.request_id, audit: row }, 'a row of the audit log was not written')
    }
  }

  #isRecorded(outcome: typeof auditDone | ErrorCode): boolean {
    if (outcome === auditDone) return this.#isRecordedWhenDone
    if (!isRefusal(outcome)) return this.#isRecordedWhenDone && isUncertain(outcome)
    // Each wrong password counts.
    if (wrongProofs.has(outcome)) return true
    const { user_id: userId, ip, method, path } = this.#row
    return !this.#isRepeated(`${userId || ip} ${method} ${path} ${outcome}`)
  }
}

const textOf = (facts: object): string => (Object.keys(facts).length === 0 ? '' : JSON.stringify(facts))

/** Returns the only id in an input, by the members that contain ids. */
function idIn(input: unknown): number | string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  for (const name of ['id', 'channel_id'] as const) {
    const id: unknown = name in input ? Reflect.get(input, name) : undefined
    if (typeof id === 'number' || typeof id === 'string') return id
  }
  return undefined
}

/** Refusals of a caller that are business failures on the wire. Those with status 403 are refusals by themselves. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'auth.token_invalid',
  'auth.user_invalid',
  'user.banned',
  'user.deregistered',
  'login.password_off',
  'login.failed',
  'factor.wrong',
  'passkey.failed',
  'user.password_original',
  'user.rank_edit',
  'user.rank_raise',
  'user.rank_delete',
  'user.rank_create',
  'root.self_delete',
  'root.disable',
  'root.delete',
  'root.demote',
  'promote.root_only',
  'channel.key_again',
  'log.recent',
])

/** Returns whether a code means that the caller was denied something, rather than that the input was wrong. */
export const isRefusal = (code: ErrorCode): boolean =>
  // Being asked for the password is a question, not a refusal.
  (statusOf(code) === 403 && code !== 'auth.step_up') || refusals.has(code)

/** Failed calls to a vendor: its key was sent nevertheless. */
const failedAtVendor: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'channel.test_failed',
  'channel.balance_failed',
  'channel.fetch_failed',
])

/** Returns whether an action may have happened in spite of this code. */
export const isUncertain = (code: ErrorCode): boolean =>
  statusOf(code) >= 500 || code === 'db.error' || failedAtVendor.has(code)
