import type { DialectId, JsonObject, Mode, ThinkingForms, Usage } from '@tollgate/dialects'

import type { BatchApi, BatchTarget } from './batches/batch-api'
import type { TaskApis, TaskPlatform } from './task-apis'
import type { TaskProtocol, TaskTarget } from './tasks'

/** A vendor: everything the gateway and the console need to know of it, as data over dialects. */
export interface Provider {
  /** The channel type of the specification. */
  readonly type: number
  /** Lower-case, stable: used for logos and in logs. */
  readonly id: string
  /** Its `gen_ai.provider.name` in OpenTelemetry's conventions, where that is not the id. */
  readonly traceName?: string
  readonly name: Text
  /** Without a trailing slash. Null: the operator must give one. */
  readonly baseUrl: string | null
  readonly auth: (target: Target) => Record<string, string>
  /** Authentication that needs more than the key: a signature over the body, a token that is fetched. Comes on top of `auth`. */
  readonly authorize?: Authorize
  /**
   * Forgets the token in the credentials that `authorize` returned and the vendor refused, with status 401. Returns whether to ask again
   * with another one. `nowMs` is the time in milliseconds.
   */
  readonly renew?: (target: Target, refused: Credentials, nowMs: number) => boolean
  /** Decides what happens to a call whose client leaves, where its channel does not say. */
  readonly billsAbandoned: AbandonedBilling
  readonly key: KeyFormat
  /** Its own clients may bring the login of their user's account. Absent: it has no such clients. */
  readonly ownLogin?: OwnLogin
  readonly modes: Partial<Record<Mode, ModeDescription | ModeByTarget>>
  /** Work that ends later than its request. */
  readonly tasks?: TaskApis
  /** Returns how it makes many calls at once, at a lower price; undefined at addresses that do not. Absent: it does not. */
  readonly batches?: (target: Pick<BatchTarget, 'baseUrl' | 'setting'>) => BatchApi | undefined
  /** Chats of clients that speak OpenAI's Responses, where the vendor speaks it too. Elsewhere they are translated. */
  readonly responses?: ModeDescription
  /** The same for hosts of which few have it: only after one refused a chat and named Responses. */
  readonly namedResponses?: ModeDescription
  /** The channel editor's own fields, in their order. A `base_url` among them takes the place of the common one. */
  readonly fields: readonly EditorField[]
  /** The field `other` may also be a JSON object with a value for each model, `default` for those it does not name. */
  readonly isOtherByModel?: boolean
  /** Free of charge: it runs on the operator's own machine. Its models cost 0 until the operator sets a price. */
  readonly isFree?: boolean
  /** Suggested models. */
  readonly models: readonly string[]
  readonly modelList?: ModelListCall
  readonly balance?: BalanceCall
}

/**
 * Which calls a vendor bills to their end though the connection was closed before.
 *
 * `whole`: an answer in one piece; closing a stream stops its meter. `none`: the model runs on the operator's own
 * machine and stops. `all`: also streams. That is what a vendor does unless it is known to stop: OpenRouter documents which of
 * its hosts stop, https://openrouter.ai/docs/api-reference/streaming#stream-cancellation (OpenAI, Azure, Anthropic, Cohere,
 * xAI, Cloudflare and DeepSeek do; Bedrock, Google, MiniMax, Mistral, Alibaba and 01.AI do not).
 */
export type AbandonedBilling = 'all' | 'whole' | 'none'

/** What clients of a vendor send besides the login of their user's account, and what they read of that account. */
export interface OwnLogin {
  /** Headers of the client that go on to the vendor, in lower case; `x-app-*` stands for all that begin so. */
  readonly sent: readonly string[]
  /** Headers of the vendor's response that go on to the client. */
  readonly returned: readonly string[]
}

/** For a vendor that speaks another dialect for some of its models, or to keys of another form. */
export type ModeByTarget = (target: ModeTarget) => ModeDescription

/** What a vendor's way of serving a call may depend on. */
export type ModeTarget = Pick<Target, 'model' | 'key' | 'other'> & {
  /** What the client asks for, in its own dialect. Absent where no call is made. */
  readonly body?: JsonObject
  readonly dialect?: DialectId
  /** The upstream has said that it serves chats with this model by Responses; false: that it has no such address. */
  readonly hasResponses?: boolean | undefined
}

/** What to add to a request. @throws TypeError when the key has not the vendor's form, or the vendor refuses it a token. */
export type Authorize = (request: UnsignedRequest, target: Target, tools: AuthTools) => Promise<Credentials>

/** What proves to a vendor who calls. All values are secrets. */
export interface Credentials {
  readonly headers?: Readonly<Record<string, string>>
  /** Parameters that are added to the address. */
  readonly query?: Readonly<Record<string, string>>
}

/** The request with what proves who calls. */
export const withCredentials = <Request extends Pick<UnsignedRequest, 'url' | 'headers'>>(
  request: Request,
  { headers, query = {} }: Credentials,
): Request => ({
  ...request,
  url: withParameters(request.url, query),
  headers: { ...request.headers, ...headers },
})

/** Returns the address with more parameters. */
export function withParameters(address: string, query: Readonly<Record<string, string>>): string {
  const added = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return added.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${added.join('&')}`
}

export interface UnsignedRequest {
  /** Absent: POST. */
  readonly method?: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty for a form. */
  readonly body: string
}

/** What authentication may use in addition to the request. */
export interface AuthTools {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds. */
  readonly now: () => number
  /** Absent: there is no other process. */
  readonly sharedTokens?: SharedTokens
}

/** Tokens of vendors that all workers know. */
export interface SharedTokens {
  readonly read: (name: string) => Promise<SharedToken | null>
  readonly write: (name: string, token: SharedToken) => Promise<void>
}

/** A token that a vendor takes in place of a key. */
export interface SharedToken {
  readonly text: string
  /** Milliseconds; not used after that. */
  readonly goodUntil: number
}

/** A sentence in both languages. */
export interface Text {
  readonly en: string
  readonly zh: string
}

/** One attempt's destination, as the vendor's functions see it. */
export interface Target {
  /** The channel's own or the vendor's default, without a trailing slash. */
  readonly baseUrl: string
  /** One key, already chosen. */
  readonly key: string
  /** The model as the upstream names it. */
  readonly model: string
  readonly mode: Mode
  readonly stream: boolean
  /** The client's path with its query, as `/v1/chat/completions?x=1`. */
  readonly path: string
  /** The channel's `other` field: an API version, a region, … */
  readonly other: string
  readonly organization: string
  /** For vendors that want to know who calls: the site's name and address. */
  readonly site: { readonly name: string; readonly url: string }
  /** The channel's setting, of which a vendor reads the keys that its fields describe. */
  readonly setting?: Readonly<Record<string, unknown>>
  /** The client's headers that belong to the upstream's dialect, in lower case. None from clients of another dialect. */
  readonly dialectHeaders?: Readonly<Record<string, string>>
}

export interface ModeDescription {
  readonly dialect: DialectId
  readonly url: (target: Target) => string
  /** Headers beyond authentication. */
  readonly headers?: (target: Target) => Record<string, string>
  /**
   * Change the body for this vendor. Pure: returns the same object when nothing must change, so that bytes pass through.
   * Also returns the model where the vendor's suffix rules change it, and a reasoning effort read from a suffix for the log.
   */
  readonly shape?: (body: JsonObject, target: Target) => ShapedBody
  /** Says in the vendor's own members whether and how much to think, where it speaks OpenAI's chat. */
  readonly thinking?: ThinkingForms
  /**
   * Returns whether a request in this very dialect has parts that the vendor takes in other words of it alone: it is translated from the
   * dialect to itself, and its response back.
   */
  readonly needsRewriting?: (body: JsonObject) => boolean
  /** The vendor refuses bodies that are not shaped, so they are even where nothing else may be changed. */
  readonly needsShape?: boolean
  /** Members of the body that the vendor takes as parameters of the address. */
  readonly inAddress?: readonly string[]
  /** How bodies are sent. Absent: as JSON. `as-received`: as a form where the client sent one. */
  readonly body?: 'form' | 'as-received'
  /** The most images that one call draws; a call for more is made as several. Absent: as many as a client may ask for. */
  readonly maxImages?: number
  /** The most inputs that one call embeds; a call with more is made as several, none of which may fail. Absent: as many as a client sends. */
  readonly maxInputs?: number
  /** The upstream takes `stream_options.include_usage`; elsewhere the field is removed. */
  readonly acceptsStreamOptions: boolean
  /** The vendor searches the web for chats with `web_search_options`, whatever the model. Absent: it ignores the member. */
  readonly searches?: true
  /** The vendor does not call the MCP servers that a request in its dialect names. Absent: it does, or refuses them itself. */
  readonly lacksRemoteServers?: (target: Pick<Target, 'baseUrl'>) => boolean
  /** Turns a stream that is not made of server-sent events into one that is, in the same dialect. */
  readonly createUnframer?: () => Unframer
  /** The vendor streams even where a whole answer is asked for: its stream as one JSON object, or nothing where it was cut off. */
  readonly collect?: (body: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** The vendor is called over a WebSocket: the address is one, the body its first message. */
  readonly createMessageReader?: (target: Pick<Target, 'stream'>) => MessageReader
  /** A whole answer with what the vendor leaves out of it. Pure; the same object when nothing is missing. */
  readonly complete?: (answer: JsonObject, request: JsonObject, usage: Usage) => JsonObject
  /** What the vendor's codes mean for failures that it reports inside an answer with status 200. */
  readonly errorStatuses?: ErrorStatuses
}

/** Cuts a stream anew. Bytes that make no whole event yet are kept. */
export interface Unframer {
  push(bytes: Uint8Array): Uint8Array
  /** What is left when the upstream ended. */
  end(): Uint8Array
}

/** Turns the messages of a WebSocket into the body of a response: server-sent events, or an answer in one piece. */
export interface MessageReader {
  /** Returns the bytes to add to the body, none where a message only adds to what is collected. */
  read(message: string): { readonly bytes: Uint8Array<ArrayBuffer>; readonly isLast: boolean }
}

/** HTTP statuses by a vendor's code, for the rules of retries and of disabling; `Throttling*` stands for all codes that begin so. */
export type ErrorStatuses = Readonly<Record<string, number>>

/** The status that a code means; null when the vendor's list does not have it. */
export function errorStatusOf(statuses: ErrorStatuses | undefined, code: string): number | null {
  if (statuses === undefined) return null
  if (Object.hasOwn(statuses, code)) return statuses[code] ?? null
  const found = Object.entries(statuses).find(([name]) => name.endsWith('*') && code.startsWith(name.slice(0, -1)))
  return found?.[1] ?? null
}

export interface ShapedBody {
  readonly body: JsonObject
  /** For the log, when a suffix of the model name chose it. */
  readonly reasoningEffort?: string
  /** What the vendor cannot be asked for, as short English phrases. */
  readonly leftOut?: readonly string[]
}

export interface KeyFormat {
  readonly hint: Text
  /** Commas separate several keys. False for keys that are JSON documents. */
  readonly several: boolean
  /** Returns whether a key has the form of the hint, where the vendor's keys have a fixed one. */
  readonly isKey?: (key: string) => boolean
}

/** A field of the channel editor. `name` is a column of the channel, or `setting.<key>` for a key of its setting. */
export interface EditorField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'switch' | 'json' | 'select'
  readonly label: Text
  readonly hint?: Text
  readonly placeholder?: string
  readonly required?: boolean
  readonly default?: string
  readonly options?: readonly { readonly value: string; readonly label: Text }[]
}

/** A read-only call to the vendor, described so that the gateway makes it. */
export interface VendorCall {
  readonly url: string
  readonly headers: Record<string, string>
}

export interface ModelListCall {
  readonly request: (target: Pick<Target, 'baseUrl' | 'key' | 'other'>) => VendorCall
  /** Model names in the answer. Throws `TypeError` when its shape is not the vendor's. */
  readonly parse: (answer: unknown) => string[]
}

export interface BalanceCall {
  /** Made one after the other; the answers arrive in this order. */
  readonly requests: (target: Pick<Target, 'baseUrl' | 'key'>, today: Date) => VendorCall[]
  /** Throws `TypeError` when the shape is not the vendor's. */
  readonly parse: (answers: unknown[], target: Pick<Target, 'baseUrl'>) => VendorBalance
}

/** Currencies in which vendors keep accounts, as ISO 4217 codes. */
export type VendorCurrency = 'USD' | 'CNY'

export interface VendorBalance {
  readonly amount: number
  readonly currency: VendorCurrency
}

/** What a client asks of a vendor. */
export interface ModeRequest {
  readonly mode: Mode
  /** What the client speaks. */
  readonly dialect: DialectId
}

/** How the vendor serves a kind of call: in the client's own dialect where it can. Undefined when it does not. */
export function descriptionOf(
  provider: Provider,
  { mode, dialect }: ModeRequest,
  target: ModeTarget,
): ModeDescription | undefined {
  const { responses, namedResponses } = provider
  if (responses?.dialect === dialect) return responses
  if (target.hasResponses && mode === 'chat' && (responses || namedResponses)) return responses ?? namedResponses
  const described = provider.modes[mode]
  return typeof described === 'function' ? described(target) : described
}

/** What a channel may be asked for: a call of a mode, or a task of a platform. */
export type Service = Mode | TaskPlatform

/** Returns whether the vendor offers this kind of work. */
export const serves = ({ modes, tasks }: Provider, service: Service): boolean =>
  modes[service as Mode] !== undefined || tasks?.[service as TaskPlatform] !== undefined

/** Returns how a vendor runs tasks of a platform; undefined where it does not. */
export function taskProtocolOf(
  { tasks }: Provider,
  platform: TaskPlatform,
  target: Pick<TaskTarget, 'model' | 'key' | 'other'>,
): TaskProtocol | undefined {
  const api = tasks?.[platform]
  return typeof api === 'function' ? api(target) : api
}

/** Declare a vendor. */
export const defineProvider = (provider: Provider): Provider => provider
