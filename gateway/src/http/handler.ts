import type {
  Access,
  CallbackRoute,
  FileRoute,
  Grant,
  Route,
  RouteBeside,
  RouteData,
  RouteInput,
} from '@tollgate/contract'

import type { AuditNote } from '../audit/audit-log'
import type { Context } from '../context'
import type { FileAnswer } from './file-answer'
import type { Language } from './language'

/** The signed-in user of a console call; role, grants, status and group are fresh from the database. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly role: number
  /** Who stands above whom; the role, but for users with grants. */
  readonly rank: number
  readonly grants: ReadonlySet<Grant>
  readonly group: string
  /** Signed in by the access token of the `Authorization` header instead of a session cookie. */
  readonly isByAccessToken: boolean
  /** Somebody else looks at what this user sees. */
  readonly isViewed?: true
}

/** What a handler knows of its caller, whatever grant its route asks for. */
type CallKind = 'guest' | 'optional' | 'user'
type KindOf<A extends Access> = A extends 'guest' | 'optional' ? A : 'user'
type CallerOf<K extends CallKind> = K extends 'guest' ? null : K extends 'optional' ? Caller | null : Caller

/** What a handler may know of the server it runs in. */
export interface Site {
  /** Unix seconds. */
  readonly startedAt: number
  /** Asked of whoever sets the gateway up from elsewhere than this machine; empty: of nobody. */
  readonly setupCode: string
  readonly workers: WorkersAsked
}

/** Asks every worker of this node; those that do not answer in time are left out. Answers are for their schema to parse. */
export interface WorkersAsked {
  /** How each is, as `WorkerState` says. */
  states(): Promise<readonly unknown[]>
  /** What each logged last, a list of lines. */
  logLines(): Promise<readonly unknown[]>
}

/** Everything a handler may use besides its input. */
export interface Call<K extends CallKind = CallKind> {
  readonly ctx: Context
  readonly site: Site
  readonly caller: CallerOf<K>
  readonly requestId: string
  /** What the audit log says of this call besides who, when and how it ended. */
  readonly audit: AuditNote
  readonly clientIp: string
  /** The other end of the socket: the client, or the proxy before the gateway. */
  readonly peer: string
  /** Made by a program on the gateway's own machine, through no proxy. */
  readonly isDirectLocal: boolean
  /** The client spoke TLS, to us or to a trusted proxy. */
  readonly isSecure: boolean
  readonly language: Language
  readonly request: Request
  /** Headers to add to the answer, cookies for example. */
  readonly answerHeaders: Headers
}

type Result<R extends Route> = R extends CallbackRoute
  ? Response
  : R extends FileRoute
    ? FileAnswer
    : [NonNullable<R['beside']>] extends [never]
      ? RouteData<R>
      : { data: RouteData<R>; beside: RouteBeside<R> }

export interface Handler {
  readonly route: Route
  handle(input: RouteInput<Route>, call: Call): Promise<unknown>
}

/**
 * Bind a route to what it does. The handler returns `data`, `{data, beside}` where the route has members beside it,
 * or a `FileAnswer` where the route answers a file.
 * It throws `AppError` for everything that goes wrong.
 */
export function handler<R extends Route>(
  route: R,
  handle: (input: RouteInput<R>, call: Call<KindOf<R['access']>>) => Promise<Result<R>>,
): Handler {
  return { route, handle }
}
