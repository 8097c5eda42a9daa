/** What a program asks of a model, independent of any SDK. */
export interface ModelRequest {
  readonly model: string
  readonly stream: boolean
  readonly system?: string
  readonly turns: readonly Turn[]
  readonly tools?: readonly OfferedTool[]
  /** Thinking budget in tokens. */
  readonly thinking?: number
  /** A JSON schema that the response must satisfy. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly stop?: readonly string[]
  readonly maxTokens: number
}

export type Turn =
  | { readonly from: 'user'; readonly text: string; readonly image?: string }
  | { readonly from: 'model'; readonly text: string; readonly calls?: readonly Called[] }
  | { readonly from: 'tools'; readonly results: readonly Result[] }

interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

interface Called {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

interface Result {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** The response as the SDK's own helpers assemble it. */
export interface ClientResponse {
  readonly text: string
  readonly thoughts: string
  readonly calls: readonly Omit<Called, 'id'>[]
  readonly ended: 'stop' | 'length' | 'tools' | 'refusal' | 'other'
  /** Prompt tokens including cached ones, and completion tokens including reasoning. */
  readonly usage: { readonly prompt: number; readonly completion: number }
}

/** A program written with one official SDK. */
export interface SdkClient {
  readonly name: string
  call(request: ModelRequest): Promise<ClientResponse>
  /** Leaves after the first chunk of the response. */
  leave(request: ModelRequest): Promise<void>
}
