import * as z from 'zod'

import type { AuditAction } from '../stored/audit-actions'
import type { Grant } from '../rights/rights'
import type { OwnScope } from '../rights/scopes'
import type { StepUp } from '../rights/second-factor'

/**
 * Who may call a route. `guest`: anyone. `optional`: anyone, and the handler learns who is signed in. A scope: any signed-in user, with an
 * access token one that has the scope. `user`: the same with any access token, where nothing is read or changed. Otherwise users with the
 * grant, or one of several.
 */
export type Access = 'guest' | 'optional' | 'user' | OwnScope | Grant | readonly Grant[]

/**
 * The request limit of a route, besides those for all console calls: calls of this route by a signed-in user, or by guests of an address.
 * `critical`: what hands out secrets or takes a code. `password`: guesses at the caller's own, at whichever call. `external`: sign-ins at providers. `search`: expensive reads; `export`: the same, and
 * one at a time. `sign-in`: wrong passwords, by account and address; the body has a `username`.
 */
export type RouteLimit = 'critical' | 'password' | 'external' | 'sign-in' | 'search' | 'export'

/** The forms with a bot check, by the action of the widget. */
export type BotCheck = 'login' | 'register' | 'verification' | 'reset' | 'check-in'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type ObjectSchema = z.ZodType<Record<string, unknown>>

export interface Route<
  Params extends ObjectSchema = ObjectSchema,
  Query extends ObjectSchema = ObjectSchema,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  EnvelopeFields extends ObjectSchema | undefined = ObjectSchema | undefined,
  A extends Access = Access,
> {
  readonly method: Method
  /** With `{name}` for parameters and no trailing slash; callers may send one. */
  readonly path: `/api/${string}`
  readonly access: A
  readonly summary: string
  /** Where `access` is `optional`: what an access token needs to be known; without it the caller is a guest. Null: nothing. */
  readonly scope?: OwnScope | null
  readonly limit?: RouteLimit
  /** Whether it changes anything, which a demonstration site refuses. Default: true for every method except GET. */
  readonly isWrite?: boolean
  /** A repeated call changes nothing a second time, so it needs no key that names the act. */
  readonly isRepeatable?: true
  /**
   * It reaches another system (a vendor, a mail server, a payment provider), or changes the database in several steps. All others change it
   * in one transaction, so that it is certain whether a call whose response was lost was carried out.
   */
  readonly isCompound?: true
  /** Other sites' pages may not send a browser there, although it is a GET. */
  readonly isSameSiteOnly?: boolean
  /** Users who may read users and their logs may call it as one of a lower rank, and see what that user sees. Reads only. */
  readonly isViewable?: true
  /** The handler itself decides which writes a demonstration site allows. */
  readonly isOpenInDemo?: boolean
  /**
   * The action in the audit log; each call leaves a row there. Every route that changes something has one, and `null` means that one with
   * a body changes nothing.
   */
  readonly audit?: AuditAction | null
  /** The form a bot check is solved on, where the site requires one; the token is `turnstile` in the query. */
  readonly botCheck?: BotCheck
  /** Also open to callers whose role requires a second factor and who have none yet. */
  readonly isOpenWithoutFactor?: boolean
  /** Requires the caller to prove their identity again, however they signed in. */
  readonly stepUp?: StepUp
  readonly params?: Params
  readonly query?: Query
  /** Unknown fields are refused: objects become strict. */
  readonly body?: Body
  /** The bytes that a body may have. Default: 4 KB of a guest, 1 MB of anyone else. */
  readonly maxBodyBytes?: number
  /** The `data` member of the envelope. Absent: no data. */
  readonly data?: Data
  /** Sibling members of `data` in the envelope, as in the legacy responses. */
  readonly envelopeFields?: EnvelopeFields
  /** Has `success` or `error` as `message`, and the failure as `data`: payment calls, as existing clients read them. */
  readonly hasStatusMessage?: true
  /**
   * Called by payment providers, and by browsers that they send back, from any site. The handler reads the body and returns a `Response`
   * of its own.
   */
  readonly isCallback?: true
  /** The media type of the file it returns instead of an envelope; failures are still envelopes. */
  readonly media?: string
}

/** A route that returns a file. */
export interface FileRoute<
  Params extends ObjectSchema = ObjectSchema,
  Query extends ObjectSchema = ObjectSchema,
  A extends Access = Access,
> extends Route<Params, Query, z.ZodUndefined, z.ZodUndefined, undefined, A> {
  readonly media: string
}

/** A route that programs of payment providers call, and browsers that they send back. */
export interface CallbackRoute extends Route<
  z.ZodType<Record<never, never>>,
  z.ZodType<Record<never, never>>,
  z.ZodUndefined,
  z.ZodUndefined,
  undefined,
  'guest'
> {
  readonly isCallback: true
}

/** Declares a route. The server registers a handler for it, the console calls it, OpenAPI describes it. */
export function route<
  Params extends ObjectSchema = z.ZodType<Record<never, never>>,
  Query extends ObjectSchema = z.ZodType<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Data extends z.ZodType = z.ZodUndefined,
  EnvelopeFields extends ObjectSchema | undefined = undefined,
  const A extends Access = Access,
>(
  description: Route<Params, Query, Body, Data, EnvelopeFields, A>,
): Route<Params, Query, Body, Data, EnvelopeFields, A> {
  return description
}

/** Declares a route that returns a file. */
export function fileRoute<
  Params extends ObjectSchema = z.ZodType<Record<never, never>>,
  Query extends ObjectSchema = z.ZodType<Record<never, never>>,
  const A extends Access = Access,
>(description: FileRoute<Params, Query, A>): FileRoute<Params, Query, A> {
  return description
}

/** Declares a route for callbacks. The handler records what it changed. */
export const callbackRoute = (
  description: Pick<CallbackRoute, 'method' | 'path' | 'summary' | 'isWrite'>,
): CallbackRoute => ({ ...description, access: 'guest', audit: null, isCallback: true })

type PartOf<R, K extends keyof Route> = R extends { readonly [key in K]?: infer S } ? NonNullable<S> : never

/** A handler's input: parsed parameters, query and body. */
export type RouteInput<R extends Route> = {
  params: z.output<Extract<PartOf<R, 'params'>, z.ZodType>>
  query: z.output<Extract<PartOf<R, 'query'>, z.ZodType>>
  body: z.output<Extract<PartOf<R, 'body'>, z.ZodType>>
}

type QueryValue = string | number | boolean | readonly (string | number)[]

/** What a caller sends. Ids in a path and numbers in a query may be numbers; a list is sent with one value per line. */
export type RouteSent<R extends Route> = {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Partial<Record<keyof z.input<Extract<PartOf<R, 'query'>, z.ZodType>>, QueryValue>>
  readonly body?: z.input<Extract<PartOf<R, 'body'>, z.ZodType>>
  /** The proof that a route with `stepUp` requires. */
  readonly stepUpProof?: string
  /** Names the act: a repeated call with the same key gets the result of the first. */
  readonly idempotencyKey?: string
}

/** What a handler returns as `data`. */
export type RouteData<R extends Route> = z.input<Extract<PartOf<R, 'data'>, z.ZodType>>

/** What a caller receives as `data`. */
export type RouteResult<R extends Route> = z.output<Extract<PartOf<R, 'data'>, z.ZodType>>

/** The sibling members of `data`. */
export type RouteEnvelopeFields<R extends Route> = z.output<Extract<PartOf<R, 'envelopeFields'>, z.ZodType>>

type ReadOnly<Entity, Editable> = {
  readonly [Name in Exclude<keyof Entity, keyof Editable>]: z.ZodOptional<z.ZodUnknown>
}

const ignored = z.unknown().optional()

/** Accepts and ignores every field of an entity that is not editable, so that a row can be sent back as it was read. */
export function readOnlyFields<Entity extends z.ZodRawShape, Editable extends z.ZodRawShape>(
  entity: z.ZodObject<Entity>,
  editable: Editable,
): ReadOnly<Entity, Editable> {
  const names = Object.keys(entity.shape).filter((name) => !Object.hasOwn(editable, name))
  const fields = Object.fromEntries(names.map((name) => [name, ignored]))
  return fields as ReadOnly<Entity, Editable>
}
