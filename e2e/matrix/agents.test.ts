import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import type { World } from '../world'
import { anthropicAgent, geminiAgent, openAiChatAgent, openAiResponsesAgent } from './agents'
import { aMatrixWorld, upstreams, type UpstreamDialect } from './matrix-world'

setDefaultTimeout(60_000)

const agents = {
  'openai-chat': openAiChatAgent,
  'openai-responses': openAiResponsesAgent,
  'anthropic-messages': anthropicAgent,
  gemini: geminiAgent,
}

const turns = 20

let world: World
beforeAll(async () => {
  world = await aMatrixWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

for (const [speaks, make] of Object.entries(agents)) {
  for (const { dialect, model, path } of upstreams) {
    test(`an agent that speaks ${speaks} works ${turns} turns with ${dialect}, and nothing is lost`, async () => {
      world.simulator.when(() => true, { toolCalls: 2, thinking: 3 })
      const agent = make({ url: world.gateway.url, key: world.key, model })
      for (let turn = 1; turn <= turns; turn += 1) {
        expect(await agent.turn(turn % 2 === 0)).toBe(2)
        const request = world.simulator.requests.at(-1)
        expect(request?.path).toMatch(path)
        const told = conversations[dialect](JSON.parse(request?.body ?? '{}'))
        expect(told.results).toEqual(told.calls)
        expect(told.calls).toHaveLength(2 * (turn - 1))
        expect(told.texts).toEqual(
          Array.from({ length: turn - 1 }, (_, at) => [
            `The forecast of turn ${at + 1}`,
            `The history of turn ${at + 1}`,
          ]).flat(),
        )
        // The signatures of this very upstream, each once and in their order.
        if (told.signatures) expect(told.signatures.map(unsealed)).toEqual(expectedSignatures(dialect, turn - 1))
      }
    })
  }
}

type Json = Record<string, any>

interface Conversation {
  /** Ids of the calls, or names where the dialect has no ids. */
  readonly calls: readonly string[]
  readonly results: readonly string[]
  /** What the tools answered. */
  readonly texts: readonly string[]
  /** Null: the dialect has none. */
  readonly signatures: readonly string[] | null
}

const unsealed = (signature: string): string => Buffer.from(signature.replace(/^gAAAAA/, ''), 'base64').toString()

const expectedSignatures = (dialect: UpstreamDialect, count: number): string[] =>
  Array.from(
    { length: count },
    (_, at) => `simulated ${dialect === 'openai-responses' ? 'thoughts' : 'signature'} ${at + 1}`,
  )

/** What an upstream was told of the turns before. */
const conversations: Readonly<Record<UpstreamDialect, (body: Json) => Conversation>> = {
  'openai-chat': ({ messages }) => {
    const results = messages.filter(({ role }: Json) => role === 'tool')
    return {
      calls: messages.flatMap(({ tool_calls: calls = [] }: Json) => calls.map(({ id }: Json) => id)),
      results: results.map(({ tool_call_id: id }: Json) => id),
      texts: results.map(({ content }: Json) => content),
      signatures: null,
    }
  },
  'openai-responses': ({ input }) => {
    const items: Json[] = Array.isArray(input) ? input : []
    const results = items.filter(({ type }) => type === 'function_call_output')
    return {
      calls: items.filter(({ type }) => type === 'function_call').map(({ call_id: id }) => id),
      results: results.map(({ call_id: id }) => id),
      texts: results.map(({ output }) => (typeof output === 'string' ? output : output[0].text)),
      signatures: items.filter(({ type }) => type === 'reasoning').map((item) => item['encrypted_content']),
    }
  },
  'anthropic-messages': ({ messages }) => {
    const blocks: Json[] = messages.flatMap(({ content }: Json) => (Array.isArray(content) ? content : []))
    const results = blocks.filter(({ type }) => type === 'tool_result')
    return {
      calls: blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id),
      results: results.map(({ tool_use_id: id }) => id),
      texts: results.map(({ content }) => (typeof content === 'string' ? content : content[0].text)),
      signatures: blocks.filter(({ type }) => type === 'thinking').map(({ signature }) => signature),
    }
  },
  gemini: ({ contents }) => {
    const parts: Json[] = contents.flatMap(({ parts: said }: Json) => said)
    const results = parts.flatMap(({ functionResponse: result }) => (result ? [result] : []))
    return {
      calls: parts.flatMap(({ functionCall: call }) => (call ? [call.name] : [])),
      results: results.map(({ name }) => name),
      texts: results.map(({ response }) => response.output),
      signatures: parts.flatMap(({ thoughtSignature: signature }) => (signature ? [signature] : [])),
    }
  },
}
