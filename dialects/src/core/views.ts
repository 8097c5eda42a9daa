import type { ReportedUsage } from './usage'

/** What a request says outside its body. */
export interface PathContext {
  /** From the path or by default, used when the body names no model; empty when there is none. */
  readonly model: string
  /** The path asks for a stream. */
  readonly isStream: boolean
  /** Clients of the path read the usage of each stream, and do not ask for it. Absent: they ask. */
  readonly includesUsage?: boolean
}

/** Everything is said in the body. */
export const inBody: PathContext = { model: '', isStream: false }

/** What the gateway uses of a request. */
export interface RequestView {
  readonly model: string
  readonly isStream: boolean
  /** The client requested the usage at the end of the stream. */
  readonly includeUsage: boolean
  /** The maximum number of tokens of one answer; null when the client sets no limit. */
  readonly maxOutputTokens: number | null
  /** How many answers are generated; of a document, how many of its pages are read. */
  readonly choices: number
  /** The maximum number of pages that are read, where the request leaves their number to the document. Absent: it does not. */
  readonly maxPages?: number
  /** Media type of a response that is neither JSON nor a stream of events. Absent: it is one of these. */
  readonly rawType?: string
  /** Code points of the text to be spoken. Absent: nothing is spoken. */
  readonly spokenCharacters?: number
  /** The requested images, where the call is for images. */
  readonly image?: ImageFormat
}

/** The images that a request asks for, in the vendor's terms. Null: the vendor chooses. */
export interface ImageFormat {
  /** As `1024x1536` or `2K`. */
  readonly size: string | null
  readonly quality: string | null
}

/** What a prompt is made of. */
export interface PromptShape {
  /** Everything a person wrote. */
  readonly texts: readonly string[]
  readonly messages: number
  /** Messages that carry a name; the names are among the texts. */
  readonly names: number
  /** Descriptions of tools and of the wanted answer's schema, as they stand in the body. */
  readonly tools: readonly unknown[]
  /** Images to be seen in low detail. */
  readonly lowDetailImages: number
  /** All other images. */
  readonly images: number
  readonly audios: number
  /** Files and videos. */
  readonly files: number
  /** Those among the files that are text, in base64. Absent: none is. */
  readonly textFiles?: readonly string[]
  /** Tokens given as numbers instead of text. */
  readonly tokenIds: number
}

/** What came out of a call. */
export interface AnswerView {
  /** What the upstream reported so far, as far as it can be believed. Null: nothing. */
  readonly usage: ReportedUsage | null
  /** An error that came with a good status. */
  readonly error: ErrorView | null
  readonly toolCalls: number
  /** Neither a visible character nor a tool call. */
  readonly isEmpty: boolean
  /** Returns all generated text, to be counted when no usage was reported; images in it are left out. */
  completionText(): string
  /** Returns how many images the answer has. Absent: answers have none, or their usage counts them. */
  images?(): number
  /** Returns what the vendor keeps of the answer, under ids that a later request may name. Absent: nothing. */
  createdObjects?(): readonly CreatedObject[]
}

/** Something that an answer left in the vendor's account. */
export interface CreatedObject {
  readonly id: string
  /**
   * `answer` and its `item`s are kept unless the request says otherwise; a `conversation` or a `tool`'s files are kept anyway. `sealed` is
   * not an id but a text that only the account can read.
   */
  readonly kind: 'answer' | 'item' | 'conversation' | 'tool' | 'sealed'
}

/** An error as it goes over the wire. */
export interface ErrorView {
  /** The HTTP status that means the same, for dialects that repeat it. */
  readonly status?: number
  readonly message: string
  /** Empty when unknown. */
  readonly type: string
  /** Empty when unknown. */
  readonly code: string
  readonly param: string | null
  /** After how long the call may be tried again. Absent: nothing says so, or only a header. */
  readonly retryAfterSeconds?: number
  /** A body that is not an error of a known shape. For rules that look for phrases; never shown, as it may be anything. */
  readonly words?: string
}
