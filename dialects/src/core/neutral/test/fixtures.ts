import type { JsonObject } from '../../json'
import type { NeutralCall } from '../call'
import { EventSerializer } from '../../streaming/event-serializer'
import type { Answering, ChatCodec, ServerEvent } from '../codec'
import type { AnswerEvent } from '../events'
import type { EmbeddingAnswering, NeutralEmbedding } from '../embedding'

/** No sampling parameter is set. */
export const noSampling: NeutralCall['sampling'] = {
  maxTokens: null,
  temperature: null,
  topP: null,
  topK: null,
  seed: null,
  presencePenalty: null,
  frequencyPenalty: null,
  stop: [],
  choices: 1,
  hasLogProbabilities: false,
  topLogProbabilities: null,
}

/** A call with nothing asked but an answer. */
export const aCall = (change: Partial<NeutralCall> = {}): NeutralCall => ({
  model: 'claude-sonnet-4-5',
  isStream: false,
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
  tools: [],
  toolChoice: null,
  parallelTools: null,
  output: null,
  thinking: null,
  sampling: noSampling,
  user: null,
  metadata: null,
  serviceTier: null,
  modalities: [],
  voice: null,
  own: null,
  ...change,
})

export const anAnswering = (): Answering => {
  let count = 0
  return {
    model: 'claude-x',
    includeUsage: true,
    now: 1_760_000_000,
    newId: (prefix) => `${prefix}new${(count += 1)}`,
    call: aCall(),
  }
}

/** A writer of a stream in a dialect, as text. */
export function textWriter(
  codec: Pick<ChatCodec, 'createWriter' | 'eventText' | 'numberMember'>,
  answering: Answering,
) {
  const writer = codec.createWriter(answering)
  const serializer = new EventSerializer(codec)
  return { write: (events: readonly AnswerEvent[]): string => serializer.write(writer.write(events)) }
}

/** The events of a text in this dialect's stream form. */
export function serverEvents(text: string): ServerEvent[] {
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => ({
      name: /^event: ([^\n]*)/m.exec(event)?.[1] ?? '',
      data: /^data: ([^\n]*)/m.exec(event)?.[1] ?? '',
    }))
}

export const dataOf = (text: string): JsonObject[] => serverEvents(text).map(({ data }): JsonObject => JSON.parse(data))

/**
 * Texts of the same block in one piece, so that answers can be compared however they were cut. Details of a usage are left
 * out: a writer names a tier of its own.
 */
export function joinDeltas(events: readonly AnswerEvent[]): AnswerEvent[] {
  const all: AnswerEvent[] = []
  for (const event of events) {
    const last = all.at(-1)
    const isMore =
      event.type === 'block-delta' &&
      event.delta.kind === 'text' &&
      last?.type === 'block-delta' &&
      last.delta.kind === 'text' &&
      last.block === event.block
    if (isMore) {
      all[all.length - 1] = { ...last, delta: { kind: 'text', text: last.delta.text + event.delta.text } }
    } else if (event.type === 'usage') all.push({ ...event, usage: { ...event.usage, details: undefined } })
    else all.push(event)
  }
  return all
}

/** A call for the vectors of two texts. */
export const anEmbedding = (change: Partial<NeutralEmbedding> = {}): NeutralEmbedding => ({
  model: 'm',
  inputs: ['apple', 'stone'],
  isBatch: true,
  dimensions: null,
  encoding: 'float',
  task: null,
  title: null,
  user: null,
  own: {},
  ...change,
})

/** What its answer is written for. */
export const answeringAnEmbedding = (change: Partial<NeutralEmbedding> = {}, model = 'mine'): EmbeddingAnswering => ({
  model,
  newId: (prefix) => `${prefix}1`,
  call: anEmbedding(change),
})
