import { MessageEventReader, readAnswer as readMessage } from '../anthropic-messages/read/response'
import type { JsonObject } from '../../core/json'
import type { EventReader, ServerEvent } from '../../core/neutral/codec'
import type { AnswerEvent } from '../../core/neutral/events'
import { holdsSomething } from '../../core/neutral/left-out'
import { objectOf, objectsOf, parsedObject, textOf, omitUndefined } from '../../core/neutral/read'
import { failedOutput } from '../../core/shared/reported-failure'

/*
 * Converse has the blocks, events and counts of Anthropic's Messages under other names, so it is read as these.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */

const dialectId = 'bedrock-converse'

export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const { output, stopReason, usage } = answer
  if (output === undefined) return readMessage(answer)
  const content = objectsOf(objectOf(objectOf(output)['message'])['content']).map(readBlock)
  const message = { content, stop_reason: readReason(stopReason), usage: readUsage(usage) }
  const events = [...readMessage(message, dialectId), ...ownFields(answer)]
  const failed = failedEnd(stopReason)
  return failed === null ? events : [...events.filter(({ type }) => !ends.has(type)), failed]
}

/** What the model says in words of its own, because the request asks for it. */
const ownFields = ({ additionalModelResponseFields: fields }: JsonObject): AnswerEvent[] =>
  holdsSomething(fields) ? [{ type: 'left-out', what: 'additionalModelResponseFields' }] : []

const ends: ReadonlySet<AnswerEvent['type']> = new Set(['choice-end', 'answer-end'])

/** Reads the events of a stream. */
export class ConverseReader implements EventReader {
  readonly #messages = new MessageEventReader(dialectId)
  #hasFailed = false

  read({ data }: ServerEvent): readonly AnswerEvent[] {
    const event = parsedObject(data)
    if (event === null || this.#hasFailed) return []
    const failed = failedEnd(event['stopReason'])
    if (failed === null)
      return [...ownFields(event), ...messageEvents(event).flatMap((one) => this.#messages.take(one))]
    this.#hasFailed = true
    return [...this.#messages.end(), failed]
  }

  end(): readonly AnswerEvent[] {
    return this.#hasFailed ? [] : this.#messages.end()
  }
}

/** Each event has members of its own. */
function messageEvents(event: JsonObject): readonly JsonObject[] {
  const { contentBlockIndex: index, delta, role, start, stopReason, usage } = event
  if (delta !== undefined) return deltas(objectOf(delta)).map((one) => ({ ...one, index }))
  if (start !== undefined) return startOf(objectOf(start)).map((one) => ({ ...one, index }))
  if (index !== undefined) return [{ type: 'content_block_stop', index }]
  if (stopReason !== undefined) return [{ type: 'message_delta', delta: { stop_reason: readReason(stopReason) } }]
  if (usage !== undefined) return [{ type: 'message_delta', usage: readUsage(usage) }, { type: 'message_stop' }]
  return role === undefined ? [event] : [{ type: 'message_start', message: {} }]
}

/** Blocks of words have no start. */
const startOf = (block: JsonObject): JsonObject[] =>
  Object.keys(block).length === 0 ? [] : [{ type: 'content_block_start', content_block: readBlock(block) }]

function deltas(delta: JsonObject): readonly JsonObject[] {
  const createBlockDelta = (member: JsonObject): JsonObject => ({ type: 'content_block_delta', delta: member })
  const thought = objectOf(delta['reasoningContent'])
  const data = textOf(thought['redactedContent'])
  const input = objectOf(delta['toolUse'])['input']
  return [
    ...(delta['text'] === undefined ? [] : [createBlockDelta({ type: 'text_delta', text: delta['text'] })]),
    ...(input === undefined ? [] : [createBlockDelta({ type: 'input_json_delta', partial_json: input })]),
    ...(thought['text'] === undefined ? [] : [createBlockDelta({ type: 'thinking_delta', thinking: thought['text'] })]),
    ...(thought['signature'] === undefined
      ? []
      : [createBlockDelta({ type: 'signature_delta', signature: thought['signature'] })]),
    ...(data === '' ? [] : [{ type: 'content_block_start', content_block: { type: 'redacted_thinking', data } }]),
    ...(delta['citation'] === undefined ? [] : [createBlockDelta(citationDelta(delta['citation']))]),
    ...Object.keys(delta).flatMap((name) => (knownDeltas.has(name) ? [] : [createBlockDelta({ type: name })])),
  ]
}

function readBlock(block: JsonObject): JsonObject {
  const call = objectOf(block['toolUse'])
  const thought = objectOf(block['reasoningContent'])
  if (block['toolUse'] !== undefined)
    return { type: 'tool_use', id: call['toolUseId'], name: call['name'], input: call['input'] ?? {} }
  if (thought['redactedContent'] !== undefined) return { type: 'redacted_thinking', data: thought['redactedContent'] }
  if (block['reasoningContent'] !== undefined) {
    const { text, signature } = objectOf(thought['reasoningText'])
    return { type: 'thinking', thinking: textOf(text), signature: textOf(signature) }
  }
  const { content, citations } = objectOf(block['citationsContent'])
  if (block['citationsContent'] !== undefined) {
    const read = objectsOf(citations).map(readCitation)
    const text = objectsOf(content)
      .map((part) => textOf(part['text']))
      .join('')
    // An unknown member of a text is named.
    const unread = read.includes(null) ? { citation: true } : {}
    return { type: 'text', text, citations: read.filter((citation) => citation !== null), ...unread }
  }
  const [kind = 'text'] = Object.keys(block)
  return kind === 'text' ? { type: 'text', text: textOf(block['text']) } : { ...block, type: kind }
}

const knownDeltas: ReadonlySet<string> = new Set(['text', 'toolUse', 'reasoningContent', 'citation'])

function citationDelta(value: unknown): JsonObject {
  const citation = readCitation(objectOf(value))
  return citation === null ? { type: 'citation' } : { type: 'citations_delta', citation }
}

/** Anthropic's names of places. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationLocation.html */
const places: ReadonlyMap<string, readonly [type: string, start: string, end: string]> = new Map([
  ['documentChar', ['char_location', 'start_char_index', 'end_char_index']],
  ['documentPage', ['page_location', 'start_page_number', 'end_page_number']],
  ['documentChunk', ['content_block_location', 'start_block_index', 'end_block_index']],
  ['searchResultLocation', ['search_result_location', 'start_block_index', 'end_block_index']],
])

/** A citation in Anthropic's words; null for a place of an unknown kind. */
function readCitation({ title, source, location, sourceContent }: JsonObject): JsonObject | null {
  const [[kind, place] = ['', {}]] = Object.entries(objectOf(location))
  const { start, end, documentIndex, searchResultIndex, url } = objectOf(place)
  const cited_text = objectsOf(sourceContent)
    .map(({ text }) => textOf(text))
    .join('')
  if (kind === 'web')
    return omitUndefined({ type: 'web_search_result_location', cited_text, title, url, encrypted_index: '' })
  const [type, first, last] = places.get(kind) ?? []
  if (type === undefined || first === undefined || last === undefined) return null
  const named =
    kind === 'searchResultLocation'
      ? { search_result_index: searchResultIndex, source, title }
      : { document_index: documentIndex, document_title: title }
  return omitUndefined({ type, cited_text, ...named, [first]: start, [last]: end })
}

const readUsage = (usage: unknown): JsonObject => {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens, cacheDetails } = objectOf(usage)
  const written = objectsOf(cacheDetails).flatMap(({ ttl, inputTokens: tokens }) =>
    ttl === '1h' || ttl === '5m' ? [[`ephemeral_${ttl}_input_tokens`, tokens]] : [],
  )
  return omitUndefined({
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: cacheReadInputTokens,
    cache_creation_input_tokens: cacheWriteInputTokens,
    cache_creation: written.length > 0 ? Object.fromEntries(written) : undefined,
  })
}

/** Most reasons have Anthropic's names. */
function readReason(reason: unknown): unknown {
  return reason === 'guardrail_intervened' || reason === 'content_filtered' ? 'refusal' : reason
}

/** The failure of an answer whose end says that the model's output was unusable; null for any other. */
function failedEnd(reason: unknown): Extract<AnswerEvent, { type: 'failure' }> | null {
  if (reason !== 'malformed_model_output' && reason !== 'malformed_tool_use') return null
  const message = `The model ended with ${reason}`
  return { type: 'failure', error: { status: 502, message, type: failedOutput, code: reason, param: null } }
}
