import { CohereClientV2, type Cohere } from 'cohere-ai'

import type { ClientResponse, ModelRequest, SdkClient, Turn } from '../sdk-client'

const ends: Readonly<Record<string, ClientResponse['ended']>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tools',
}

export function cohereClient(url: string, key: string): SdkClient {
  const client = new CohereClientV2({ token: key, environment: url })
  return {
    name: 'cohere-ai · v2.chat',
    async call(request) {
      const body = bodyOf(request)
      try {
        if (!request.stream) return whole(await client.chat(body, { maxRetries: 0 }))
        return readStream(await Array.fromAsync(await client.chatStream(body, { maxRetries: 0 })))
      } catch (error) {
        // The status has another name here.
        if (error instanceof Error && 'statusCode' in error) Object.assign(error, { status: error.statusCode })
        throw error
      }
    },
    async leave(request) {
      const controller = new AbortController()
      for await (const { type } of await client.chatStream(bodyOf(request), { abortSignal: controller.signal }))
        if (type === 'content-delta') break
      controller.abort()
    },
  }
}

const bodyOf = (request: ModelRequest): Cohere.V2ChatRequest => ({
  model: request.model,
  messages: [
    ...(request.system === undefined ? [] : [{ role: 'system' as const, content: request.system }]),
    ...request.turns.flatMap(messagesOf),
  ],
  maxTokens: request.maxTokens,
  ...(request.tools && {
    tools: request.tools.map(({ name, description, schema }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...schema } },
    })),
  }),
  ...(request.thinking && { thinking: { type: 'enabled' as const, tokenBudget: request.thinking } }),
  ...(request.schema && { responseFormat: { type: 'json_object' as const, jsonSchema: { ...request.schema } } }),
  ...(request.stop && { stopSequences: [...request.stop] }),
})

function messagesOf(turn: Turn): Cohere.ChatMessageV2[] {
  if (turn.from === 'tools')
    return turn.results.map(({ id, text }) => ({ role: 'tool', toolCallId: id, content: text }))
  if (turn.from === 'user') {
    const image = turn.image
    if (image === undefined) return [{ role: 'user', content: turn.text }]
    const text = { type: 'text' as const, text: turn.text }
    return [{ role: 'user', content: [text, { type: 'image_url', imageUrl: { url: image } }] }]
  }
  const toolCalls = turn.calls?.map(({ id, name, args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }))
  return [{ role: 'assistant', ...(toolCalls ? { toolCalls, toolPlan: turn.text } : { content: turn.text }) }]
}

interface Heard {
  readonly texts: readonly string[]
  readonly thoughts: readonly string[]
  readonly calls: readonly { readonly name: string; readonly args: string }[]
  readonly reason: string
  readonly usage: Cohere.Usage | undefined
}

const response = ({ texts, thoughts, calls, reason, usage }: Heard): ClientResponse => ({
  text: texts.join(''),
  thoughts: thoughts.join(''),
  calls: calls.map(({ name, args }) => ({ name, args: JSON.parse(args) })),
  ended: ends[reason] ?? 'other',
  usage: { prompt: usage?.tokens?.inputTokens ?? 0, completion: usage?.tokens?.outputTokens ?? 0 },
})

const whole = ({ message, finishReason, usage }: Cohere.V2ChatResponse): ClientResponse =>
  response({
    texts: message.content?.map((part) => (part.type === 'text' ? part.text : '')) ?? [],
    thoughts: message.content?.map((part) => (part.type === 'thinking' ? part.thinking : '')) ?? [],
    calls:
      message.toolCalls?.map(({ function: called }) => ({ name: called?.name ?? '', args: called?.arguments ?? '' })) ??
      [],
    reason: finishReason,
    usage,
  })

function readStream(events: readonly Cohere.V2ChatStreamResponse[]): ClientResponse {
  const calls: { name: string; args: string }[] = []
  for (const event of events) {
    if (event.type === 'tool-call-start')
      calls.push({ name: event.delta?.message?.toolCalls?.function?.name ?? '', args: '' })
    const last = calls.at(-1)
    if (event.type === 'tool-call-delta' && last)
      last.args += event.delta?.message?.toolCalls?.function?.arguments ?? ''
  }
  const contents = events.flatMap((event) =>
    event.type === 'content-delta' ? [event.delta?.message?.content ?? {}] : [],
  )
  const end = events.findLast((event) => event.type === 'message-end')
  return response({
    texts: contents.map(({ text = '' }) => text),
    thoughts: contents.map(({ thinking = '' }) => thinking),
    calls,
    reason: end?.delta?.finishReason ?? '',
    usage: end?.delta?.usage,
  })
}
