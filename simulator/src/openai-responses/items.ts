import { piecesOf, sealOf } from '../content'
import type { JsonObject } from '../json'
import type { Generation, ToolCall } from '../generation'

/** An item of the output: as it begins, what a stream tells of it, and whole. Events lack what all of an item's have. */
export interface Item {
  readonly added: JsonObject
  readonly events: readonly ItemEvent[]
  readonly whole: JsonObject
}

interface ItemEvent {
  readonly type: string
  readonly members: JsonObject
}

interface Narration {
  readonly generation: Generation
  readonly number: number
  readonly hasSummary: boolean
  readonly hasCipher: boolean
  readonly status: 'completed' | 'incomplete'
}

/** The items in their order: reasoning, searches, runs of code, the message, function calls. */
export function itemsOf(telling: Narration): Item[] {
  const { generation, number } = telling
  return [
    ...(generation.thoughts.length > 0 ? [reasoningItem(telling)] : []),
    ...Array.from({ length: generation.searches }, (_, index) => searchItem(number, index)),
    ...Array.from({ length: generation.codeRuns }, (_, index) => codeItem(number, index)),
    ...(generation.pieces.length > 0 ? [messageItem(telling)] : []),
    ...generation.toolCalls.map((call, index) => callItem(call, number, index)),
  ]
}

const event = (type: string, members: JsonObject): ItemEvent => ({ type: `response.${type}`, members })

function reasoningItem({ generation, number, hasSummary, hasCipher }: Narration): Item {
  const item = { id: `rs_sim${number}`, type: 'reasoning' }
  const cipher = hasCipher ? { encrypted_content: cipherOf(`thoughts ${number}`) } : {}
  const text = generation.thoughts.join('')
  const part = { type: 'summary_text', text }
  const at = { summary_index: 0 }
  const events = [
    event('reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }),
    ...generation.thoughts.map((delta) => event('reasoning_summary_text.delta', { ...at, delta })),
    event('reasoning_summary_text.done', { ...at, text }),
    event('reasoning_summary_part.done', { ...at, part }),
  ]
  return {
    added: { ...item, summary: [], ...(hasCipher ? { encrypted_content: '' } : {}) },
    events: hasSummary ? events : [],
    whole: { ...item, summary: hasSummary ? [part] : [], ...cipher },
  }
}

function searchItem(number: number, index: number): Item {
  const item = { id: `ws_sim${number}_${index}`, type: 'web_search_call' }
  const action = { type: 'search', query: `query ${index + 1}` }
  return {
    added: { ...item, status: 'in_progress' },
    events: ['in_progress', 'searching', 'completed'].map((state) => event(`web_search_call.${state}`, {})),
    whole: { ...item, status: 'completed', action },
  }
}

function codeItem(number: number, index: number): Item {
  const item = { id: `ci_sim${number}_${index}`, type: 'code_interpreter_call', container_id: `cntr_sim${number}` }
  const code = `print(${index})`
  return {
    added: { ...item, status: 'in_progress', code: '', outputs: null },
    events: [
      event('code_interpreter_call.in_progress', {}),
      event('code_interpreter_call_code.delta', { delta: code }),
      event('code_interpreter_call_code.done', { code }),
      event('code_interpreter_call.interpreting', {}),
      event('code_interpreter_call.completed', {}),
    ],
    whole: { ...item, status: 'completed', code, outputs: null },
  }
}

function messageItem(telling: Narration): Item {
  const item = { id: `msg_sim${telling.number}`, type: 'message', role: 'assistant' }
  const { events, part } =
    telling.generation.ending === 'refusal' ? refusalOf(telling.generation) : textOf(telling.generation)
  return {
    added: { ...item, status: 'in_progress', content: [] },
    events: events.map(({ type, members }) => ({ type, members: { content_index: 0, ...members } })),
    whole: { ...item, status: telling.status, content: [part] },
  }
}

interface Content {
  readonly events: readonly ItemEvent[]
  readonly part: JsonObject
}

function textOf(generation: Generation): Content {
  const text = generation.pieces.join('')
  const annotations = Array.from({ length: generation.searches }, (_, index) => ({
    type: 'url_citation',
    start_index: 0,
    end_index: text.length,
    url: `https://example.com/${index + 1}`,
    title: `Result ${index + 1}`,
  }))
  const part = { type: 'output_text', text, annotations, logprobs: [] }
  const events = [
    event('content_part.added', { part: { ...part, text: '', annotations: [] } }),
    ...generation.pieces.map((delta) => event('output_text.delta', { delta, logprobs: [] })),
    ...annotations.map((annotation, index) =>
      event('output_text.annotation.added', { annotation_index: index, annotation }),
    ),
    event('output_text.done', { text, logprobs: [] }),
    event('content_part.done', { part }),
  ]
  return { events, part }
}

function refusalOf(generation: Generation): Content {
  const refusal = generation.pieces.join('')
  const part = { type: 'refusal', refusal }
  const events = [
    event('content_part.added', { part: { ...part, refusal: '' } }),
    ...generation.pieces.map((delta) => event('refusal.delta', { delta })),
    event('refusal.done', { refusal }),
    event('content_part.done', { part }),
  ]
  return { events, part }
}

function callItem(call: ToolCall, number: number, index: number): Item {
  const { namespace, takesText } = call.tool ?? {}
  const place = { call_id: `call_sim${number}_${index}`, name: call.name, ...(namespace && { namespace }) }
  if (takesText) return textCallItem(place, String(call.arguments), `ctc_sim${number}_${index}`)
  const item = { id: `fc_sim${number}_${index}`, type: 'function_call', ...place }
  const text = JSON.stringify(call.arguments)
  return {
    added: { ...item, arguments: '', status: 'in_progress' },
    events: [
      ...piecesOf(text, 6).map((delta) => event('function_call_arguments.delta', { delta })),
      event('function_call_arguments.done', { name: call.name, arguments: text }),
    ],
    whole: { ...item, arguments: text, status: 'completed' },
  }
}

function textCallItem(place: JsonObject, input: string, id: string): Item {
  const item = { id, type: 'custom_tool_call', ...place, status: 'completed' }
  return {
    added: { ...item, input: '' },
    events: [
      ...piecesOf(input, 6).map((delta) => event('custom_tool_call_input.delta', { delta })),
      event('custom_tool_call_input.done', { input }),
    ],
    whole: { ...item, input },
  }
}

/** What OpenAI encrypts begins like this. */
export const cipherOf = (text: string): string => `gAAAAA${sealOf(text)}`
