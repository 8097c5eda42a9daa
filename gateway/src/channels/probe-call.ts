import { FormFile, type DialectId, type JsonObject, type Mode } from '@tollgate/dialects'
import type { ModelKind } from '@tollgate/models'
import type { Provider } from '@tollgate/providers'

import type { Channel } from './catalog/catalog'
import { kindOfModel } from './model-kind'

/** The shortest call that shows whether a model serves. */
export interface ProbeCall {
  readonly mode: Mode
  readonly dialect: DialectId
  readonly path: string
  readonly body: JsonObject
}

/** Returns what a model of a channel is for, by the vendor's name for it. */
const kindOf = ({ modelMapping }: Pick<Channel, 'modelMapping'>, model: string): ModelKind =>
  kindOfModel(modelMapping.get(model) ?? model)

/** Reasoning counts as output, so a model that reasons needs room for it. */
const thinkingTokens = 50
const outputTokens = 10

const maxTokensFor = (model: string): number => (/thinking/i.test(model) ? thinkingTokens : outputTokens)

type ProbeOf = (model: string) => ProbeCall

const chat: ProbeOf = (model) => {
  const messages = [{ role: 'user', content: 'hi' }]
  const body = { model, messages, max_tokens: maxTokensFor(model), stream: false }
  return { mode: 'chat', dialect: 'openai-chat', path: '/v1/chat/completions', body }
}

const completion: ProbeOf = (model) => ({
  mode: 'completions',
  dialect: 'openai-completions',
  path: '/v1/completions',
  body: { model, prompt: 'hi', max_tokens: maxTokensFor(model), stream: false },
})

const embedding: ProbeOf = (model) => ({
  mode: 'embeddings',
  dialect: 'openai-embeddings',
  path: '/v1/embeddings',
  body: { model, input: ['hello world'] },
})

const moderation: ProbeOf = (model) => ({
  mode: 'moderation',
  dialect: 'openai-moderations',
  path: '/v1/moderations',
  body: { model, input: 'hello world' },
})

const rerank: ProbeOf = (model) => ({
  mode: 'rerank',
  dialect: 'rerank',
  path: '/v1/rerank',
  body: { model, query: 'hi', documents: ['hello world'] },
})

const speech: ProbeOf = (model) => ({
  mode: 'speech',
  dialect: 'openai-speech',
  path: '/v1/audio/speech',
  body: { model, input: 'hi', voice: 'alloy' },
})

const transcription: ProbeOf = (model) => ({
  mode: 'transcription',
  dialect: 'openai-transcriptions',
  path: '/v1/audio/transcriptions',
  body: { model, file: new FormFile('test.wav', 'audio/wav', silence) },
})

const image: ProbeOf = (model) => ({
  mode: 'images',
  dialect: 'openai-images',
  path: '/v1/images/generations',
  body: { model, prompt: 'A dot', n: 1 },
})

/** A video takes minutes and costs as much as hundreds of short calls; a realtime session takes more than a call. */
const probes: Partial<Readonly<Record<ModelKind, ProbeOf>>> = {
  chat,
  completion,
  embedding,
  moderation,
  rerank,
  speech,
  transcription,
  image,
}

/** What a vendor without chats is asked for, where a name does not say what it is. */
const instead = [chat, embedding, completion, moderation, rerank]

/** Returns the call that tests a model; null where none can. */
export function probeOf(channel: Pick<Channel, 'modelMapping' | 'provider'>, model: string): ProbeCall | null {
  const kind = kindOf(channel, model)
  const some = kind === 'chat' ? instead : [probes[kind]]
  return some.flatMap((probe) => probe?.(model) ?? []).find(({ mode }) => serves(channel.provider, mode)) ?? null
}

const serves = ({ modes }: Pick<Provider, 'modes'>, mode: Mode): boolean => modes[mode] !== undefined

/** A picture costs as much as a long chat: one is drawn for an operator who names the model, none by the hour. */
export const isCheap = ({ mode }: ProbeCall): boolean => mode !== 'images'

/** A fifth of a second of silence: 8-bit samples at 8 kHz. Shorter recordings are refused by some. */
const silence = wavOf(new Uint8Array(1600).fill(128), 8000)

function wavOf(samples: Uint8Array, rate: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return new Uint8Array([...head, ...samples])
}
