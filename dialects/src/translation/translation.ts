import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import type { NeutralCall } from '../core/neutral/call'
import type { ClientCodec, UpstreamCodec } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'
import { thinkingMembers } from '../chat/openai-chat/thinking-form'
import type { Usage } from '../core/usage'
import { dialects } from '../dialects'
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

/** Returns what translates calls of a client's dialect for an upstream and its responses back; null where the two have no kind of call in common. */
export function translationOf(clientId: DialectId, upstreamId: DialectId): Translate | null {
  const { codec: from } = dialects[clientId]
  const { codec: to } = dialects[upstreamId]
  if (from?.kind === 'chat' && to?.kind === 'chat')
    return from.client && to.upstream ? chatTranslation(from.client, to.upstream, upstreamId) : null
  if (from?.kind === 'embeddings' && to?.kind === 'embeddings')
    return from.client && to.upstream ? embeddingTranslation(from.client, to.upstream) : null
  if (from?.kind === 'images' && to?.kind === 'images')
    return from.client && to.upstream ? imageTranslation(from.client, to.upstream) : null
  if (from?.kind === 'speech' && to?.kind === 'speech')
    return from.client && to.upstream ? speechTranslation(from.client, to.upstream) : null
  if (from?.kind === 'transcriptions' && to?.kind === 'transcriptions')
    return from.client && to.upstream ? transcriptionTranslation(from.client, to.upstream) : null
  return null
}

function chatTranslation(client: ClientCodec, upstream: UpstreamCodec, upstreamId: DialectId): Translate {
  return (body, place, upstreamModel, form) => {
    const call = client.readCall(body, place)
    const warnings = new Set(call.leftOut)
    const named = withToolNames(withOnceEncoded(call), upstream.toolNames)
    const warn = (what: string) => void warnings.add(what)
    const isFormed = form != null && call.thinking !== null
    const reported = { ...named.call, model: upstreamModel, ...(isFormed && { thinking: null }) }
    const written = upstream.writeCall(reported, warn)
    if (call.own && call.own.dialect !== upstreamId)
      for (const name of lostNames(call.own, written)) if (!upstream.converts?.has(name)) warn(name)
    const thinking = isFormed && call.thinking ? thinkingMembers(call.thinking, form, warn) : {}
    const read = (answer: JsonObject) =>
      withClientNames(onceEncodedEvents(upstream.readAnswer(answer)), named.originals)
    return {
      body: isFormed ? { ...written, ...thinking } : written,
      warnings: [...warnings],
      answer: (answer, usage, options) =>
        client.writeAnswer(withUsage(applyChanges(read(answer), options), usage), { ...options, call }),
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
  names.filter((name) => (!(name in members) || isRequested(members[name])) && !isRequested(written[name]))

const isRequested = (value: unknown): boolean => value !== undefined && value !== null && value !== false

const changesOf = ({ thoughtsAsText, taggedThoughts }: ResponseOptions): EventChange[] => [
  ...(taggedThoughts ? [new TaggedThoughts()] : []),
  ...(thoughtsAsText ? [new ThoughtsAsText()] : []),
]

const applyChanges = (events: readonly AnswerEvent[], options: ResponseOptions): readonly AnswerEvent[] =>
  changesOf(options).reduce((current, change) => current.flatMap((event) => change.event(event)), events)

/** The answer reports the usage that is charged. */
const withUsage = (events: readonly AnswerEvent[], usage: Usage): readonly AnswerEvent[] => [
  ...events.filter(({ type }) => type !== 'usage' && type !== 'answer-end'),
  { type: 'usage', usage },
  { type: 'answer-end' },
]
