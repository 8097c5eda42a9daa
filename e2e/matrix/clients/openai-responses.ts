import OpenAI from 'openai'

import type { ClientResponse, ModelRequest, SdkClient, Turn } from '../sdk-client'

export function openAiResponsesClient(url: string, apiKey: string): SdkClient {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
  return {
    name: 'openai · responses',
    async call(request) {
      const body = bodyOf(request)
      if (!request.stream) return reply(await client.responses.create(body))
      const stream = client.responses.stream(body)
      let next = 0
      for await (const event of stream) {
        if (event.sequence_number !== next) throw new Error(`Event ${next} has the number ${event.sequence_number}`)
        next += 1
      }
      return reply(await stream.finalResponse())
    },
    async leave(request) {
      const stream = await client.responses.create({ ...bodyOf(request), stream: true })
      for await (const event of stream) if (event.type === 'response.output_text.delta') break
    },
  }
}

function bodyOf(request: ModelRequest) {
  return {
    model: request.model,
    ...(request.system !== undefined && { instructions: request.system }),
    input: request.turns.flatMap(itemsOf),
    max_output_tokens: request.maxTokens,
    store: false,
    ...(request.tools && {
      tools: request.tools.map(({ name, description, schema }) => ({
        type: 'function' as const,
        name,
        description,
        parameters: schema,
        strict: false,
      })),
    }),
    ...(request.thinking && { reasoning: { effort: 'low' as const, summary: 'auto' as const } }),
    ...(request.schema && {
      text: { format: { type: 'json_schema' as const, name: 'answer', schema: request.schema, strict: true } },
    }),
  }
}

function itemsOf(turn: Turn): OpenAI.Responses.ResponseInputItem[] {
  if (turn.from === 'tools')
    return turn.results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }))
  if (turn.from === 'user')
    return [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: turn.text },
          ...(turn.image ? [{ type: 'input_image' as const, image_url: turn.image, detail: 'auto' as const }] : []),
        ],
      },
    ]
  return [
    ...(turn.text === '' ? [] : [{ role: 'assistant' as const, content: turn.text }]),
    ...(turn.calls ?? []).map(({ id, name, args }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    })),
  ]
}

function reply(response: OpenAI.Responses.Response): ClientResponse {
  const { output, usage } = response
  const calls = output.filter((item) => item.type === 'function_call')
  const refusal = output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'refusal' ? part.refusal : ''))
    .join('')
  return {
    text: response.output_text || refusal,
    thoughts: output
      .flatMap((item) => (item.type === 'reasoning' ? [...item.summary, ...(item.content ?? [])] : []))
      .map(({ text }) => text)
      .join(''),
    calls: calls.map(({ name, arguments: text }) => ({ name, args: JSON.parse(text) })),
    ended: endOf(response, refusal, calls.length),
    usage: { prompt: usage?.input_tokens ?? 0, completion: usage?.output_tokens ?? 0 },
  }
}

function endOf(
  { status, incomplete_details: cut }: OpenAI.Responses.Response,
  refusal: string,
  calls: number,
): ClientResponse['ended'] {
  if (status === 'incomplete') return cut?.reason === 'max_output_tokens' ? 'length' : 'refusal'
  if (status !== 'completed') return 'other'
  if (refusal !== '') return 'refusal'
  return calls > 0 ? 'tools' : 'stop'
}
