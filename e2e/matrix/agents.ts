import Anthropic from '@anthropic-ai/sdk'
import { FunctionCallingConfigMode, GoogleGenAI, type Content } from '@google/genai'
import OpenAI from 'openai'

/** A program that calls tools until it is told to stop: it keeps the conversation as its SDK returns it and sends it back. */
export interface Agent {
  /** Makes a call and responds to every tool call. Resolves with the number of tool calls. */
  turn(stream: boolean): Promise<number>
}

export interface AgentPlace {
  readonly url: string
  readonly key: string
  readonly model: string
}

const question = 'Work until you are done'
const schema = { type: 'object' as const, properties: { city: { type: 'string' } } }
const names = ['forecast', 'history'] as const
const resultOf = (name: string, turn: number): string => `The ${name} of turn ${turn}`

export function openAiChatAgent({ url, key, model }: AgentPlace): Agent {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  const tools = names.map((name) => ({ type: 'function' as const, function: { name, parameters: schema } }))
  let turns = 0
  return {
    async turn(stream) {
      turns += 1
      const body = { model, messages, tools, max_completion_tokens: 4000, reasoning_effort: 'low' as const }
      const response = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body)
      const message = response.choices[0]?.message
      if (!message) throw new Error('No choice')
      messages.push(message)
      const calls = message.tool_calls ?? []
      for (const call of calls) {
        const name = call.type === 'function' ? call.function.name : ''
        messages.push({ role: 'tool', tool_call_id: call.id, content: resultOf(name, turns) })
      }
      return calls.length
    },
  }
}

export function openAiResponsesAgent({ url, key, model }: AgentPlace): Agent {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }]
  const tools = names.map((name) => ({ type: 'function' as const, name, parameters: schema, strict: false }))
  let turns = 0
  return {
    async turn(stream) {
      turns += 1
      const body = {
        model,
        input,
        tools,
        store: false,
        max_output_tokens: 4000,
        include: ['reasoning.encrypted_content' as const],
        reasoning: { effort: 'low' as const, summary: 'auto' as const },
      }
      const response = stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body)
      const items: readonly OpenAI.Responses.ResponseOutputItem[] = response.output
      const calls = items.filter((item) => item.type === 'function_call')
      // A parsed call has fields that no request has.
      input.push(...response.output.map((item) => JSON.parse(JSON.stringify(item, withoutParsed))))
      for (const { call_id, name } of calls)
        input.push({ type: 'function_call_output', call_id, output: resultOf(name, turns) })
      return calls.length
    },
  }
}

const withoutParsed = (name: string, value: unknown): unknown =>
  name === 'parsed_arguments' || name === 'parsed' ? undefined : value

export function anthropicAgent({ url, key, model }: AgentPlace): Agent {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  const tools = names.map((name) => ({ name, input_schema: schema }))
  let turns = 0
  return {
    async turn(stream) {
      turns += 1
      const thinking = { type: 'enabled' as const, budget_tokens: 1024 }
      const body = { model, messages, tools, thinking, max_tokens: 4000 }
      const response = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body)
      messages.push({ role: 'assistant', content: response.content })
      const calls = response.content.filter((block) => block.type === 'tool_use')
      messages.push({
        role: 'user',
        content: calls.map(({ id, name }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: resultOf(name, turns),
        })),
      })
      return calls.length
    },
  }
}

export function geminiAgent({ url, key, model }: AgentPlace): Agent {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }]
  const declarations = names.map((name) => ({ name, parametersJsonSchema: schema }))
  let turns = 0
  return {
    async turn(stream) {
      turns += 1
      const params = {
        model,
        contents,
        config: {
          tools: [{ functionDeclarations: declarations }],
          toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
          thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
          maxOutputTokens: 4000,
        },
      }
      const responses = []
      if (stream) for await (const part of await client.models.generateContentStream(params)) responses.push(part)
      else responses.push(await client.models.generateContent(params))
      const parts = responses.flatMap(({ candidates: [candidate] = [] }) => candidate?.content?.parts ?? [])
      contents.push({ role: 'model', parts })
      const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
      contents.push({
        role: 'user',
        parts: calls.map(({ id, name = '' }) => ({
          functionResponse: { ...(id && { id }), name, response: { output: resultOf(name, turns) } },
        })),
      })
      return calls.length
    },
  }
}
