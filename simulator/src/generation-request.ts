/** What a request asks for, in no dialect's words. Each dialect reads its own requests into this. */
export interface GenerationRequest {
  /** The content of each message, instructions included: texts, lists of `{type: 'text', text}` and of other parts. */
  readonly prompt: readonly unknown[]
  /** Functions of the client. */
  readonly tools: readonly RequestedTool[]
  readonly toolChoice: ToolChoice
  /** False: one call at most. */
  readonly isParallel: boolean
  readonly hasToolResults: boolean
  /** The JSON schema the answer has to fit; `anyObject` when any JSON object will do. */
  readonly schema?: unknown
  /** Most tokens of the answer. */
  readonly limit: number | null
  readonly stop: readonly string[]
  readonly isThinking: boolean
  readonly isSearching: boolean
  readonly isDrawing: boolean
}

export interface RequestedTool {
  readonly name: string
  readonly schema: unknown
  /** The group that it belongs to, in dialects that have groups. */
  readonly namespace?: string
  /** It takes a text instead of arguments. */
  readonly takesText?: boolean
}

/** Whether to call tools: as the model likes, not at all, or this one. */
export type ToolChoice = 'free' | 'none' | { readonly name: string }

export const anyObject = Symbol('any JSON object')

/** A request that asks for nothing in particular. */
export const plainRequest: GenerationRequest = {
  prompt: [],
  tools: [],
  toolChoice: 'free',
  isParallel: true,
  hasToolResults: false,
  limit: null,
  stop: [],
  isThinking: false,
  isSearching: false,
  isDrawing: false,
}
