import { MessageEventReader, readAnswer as readMessage } from '../anthropic-messages/read/response'
import type { JsonObject } from '../../core/json'
import type { EventReader, ServerEvent } from '../../core/neutral/codec'
import type { AnswerEvent } from '../../core/neutral/events'
import { objectOf, objectsOf, parsedObject, textOf, omitUndefined } from '../../core/neutral/read'
import { failedOutput } from '../../core/shared/reported-failure'

/*
 * Converse has the blocks, events and counts of Anthropic's Messages under other names, so it is read as these.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */

export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const { output, stopReason, usage } = answer
  if (output === undefined) return readMessage(answer)
  const content = objectsOf(objectOf(objectOf(output)['message'])['content']).map(readBlock)
  const events = readMessage({ content, stop_reason: readReason(stopReason), usage: readUsage(usage) })
  const failed = failedEnd(stopReason)
  return failed === null ? events : [...events.filter(({ type }) => !ends.has(type)), failed]
}

const ends: ReadonlySet<AnswerEvent['type']> = new Set(['choice-end', 'answer-end'])

/** Reads the events of a stream. */
export class ConverseReader implements EventReader {
  readonly #messages = new MessageEventReader()
  #hasFailed = false

  read({ data }: ServerEvent): readonly AnswerEvent[] {
    const event = parsedObject(data)
    if (event === null || this.#hasFailed) return []
    const failed = failedEnd(event['stopReason'])
    if (failed === null) return messageEvents(event).flatMap((one) => this.#messages.take(one))
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

const startOf = ({ toolUse }: JsonObject): JsonObject[] =>
  toolUse === undefined ? [] : [{ type: 'content_block_start', content_block: readBlock({ toolUse }) }]

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
  const cited = objectsOf(objectOf(block['citationsContent'])['content']).map(({ text }) => textOf(text))
  return { type: 'text', text: textOf(block['text']) || cited.join('') }
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
