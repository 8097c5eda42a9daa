import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'

import type { World } from '../world'
import { anthropicAgent, geminiAgent, openAiChatAgent, openAiResponsesAgent } from './agents'
import { aMatrixWorld, upstreams, type UpstreamDialect } from './matrix-world'

setDefaultTimeout(120_000)

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
    test(`an agent that speaks ${speaks} completes ${turns} turns with ${dialect} without losing anything`, async () => {
      world.simulator.when(() => true, { toolCalls: 2, thinking: 3 })
      const agent = make({ url: world.gateway.url, key: world.key, model })
      for (let turn = 1; turn <= turns; turn += 1) {
        expect(await agent.turn(turn % 2 === 0)).toBe(2)
        const request = world.simulator.requests.at(-1)
        expect(request?.path).toMatch(path)
        const seen = conversations[dialect](JSON.parse(request?.body ?? '{}'))
        expect(seen.results).toEqual(seen.calls)
        expect(seen.calls).toHaveLength(2 * (turn - 1))
        expect(seen.texts).toEqual(
          Array.from({ length: turn - 1 }, (_, at) => [
            `The forecast of turn ${at + 1}`,
            `The history of turn ${at + 1}`,
          ]).flat(),
        )
        // The signatures of this very upstream, each once and in order.
        if (seen.signatures) expect(seen.signatures.map(unseal)).toEqual(expectedSignatures(dialect, turn - 1))
      }
    })
  }
}

type Json = Record<string, unknown>

/** Returns the objects of a list; none of anything else. */
const objectsOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : []
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Json)[name] : undefined
/** Returns a text, or that of the first part. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(objectsOf(value)[0]?.['text']))

interface Conversation {
  /** Ids of the calls, or names where the dialect has no ids. */
  readonly calls: readonly string[]
  readonly results: readonly string[]
  /** Results of the tools. */
  readonly texts: readonly string[]
  /** Null: the dialect has none. */
  readonly signatures: readonly string[] | null
}

const unseal = (signature: string): string => Buffer.from(signature.replace(/^gAAAAA/, ''), 'base64').toString()

/** What each vendor seals, by which its account is known. */
const sealed: Readonly<Record<UpstreamDialect, string>> = {
  'openai-chat': '',
  'openai-responses': 'thoughts',
  'anthropic-messages': 'signature',
  gemini: 'thought signature',
}
const expectedSignatures = (dialect: UpstreamDialect, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `simulated ${sealed[dialect]} ${at + 1}`)

/** Reads the earlier turns from the request that an upstream received. */
const conversations: Readonly<Record<UpstreamDialect, (body: Json) => Conversation>> = {
  'openai-chat': ({ messages }) => {
    const results = objectsOf(messages).filter(({ role }) => role === 'tool')
    return {
      calls: objectsOf(messages).flatMap((message) => objectsOf(message['tool_calls']).map(({ id }) => String(id))),
      results: results.map((result) => String(result['tool_call_id'])),
      texts: results.map(({ content }) => textOf(content)),
      signatures: null,
    }
  },
  'openai-responses': ({ input }) => {
    const items = objectsOf(input)
    const of = (kind: string) => items.filter(({ type }) => type === kind)
    return {
      calls: of('function_call').map((item) => String(item['call_id'])),
      results: of('function_call_output').map((item) => String(item['call_id'])),
      texts: of('function_call_output').map(({ output }) => textOf(output)),
      signatures: of('reasoning').map((item) => String(item['encrypted_content'])),
    }
  },
  'anthropic-messages': ({ messages }) => {
    const blocks = objectsOf(messages).flatMap(({ content }) => objectsOf(content))
    const of = (kind: string) => blocks.filter(({ type }) => type === kind)
    return {
      calls: of('tool_use').map(({ id }) => String(id)),
      results: of('tool_result').map((block) => String(block['tool_use_id'])),
      texts: of('tool_result').map(({ content }) => textOf(content)),
      signatures: of('thinking').map(({ signature }) => String(signature)),
    }
  },
  gemini: ({ contents }) => {
    const parts = objectsOf(contents).flatMap((content) => objectsOf(content['parts']))
    const results = parts.flatMap(({ functionResponse: result }) => (result ? [result] : []))
    return {
      calls: parts.flatMap(({ functionCall: call }) => (call ? [String(memberOf(call, 'name'))] : [])),
      results: results.map((result) => String(memberOf(result, 'name'))),
      texts: results.map((result) => textOf(memberOf(memberOf(result, 'response'), 'output'))),
      signatures: parts.flatMap((part) =>
        typeof part['thoughtSignature'] === 'string' ? [part['thoughtSignature']] : [],
      ),
    }
  },
}
