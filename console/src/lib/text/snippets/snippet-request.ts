import { chatCallOf } from './chat-call'
import { anthropicBody, geminiCall, responsesBody } from './dialect-bodies'

interface SnippetMessage {
  readonly role: string
  readonly content: unknown
}

/** APIs whose official SDKs call the gateway unchanged. */
export const snippetDialects = ['openai', 'responses', 'anthropic', 'gemini'] as const
export type SnippetDialect = (typeof snippetDialects)[number]

/** A chat call to generate an example for. */
export interface SnippetCall {
  /** Address of the gateway, without a trailing slash. */
  readonly address: string
  readonly apiKey: string
  readonly model: string
  /** Default: OpenAI's chat completions. */
  readonly dialect?: SnippetDialect
  /** In the format of chat completions; other dialects are converted. */
  readonly messages?: readonly SnippetMessage[]
  /** Further fields of the body, such as `temperature`, in the format of chat completions. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

const hello: readonly SnippetMessage[] = [{ role: 'user', content: 'Hello!' }]

/** Returns the fields of a chat completion's body. */
const chatBodyOf = ({ model, messages = hello, parameters = {} }: SnippetCall) => ({ model, messages, ...parameters })

const callOf = ({ messages = hello, parameters = {} }: SnippetCall) => chatCallOf(messages, parameters)

/** Returns the fields of the body in the call's dialect; for Gemini, whose model is in the address, those of the SDKs. */
export function membersOf(call: SnippetCall): Record<string, unknown> {
  const { model, dialect = 'openai' } = call
  if (dialect === 'responses') return { model, ...responsesBody(callOf(call)) }
  if (dialect === 'anthropic') return { model, ...anthropicBody(callOf(call)) }
  if (dialect === 'openai') return chatBodyOf(call)
  const { contents, system, generation, tools } = geminiCall(callOf(call))
  const config = { ...(system && { systemInstruction: system }), ...generation, ...(tools && { tools }) }
  const [only] = contents
  const [part, ...others] = only?.parts ?? []
  const isOneText = contents.length === 1 && others.length === 0 && part !== undefined && 'text' in part
  return {
    model,
    contents: isOneText ? part.text : contents,
    ...(Object.keys(config).length > 0 && { config }),
  }
}

interface SnippetRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Returns the call as an HTTP request. */
export function requestOf(call: SnippetCall): SnippetRequest {
  const { address, apiKey, model, dialect = 'openai' } = call
  const json = { 'Content-Type': 'application/json' }
  const bearer = { Authorization: `Bearer ${apiKey}`, ...json }
  if (dialect === 'anthropic')
    return {
      url: `${address}/v1/messages`,
      headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01', ...json },
      body: membersOf(call),
    }
  if (dialect === 'gemini') {
    const { contents, system, generation, tools } = geminiCall(callOf(call))
    return {
      url: `${address}/v1beta/models/${model}:generateContent`,
      headers: { 'x-goog-api-key': apiKey, ...json },
      body: {
        ...(system && { systemInstruction: { parts: [{ text: system }] } }),
        contents,
        ...(Object.keys(generation).length > 0 && { generationConfig: generation }),
        ...(tools && { tools }),
      },
    }
  }
  if (dialect === 'responses') return { url: `${address}/v1/responses`, headers: bearer, body: membersOf(call) }
  return { url: `${address}/v1/chat/completions`, headers: bearer, body: membersOf(call) }
}
