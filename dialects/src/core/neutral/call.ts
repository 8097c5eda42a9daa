import type { JsonObject } from '../json'

/**
 * A chat call in no dialect's form: what every dialect can read from its own requests and write into them.
 * It is not the least that all have in common but all that at least two of them can say; what a target cannot
 * express, its writer leaves out and warns of.
 */
export interface NeutralCall {
  readonly model: string
  readonly isStream: boolean
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice | null
  /** Null: not said. */
  readonly parallelTools: boolean | null
  readonly output: OutputFormat | null
  readonly thinking: Thinking | null
  readonly sampling: Sampling
  /** Who the end user is, as the client's application names them. */
  readonly user: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  readonly serviceTier: string | null
  /** What the client wants in addition to text, as `image` or `audio`. Empty: text alone. */
  readonly modalities: readonly string[]
  /** How sound shall be spoken, where it is asked for. */
  readonly voice: { readonly voice: string; readonly format: string } | null
  /** What the reader had to leave out, as warnings name it. */
  readonly leftOut?: readonly string[]
  /** Members of one dialect that only that dialect's own writer understands. */
  readonly own: OwnMembers | null
}

interface OwnMembers {
  readonly dialect: string
  readonly members: JsonObject
  /** What of them is in no other place of the call, by the names that a client knows. Absent: all of them. */
  readonly names?: readonly string[]
}

/** Instructions of the operator come as messages too, where they stood. */
export type Role = 'system' | 'developer' | 'user' | 'assistant'

export interface Message {
  readonly role: Role
  /** Who of several speaks. */
  readonly name?: string
  readonly parts: readonly Part[]
}

/** Marks the end of a prefix that the vendor shall keep in its cache: `30m` is OpenAI's, the others are Anthropic's. */
export type CacheMark = '5m' | '30m' | '1h'

interface Cacheable {
  readonly cache?: CacheMark
}

export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | FilePart
  | VideoPart
  | ThinkingPart
  | RefusalPart
  | ToolCallPart
  | ToolResultPart
  | OwnPart

export interface TextPart extends Cacheable {
  readonly kind: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
}

/** Where a picture, a sound or a file is. */
export type Source =
  | { readonly kind: 'data'; /** Base64. */ readonly data: string; readonly mime: string }
  | { readonly kind: 'url'; readonly url: string; readonly mime?: string }
  /** A file the vendor keeps. */
  | { readonly kind: 'id'; readonly id: string }

export interface ImagePart extends Cacheable {
  readonly kind: 'image'
  readonly source: Source
  readonly detail?: string
}

interface AudioPart extends Cacheable {
  readonly kind: 'audio'
  readonly source: Source
  /** Its words, in an earlier answer. */
  readonly transcript?: string
  /** The vendor's name of an earlier answer's sound. */
  readonly id?: string
}

interface VideoPart extends Cacheable {
  readonly kind: 'video'
  readonly source: Source
}

export interface FilePart extends Cacheable {
  readonly kind: 'file'
  readonly source: Source
  readonly name?: string
  readonly citations?: boolean
  /** What the model shall know of it without citing it. */
  readonly context?: string
}

/**
 * What the model thought. The signature proves to the vendor that it is unchanged: it goes back with the next turn as it came.
 * Redacted thinking has no text; `signature` is then all there is.
 */
export interface ThinkingPart {
  readonly kind: 'thinking'
  readonly text: string
  readonly signature?: string
  readonly isRedacted?: boolean
  /** The text is a summary that the vendor wrote. */
  readonly isSummary?: boolean
  /** The vendor's name of the item. */
  readonly id?: string
}

/** What a tool may give back. */
export type ShownPart = TextPart | ImagePart | FilePart

interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}

export interface ToolCallPart extends Cacheable {
  readonly kind: 'tool-call'
  /** Never empty: a reader makes one up where its dialect has none. */
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it; it may be broken. */
  readonly argumentsText: string
  /** Gemini's: belongs to this very call. */
  readonly signature?: string
  /** The vendor's name of the item, where it is another one than the call's. */
  readonly itemId?: string
  /** Free text instead of JSON, where the tool was declared so. */
  readonly isCustom?: boolean
}

export interface ToolResultPart extends Cacheable {
  readonly kind: 'tool-result'
  readonly callId: string
  /** The tool's, where the dialect says it or the calls before tell. */
  readonly name: string
  readonly parts: readonly ShownPart[]
  readonly isError: boolean
  readonly isCustom?: boolean
}

/** A part that only its own dialect understands, such as a built-in tool's block: it goes back there and nowhere else. */
export interface OwnPart {
  readonly kind: 'own'
  readonly dialect: string
  readonly value: JsonObject
}

/** What a stretch of text is founded on. */
export interface Citation {
  readonly url?: string
  readonly title?: string
  /** The title of the source. */
  readonly quote?: string
  /** Offsets in the text it belongs to, in UTF-16 units. */
  readonly start?: number
  readonly end?: number
  /** As the dialect wrote it; its own writer uses it as it is. */
  readonly own?: { readonly dialect: string; readonly value: JsonObject }
}

/** A tool that the client runs. */
export interface FunctionTool extends Cacheable {
  readonly kind: 'function'
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject
  readonly isStrict: boolean | null
  /** Absent: the client knows it as a function of this name. */
  readonly origin?: ToolOrigin
}

/** How the client declared a tool that is more than a function there. Its calls go back in that form. */
export interface ToolOrigin {
  readonly dialect: string
  /** The kind of tool, as `custom` or `shell`. */
  readonly type: string
  readonly name: string
  readonly namespace?: string
  /** As declared; several tools may be declared at once. */
  readonly declared: JsonObject
}

export type Tool = FunctionTool | VendorTool

/** A tool that the vendor runs itself. */
export interface VendorTool extends Cacheable {
  readonly kind: 'built-in'
  readonly tool: BuiltInTool
  /** As declared; its own dialect's writer uses it as it is. */
  readonly own: { readonly dialect: string; readonly value: JsonObject }
}

export type BuiltInTool = 'web-search' | 'web-fetch' | 'code-execution' | 'file-search' | 'image-generation' | 'other'

export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  /** Some tool, whichever; `among` limits which. */
  | { readonly kind: 'required'; readonly among?: readonly string[] }
  | { readonly kind: 'tool'; readonly name: string }

export type OutputFormat =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly name: string
      readonly description: string
      readonly schema: JsonObject
      readonly isStrict: boolean | null
    }

/** How much the model shall think. A dialect says it as an effort or as a number of tokens; writers translate. */
export interface Thinking {
  readonly isEnabled: boolean
  readonly effort: Effort | null
  /** The most tokens; -1: as many as the model likes. */
  readonly budgetTokens: number | null
  /** Whether the client wants to see the thoughts; null: the dialect's usual. */
  readonly isShown: boolean | null
  /** How detailed a summary, in the client's word. */
  readonly summary: string | null
}

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

/** Null: not said. */
interface Sampling {
  readonly maxTokens: number | null
  readonly temperature: number | null
  readonly topP: number | null
  readonly topK: number | null
  readonly seed: number | null
  readonly presencePenalty: number | null
  readonly frequencyPenalty: number | null
  readonly stop: readonly string[]
  readonly choices: number
  readonly hasLogProbabilities: boolean
  /** Alternatives for each token. */
  readonly topLogProbabilities: number | null
}

/** Returns the tool by which a client lets the model search the web. */
export const searchTool = (tools: readonly Tool[]): VendorTool | undefined =>
  tools.find((tool): tool is VendorTool => tool.kind === 'built-in' && tool.tool === 'web-search')
