interface SnippetMessage {
  readonly role: string
  readonly content: unknown
}

/** The APIs whose official SDKs call the gateway unchanged. */
export const snippetDialects = ['openai', 'anthropic', 'gemini'] as const
export type SnippetDialect = (typeof snippetDialects)[number]

/** A chat call, as programs are written for it. */
export interface SnippetCall {
  /** Of the gateway, without a trailing slash. */
  readonly address: string
  readonly apiKey: string
  readonly model: string
  /** Default: OpenAI's chat completions. */
  readonly dialect?: SnippetDialect
  readonly messages?: readonly SnippetMessage[]
  /** Further members of the body, such as `temperature`; those of chat completions. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export const greeting = 'Hello!'
/** Messages require a limit. */
export const exampleMaxTokens = 1024

const hello: readonly SnippetMessage[] = [{ role: 'user', content: greeting }]

/** Returns the members of a chat completion's body. */
export const chatBodyOf = ({ model, messages = hello, parameters = {} }: SnippetCall) => ({
  model,
  messages,
  ...parameters,
})

interface SnippetRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Returns the call as an HTTP request. */
export function requestOf(call: SnippetCall): SnippetRequest {
  const { address, apiKey, model, dialect = 'openai' } = call
  const json = { 'Content-Type': 'application/json' }
  if (dialect === 'anthropic')
    return {
      url: `${address}/v1/messages`,
      headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01', ...json },
      body: { model, max_tokens: exampleMaxTokens, messages: hello },
    }
  if (dialect === 'gemini')
    return {
      url: `${address}/v1beta/models/${model}:generateContent`,
      headers: { 'x-goog-api-key': apiKey, ...json },
      body: { contents: [{ role: 'user', parts: [{ text: greeting }] }] },
    }
  return {
    url: `${address}/v1/chat/completions`,
    headers: { Authorization: `Bearer ${apiKey}`, ...json },
    body: chatBodyOf(call),
  }
}
