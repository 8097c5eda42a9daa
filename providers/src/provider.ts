import type { DialectId, JsonObject, Mode } from '@tollgate/dialects'

/** A vendor: everything the gateway and the console need to know of it, as data over dialects. */
export interface Provider {
  /** The channel type of the specification. */
  readonly type: number
  /** Lower-case, stable: used for logos and in logs. */
  readonly id: string
  readonly name: Text
  /** Without a trailing slash. Null: the operator must give one. */
  readonly baseUrl: string | null
  readonly auth: (target: Target) => Record<string, string>
  readonly key: KeyFormat
  readonly modes: Partial<Record<Mode, ModeDescription>>
  /** The channel editor's own fields, in their order. A `base_url` among them takes the place of the common one. */
  readonly fields: readonly EditorField[]
  /** Suggested models. */
  readonly models: readonly string[]
  readonly modelList?: ModelListCall
  readonly balance?: BalanceCall
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
  readonly setting?: VendorSetting
}

/** The keys of a channel's `setting` that vendors read. */
export interface VendorSetting {
  /** Azure: the deployment's name is the model's without its dots, as `gpt-35-turbo`. */
  readonly deployment_without_dots?: boolean
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
  /** The upstream takes `stream_options.include_usage`; elsewhere the field is removed. */
  readonly acceptsStreamOptions: boolean
  /** The upstream's `completion_tokens` leaves out what it spent on reasoning: the completion is total minus prompt. */
  readonly usageOmitsReasoning?: boolean
  /** A failure that this vendor reports inside an answer with status 200, in a shape that no dialect knows. */
  readonly errorInAnswer?: (answer: JsonObject) => AnswerError | undefined
}

/** A failure found in a successful answer, as if the upstream had sent it with the right status. */
export interface AnswerError {
  /** The HTTP status that means the same, for retry and disable rules. */
  readonly status: number
  readonly message: string
  /** The vendor's own. */
  readonly code: string
}

export interface ShapedBody {
  readonly body: JsonObject
  /** For the log, when a suffix of the model name chose it. */
  readonly reasoningEffort?: string
}

export interface KeyFormat {
  readonly hint: Text
  /** Commas separate several keys. False for keys that are JSON documents. */
  readonly several: boolean
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
  /** US dollars, or the vendor's currency where it knows no other. Throws `TypeError` when the shape is not the vendor's. */
  readonly parse: (answers: unknown[]) => number
}

/** Declare a vendor. */
export const defineProvider = (provider: Provider): Provider => provider
