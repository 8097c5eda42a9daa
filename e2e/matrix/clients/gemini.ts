import { GoogleGenAI, type Content, type GenerateContentParameters, type GenerateContentResponse } from '@google/genai'

import type { Answered, Asked, SdkClient, Turn } from '../asked'

const refusals: ReadonlySet<string> = new Set(['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'RECITATION', 'SPII'])

export function geminiClient(url: string, apiKey: string): SdkClient {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  return {
    name: '@google/genai · models',
    async ask(asked) {
      if (!asked.stream) return answered([await client.models.generateContent(paramsOf(asked))])
      const parts: GenerateContentResponse[] = []
      for await (const part of await client.models.generateContentStream(paramsOf(asked))) parts.push(part)
      return answered(parts)
    },
    async leave(asked) {
      // This SDK keeps reading after its consumer stopped, unless it is aborted.
      const { signal, abort } = leaving()
      const { config, ...params } = paramsOf(asked)
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

const paramsOf = (asked: Asked): GenerateContentParameters => ({
  model: asked.model,
  contents: asked.turns.map(contentOf),
  config: {
    ...(asked.system !== undefined && { systemInstruction: asked.system }),
    maxOutputTokens: asked.maxTokens,
    ...(asked.tools && {
      tools: [
        {
          functionDeclarations: asked.tools.map(({ name, description, schema }) => ({
            name,
            description,
            parametersJsonSchema: schema,
          })),
        },
      ],
    }),
    ...(asked.thinking && { thinkingConfig: { includeThoughts: true, thinkingBudget: asked.thinking } }),
    ...(asked.schema && { responseMimeType: 'application/json', responseJsonSchema: asked.schema }),
    ...(asked.stop && { stopSequences: [...asked.stop] }),
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

function answered(responses: readonly GenerateContentResponse[]): Answered {
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

function endOf(reason: string, calls: number): Answered['ended'] {
  if (refusals.has(reason)) return 'refusal'
  if (reason === 'MAX_TOKENS') return 'length'
  if (reason !== 'STOP') return 'other'
  return calls > 0 ? 'tools' : 'stop'
}
