import { GoogleGenAI, type Content, type GenerateContentParameters, type GenerateContentResponse } from '@google/genai'

import type { ClientResponse, ModelRequest, SdkClient, Turn } from '../sdk-client'

const refusals: ReadonlySet<string> = new Set(['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'RECITATION', 'SPII'])

export function geminiClient(url: string, apiKey: string): SdkClient {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  return {
    name: '@google/genai · models',
    async call(request) {
      if (!request.stream) return response([await client.models.generateContent(paramsOf(request))])
      const parts: GenerateContentResponse[] = []
      for await (const part of await client.models.generateContentStream(paramsOf(request))) parts.push(part)
      return response(parts)
    },
    async leave(request) {
      // This SDK keeps reading after its consumer stopped, unless it is aborted.
      const { signal, abort } = leaving()
      const { config, ...params } = paramsOf(request)
      for await (const _ of await client.models.generateContentStream({
        ...params,
        config: { ...config, abortSignal: signal },
      }))
        break
      abort()
    },
  }
}

function leaving() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

const paramsOf = (request: ModelRequest): GenerateContentParameters => ({
  model: request.model,
  contents: request.turns.map(contentOf),
  config: {
    ...(request.system !== undefined && { systemInstruction: request.system }),
    maxOutputTokens: request.maxTokens,
    ...(request.tools && {
      tools: [
        {
          functionDeclarations: request.tools.map(({ name, description, schema }) => ({
            name,
            description,
            parametersJsonSchema: schema,
          })),
        },
      ],
    }),
    ...(request.thinking && { thinkingConfig: { includeThoughts: true, thinkingBudget: request.thinking } }),
    ...(request.schema && { responseMimeType: 'application/json', responseJsonSchema: request.schema }),
    ...(request.stop && { stopSequences: [...request.stop] }),
  },
})

function contentOf(turn: Turn): Content {
  if (turn.from === 'tools') {
    const parts = turn.results.map(({ id, name, text }) => ({
      functionResponse: { id, name, response: { output: text } },
    }))
    return { role: 'user', parts }
  }
  const text = turn.text === '' ? [] : [{ text: turn.text }]
  if (turn.from === 'model') {
    const calls = (turn.calls ?? []).map((call) => ({ functionCall: { ...call, args: { ...call.args } } }))
    return { role: 'model', parts: [...text, ...calls] }
  }
  const [, data] = turn.image?.split(';base64,') ?? []
  return { role: 'user', parts: [...text, ...(data ? [{ inlineData: { mimeType: 'image/png', data } }] : [])] }
}

function response(responses: readonly GenerateContentResponse[]): ClientResponse {
  const candidates = responses.flatMap(({ candidates: [candidate] = [] }) => (candidate ? [candidate] : []))
  const parts = candidates.flatMap(({ content }) => content?.parts ?? [])
  const calls = parts.flatMap(({ functionCall: call }) =>
    call ? [{ name: call.name ?? '', args: { ...call.args } }] : [],
  )
  const reason = candidates.at(-1)?.finishReason ?? responses.at(-1)?.promptFeedback?.blockReason ?? ''
  const usage = responses.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata
  return {
    text: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
    thoughts: parts.map((part) => (part.thought ? (part.text ?? '') : '')).join(''),
    calls,
    ended: endOf(reason, calls.length),
    usage: {
      prompt: usage?.promptTokenCount ?? 0,
      completion: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    },
  }
}

function endOf(reason: string, calls: number): ClientResponse['ended'] {
  if (refusals.has(reason)) return 'refusal'
  if (reason === 'MAX_TOKENS') return 'length'
  if (reason !== 'STOP') return 'other'
  return calls > 0 ? 'tools' : 'stop'
}
