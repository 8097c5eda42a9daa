import type { Behaviour } from '../behaviour'
import { piecesOf, sealOf } from '../content'
import type { JsonObject } from '../json'
import type { Generation, ToolCall } from '../generation'

/** A content block: whole, and as a stream tells it. */
export interface Block {
  readonly whole: JsonObject
  readonly start: JsonObject
  readonly deltas: readonly JsonObject[]
}

/** The blocks of a message in their order: thoughts, searches, text, tool calls. */
export function blocksOf(
  generation: Generation,
  behaviour: Behaviour,
  number: number,
  isThinkingOmitted: boolean,
): Block[] {
  const calls = generation.toolCalls.map((call, index) => toolBlock(call, `toolu_sim${number}_${index}`))
  const text = generation.pieces.length > 0 || behaviour.hugeFrame ? [textBlock(generation, behaviour)] : []
  return [...thoughtBlocks(generation, number, isThinkingOmitted), ...searchBlocks(generation), ...text, ...calls]
}

/** A block that comes all at once. */
const sudden = (block: JsonObject): Block => ({ whole: block, start: block, deltas: [] })

function thoughtBlocks(generation: Generation, number: number, isOmitted: boolean): Block[] {
  if (generation.thoughts.length === 0) return []
  if (generation.isRedacted) return [sudden({ type: 'redacted_thinking', data: sealOf(`thoughts ${number}`) })]
  const thoughts = isOmitted ? [] : generation.thoughts
  const signature = sealOf(`signature ${number}`)
  return [
    {
      whole: { type: 'thinking', thinking: thoughts.join(''), signature },
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...thoughts.map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
    },
  ]
}

function searchBlocks(generation: Generation): Block[] {
  return Array.from({ length: generation.searches }, (_, index) => {
    const id = `srvtoolu_sim${index}`
    const input = { query: `query ${index + 1}` }
    const call = { type: 'server_tool_use', id, name: 'web_search' }
    const result = {
      type: 'web_search_result',
      url: `https://example.com/${index + 1}`,
      title: `Result ${index + 1}`,
      encrypted_content: sealOf(`result ${index + 1}`),
      page_age: null,
    }
    return [
      { whole: { ...call, input }, start: { ...call, input: {} }, deltas: inputDeltas(input) },
      sudden({ type: 'web_search_tool_result', tool_use_id: id, content: [result] }),
    ]
  }).flat()
}

function textBlock(generation: Generation, behaviour: Behaviour): Block {
  const text = generation.pieces.join('')
  const citations = Array.from({ length: generation.searches }, (_, index) => ({
    type: 'web_search_result_location',
    cited_text: `What result ${index + 1} says`,
    url: `https://example.com/${index + 1}`,
    title: `Result ${index + 1}`,
    encrypted_index: sealOf(`index ${index + 1}`),
  }))
  const cited = citations.length > 0
  const huge = behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : []
  return {
    whole: { type: 'text', text, ...(cited ? { citations } : {}) },
    start: { type: 'text', text: '', ...(cited ? { citations: [] } : {}) },
    deltas: [
      ...citations.map((citation) => ({ type: 'citations_delta', citation })),
      ...[...generation.pieces, ...huge].map((piece) => ({ type: 'text_delta', text: piece })),
    ],
  }
}

function toolBlock(call: ToolCall, id: string): Block {
  const block = { type: 'tool_use', id, name: call.name }
  return {
    whole: { ...block, input: call.arguments },
    start: { ...block, input: {} },
    deltas: inputDeltas(call.arguments),
  }
}

/** The vendor opens with an empty piece. */
const inputDeltas = (input: unknown): JsonObject[] =>
  ['', ...piecesOf(JSON.stringify(input), 6)].map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
