import type {
  Access,
  CallbackRoute,
  FileRoute,
  Grant,
  OwnScope,
  Route,
  RouteData,
  RouteEnvelopeFields,
  RouteInput,
} from '@tollgate/contract'

import type { AuditNote } from '../accounts/audit/audit-log'
import type { Context, SiteContext } from '../context'
import type { FileResult } from './response/file-response'
import type { Language } from './language'
import type { SetupAccess } from './setup-access'

/** The signed-in user of a console call; role, grants, status and group are read fresh from the database. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly role: number
  /** Who outranks whom; the role, except for users with grants. */
  readonly rank: number
  readonly grants: ReadonlySet<Grant>
  readonly group: string
  /** Signed in by the access token of the `Authorization` header instead of a session cookie. */
  readonly isByAccessToken: boolean
  /** What a narrowed access token may do with its owner's own things; null: all of it. */
  readonly scopes: ReadonlySet<OwnScope> | null
  /** An administrator views what this user sees. */
  readonly isViewed?: true
}

/** What a handler knows about its caller, whatever grant its route requires. */
type CallKind = 'guest' | 'optional' | 'user'
type KindOf<A extends Access> = A extends 'guest' | 'optional' ? A : 'user'
type CallerOf<K extends CallKind> = K extends 'guest' ? null : K extends 'optional' ? Caller | null : Caller

/** What a handler may know about the server it runs in. */
export interface Site {
  /** Unix seconds. */
  readonly startedAt: number
  readonly setupAccess: Pick<SetupAccess, 'code' | 'requiresCode' | 'finish'>
  readonly workers: AllWorkers
}

/** Asks every worker of this node; those that do not respond in time are left out. Responses are parsed by their schema. */
export interface AllWorkers {
  /** The state of each worker, as `WorkerState`. */
  states(): Promise<readonly unknown[]>
  /** The latest log lines of each worker. */
  logLines(): Promise<readonly unknown[]>
}

/** Everything a handler may use besides its input. */
export interface Call<K extends CallKind = CallKind> {
  readonly ctx: Context
  readonly site: Site
  readonly caller: CallerOf<K>
  readonly requestId: string
  /** What the audit log records about this call besides who, when and how it ended. */
  readonly audit: AuditNote
  readonly clientIp: string
  /** The socket peer's address: the client, or the proxy in front of the gateway. */
  readonly peer: string
  /** The client spoke TLS, to us or to a trusted proxy. */
  readonly isSecure: boolean
  readonly language: Language
  readonly request: Request
  /** Headers to add to the response, such as cookies. */
  readonly responseHeaders: Headers
}

/** A change of the site's settings: a call of the console, or a command. */
export interface SiteChange extends Pick<Call, 'requestId'> {
  readonly ctx: SiteContext
  /** User 0 with all grants where it is a command. */
  readonly caller: Pick<Caller, 'userId' | 'username' | 'role' | 'grants'>
  readonly audit: Pick<AuditNote, 'target' | 'recordChange'>
}

type Result<R extends Route> = R extends CallbackRoute
  ? Response
  : R extends FileRoute
    ? FileResult
    : [NonNullable<R['envelopeFields']>] extends [never]
      ? RouteData<R>
      : { data: RouteData<R>; envelopeFields: RouteEnvelopeFields<R> }

export interface Handler {
  readonly route: Route
  handle(input: RouteInput<Route>, call: Call): Promise<unknown>
}

/**
 * Binds a route to its handler, which returns `data`, `{ data, envelopeFields }` where the route has sibling members, or a `FileAnswer` where the
 * route returns a file. It throws `AppError` for everything that goes wrong.
 */
export function handler<R extends Route>(
  route: R,
  handle: (input: RouteInput<R>, call: Call<KindOf<R['access']>>) => Promise<Result<R>>,
): Handler {
  return { route, handle }
}

/** A part of the console API, loaded by the first call to one of its paths. */
export interface Feature {
  /** Paths, each with everything below it: `/api/channel` also covers `/api/channel/{id}`. */
  readonly paths: readonly string[]
  readonly load: () => Promise<readonly Handler[]>
}

/** Resolves with the handlers of all features. */
export const handlersOf = async (features: readonly Feature[]): Promise<readonly Handler[]> =>
  (await Promise.all(features.map(({ load }) => load()))).flat()
