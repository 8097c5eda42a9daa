import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import type { NeutralCall } from '../core/neutral/call'
import type { ClientCodec, UpstreamCodec } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'
import { thinkingMembers } from '../chat/openai-chat/thinking-form'
import type { Usage } from '../core/usage'
import {
  chatCodecs,
  clientCodecs,
  clientEmbeddingCodecs,
  embeddingCodecs,
  imageCodecs,
  upstreamCodecs,
  upstreamEmbeddingCodecs,
  upstreamImageCodecs,
  upstreamSpeechCodecs,
  upstreamTranscriptionCodecs,
} from './codecs'
import { embeddingTranslation } from './embedding-translation'
import { imageTranslation } from './image-translation'
import { speechTranslation } from './speech-translation'
import { transcriptionTranslation } from './transcription-translation'
import { ThoughtsAsText, type EventChange } from './event-change'
import { onceEncodedEvents, onceEncodedReader, withOnceEncoded } from './once-encoded'
import { readerWithNames, withClientNames, withToolNames } from './tool-names'
import { TaggedThoughts } from './tagged-thoughts'
import { TranslatingTap } from './translating-tap'
import type { ResponseOptions, Translate } from './translate'

/** How calls get from a client's dialect to an upstream's and answers back; null when there is no way. */
export function translationOf(client: DialectId, upstream: DialectId): Translate | null {
  const chatting = chatCodecs[client] ?? clientCodecs[client]
  const answering = chatCodecs[upstream] ?? upstreamCodecs[upstream]
  if (chatting && answering) return chatTranslation(chatting, answering, upstream)
  const speech = client === 'openai-speech' ? upstreamSpeechCodecs[upstream] : undefined
  if (speech) return speechTranslation(speech)
  const transcribing = client === 'openai-transcriptions' ? upstreamTranscriptionCodecs[upstream] : undefined
  if (transcribing) return transcriptionTranslation(transcribing)
  const embedding = embeddingCodecs[client] ?? clientEmbeddingCodecs[client]
  const embedder = embeddingCodecs[upstream] ?? upstreamEmbeddingCodecs[upstream]
  if (embedding && embedder) return embeddingTranslation(embedding, embedder)
  const asking = imageCodecs[client]
  const drawing = imageCodecs[upstream] ?? upstreamImageCodecs[upstream]
  return asking && drawing ? imageTranslation(asking, drawing) : null
}

function chatTranslation(client: ClientCodec, upstream: UpstreamCodec, upstreamId: DialectId): Translate {
  return (body, place, upstreamModel, form) => {
    const call = client.readCall(body, place)
    const warnings = new Set(call.leftOut)
    const named = withToolNames(withOnceEncoded(call), upstream.toolNames)
    const warn = (what: string) => void warnings.add(what)
    const isFormed = form != null && call.thinking !== null
    const told = { ...named.call, model: upstreamModel, ...(isFormed && { thinking: null }) }
    const written = upstream.writeCall(told, warn)
    if (call.own && call.own.dialect !== upstreamId)
      for (const name of lostNames(call.own, written)) if (!upstream.converts?.has(name)) warn(name)
    const thinking = isFormed && call.thinking ? thinkingMembers(call.thinking, form, warn) : {}
    const read = (answer: JsonObject) =>
      withClientNames(onceEncodedEvents(upstream.readAnswer(answer)), named.originals)
    return {
      body: isFormed ? { ...written, ...thinking } : written,
      warnings: [...warnings],
      answer: (answer, usage, options) =>
        client.writeAnswer(withUsage(changed(read(answer), options), usage), { ...options, call }),
      createTap: (options) =>
        new TranslatingTap({
          reader: readerWithNames(onceEncodedReader(upstream.createReader()), named.originals),
          writer: client.createWriter({ ...options, call }),
          format: client,
          changes: changesOf(options),
          promptTokens: options.promptTokens,
          isSealed: upstream.sealsThoughts === true,
        }),
    }
  }
}

type Own = NonNullable<NeutralCall['own']>

/** What the client says in its own dialect's words alone and what was written does not say. */
const lostNames = ({ members, names = Object.keys(members) }: Own, written: JsonObject): readonly string[] =>
  names.filter((name) => (!(name in members) || isAsked(members[name])) && !isAsked(written[name]))

const isAsked = (value: unknown): boolean => value !== undefined && value !== null && value !== false

const changesOf = ({ thoughtsAsText, taggedThoughts }: ResponseOptions): EventChange[] => [
  ...(taggedThoughts ? [new TaggedThoughts()] : []),
  ...(thoughtsAsText ? [new ThoughtsAsText()] : []),
]

const changed = (events: readonly AnswerEvent[], options: ResponseOptions): readonly AnswerEvent[] =>
  changesOf(options).reduce((current, change) => current.flatMap((event) => change.event(event)), events)

/** The answer tells the usage that is charged. */
const withUsage = (events: readonly AnswerEvent[], usage: Usage): readonly AnswerEvent[] => [
  ...events.filter(({ type }) => type !== 'usage' && type !== 'answer-end'),
  { type: 'usage', usage },
  { type: 'answer-end' },
]
