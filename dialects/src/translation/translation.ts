import type { Codec, StreamTap } from '../core/dialect'
import { DialectError } from '../core/dialect-error'
import type { JsonObject } from '../core/json'
import { scanNested } from '../core/json-text'
import type { DialectId } from '../core/mode'
import type { Message, NeutralCall, Part } from '../core/neutral/call'
import type { ClientCodec, EventReader, UpstreamCodec } from '../core/neutral/codec'
import { thinkingMembers } from '../chat/openai-chat/thinking-form'
import { foreignMembers } from '../core/shared/known-names'
import { imageMimeOf } from '../core/shared/prompt-media'
import { dialects } from '../dialects'
import { embeddingTranslation } from './embedding-translation'
import { imageTranslation } from './image-translation'
import { speechTranslation, transcriptionTranslation } from './audio-translation'
import { applyChanges, changesOf, withUsage } from './event-changes'
import { onceEncodedEvents, onceEncodedReader, withOnceEncoded } from './once-encoded'
import { FreshCallIds, readerWithFreshIds, withUniqueCallIds } from './call-ids'
import { type SearchProgress, withSearchFunction } from './searching/search-tool'
import { SearchingChat } from './searching/searching-chat'
import { type NamedCall, readerWithNames, withClientNames, withToolNames, withUniqueTools } from './tool-names'
import { findLosses, LossWatch, warnOfRareWords } from './losses'
import { readerWithSoundForm, withSoundForm } from './sound-form'
import { TranslatingTap } from './translating-tap'
import type { ResponseOptions, Translate, TranslatedCall, TranslateInSteps, WholeAnswer } from './translate'

/** Returns what translates calls of a client's dialect for an upstream and its responses back; null where the two have no kind of call in common. */
export function translationOf(clientId: DialectId, upstreamId: DialectId): Translate | null {
  const inSteps = translationInStepsOf(clientId, upstreamId)
  return inSteps && ((...request) => finishSteps(inSteps(...request)))
}

/** Does the same for requests of any size. */
export function translationInStepsOf(clientId: DialectId, upstreamId: DialectId): TranslateInSteps | null {
  const { codec: from } = dialects[clientId]
  const { codec: to } = dialects[upstreamId]
  if (from?.kind !== 'chat' || to?.kind !== 'chat') return inOneStep(shortTranslationOf(from, to))
  return from.client && to.upstream
    ? chatTranslation({ client: from.client, clientId, upstream: to.upstream, upstreamId })
    : null
}

function shortTranslationOf(from: Codec | undefined, to: Codec | undefined): Translate | null {
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

const inOneStep = (translate: Translate | null): TranslateInSteps | null =>
  translate &&
  function* inSteps(...request) {
    yield
    return translate(...request)
  }

/** Takes all steps at once. */
export function finishSteps<Value>(steps: Generator<undefined, Value, undefined>): Value {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * Returns what translates one round of a chat whose searches are run for its model, also between equal dialects; null where these are no
 * dialects of chats.
 */
export function searchingTranslationOf(
  clientId: DialectId,
  upstreamId: DialectId,
  progress: SearchProgress,
): TranslateInSteps | null {
  const { codec: from } = dialects[clientId]
  const { codec: to } = dialects[upstreamId]
  if (from?.kind !== 'chat' || to?.kind !== 'chat' || !from.client || !to.upstream) return null
  return chatTranslation({ client: from.client, clientId, upstream: to.upstream, upstreamId }, progress)
}

interface ChatPair {
  readonly client: ClientCodec
  readonly clientId: DialectId
  readonly upstream: UpstreamCodec
  readonly upstreamId: DialectId
}

function chatTranslation(
  { client, clientId, upstream, upstreamId }: ChatPair,
  progress: SearchProgress | null = null,
): TranslateInSteps {
  return function* inSteps(body, pathContext, upstreamModel, form) {
    const call = client.readCall(body, pathContext)
    requireReal(call)
    yield
    const warnings = new Set(call.leftOut)
    const warn = (what: string) => void warnings.add(what)
    const { names } = dialects[clientId]
    if (names) for (const name of foreignMembers(body, names)) warn(name)
    warnOfRareWords(call, upstream, warn)
    yield
    const sent = progress === null ? call : withSearchFunction(call, progress)
    const orderly = withUniqueTools(withImageKinds(withUniqueCallIds(withOnceEncoded(sent))), warn)
    const named = withToolNames(orderly, upstream.toolNames)
    yield
    const isFormed = form != null && call.thinking !== null
    const reported = { ...named.call, model: upstreamModel, ...(isFormed && { thinking: null }) }
    const written = upstream.writeCall(reported, warn)
    if (call.own && call.own.dialect !== upstreamId)
      for (const name of lostNames(call.own, written)) if (!upstream.converts?.has(name)) warn(name)
    const thinking = isFormed && call.thinking ? thinkingMembers(call.thinking, form, warn) : {}
    const translated = {
      client,
      clientId,
      upstream,
      body: isFormed ? { ...written, ...thinking } : written,
      warnings: [...warnings],
    }
    const { originals } = named
    if (progress === null) return new TranslatedChat({ ...translated, call, originals })
    return new SearchingChat({
      ...translated,
      call,
      readerOf: (reader) => clientReader(reader, sent, originals),
      changeEvents: (events) => withClientNames(new FreshCallIds(sent).change(onceEncodedEvents(events)), originals),
    })
  }
}

/** Many times what the largest window holds. The parts of a call are written in one step. */
const maxParts = 32_768
/** The arguments of all calls together: some vendors take them as objects, so they are parsed in that step, too. */
const maxArgumentElements = 500_000
/** A number of eight digits counts as one element, a longer one as several. */
const bareOfElement = 8
/** Shorter arguments have no room for more. */
const shortArguments = 256 * 1024

/** @throws DialectError for a conversation that no model can read, or has written. */
function requireReal({ messages }: NeutralCall): void {
  let count = 0
  let length = 0
  for (const { parts } of messages) {
    count += Math.max(parts.length, 1)
    for (const part of parts) if (part.kind === 'tool-call') length += part.argumentsText.length
  }
  if (count > maxParts) throw tooLarge(`The conversation has more than ${maxParts} parts.`)
  if (length > shortArguments && elementsOfArguments(messages) > maxArgumentElements)
    throw tooLarge(`The arguments of its calls have more than ${maxArgumentElements} elements.`)
}

function elementsOfArguments(messages: NeutralCall['messages']): number {
  let elements = 0
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.kind !== 'tool-call') continue
      const scan = scanNested(part.argumentsText)
      elements += Math.max(scan.elements, scan.bare / bareOfElement)
      if (elements > maxArgumentElements) return elements
    }
  }
  return elements
}

const tooLarge = (message: string): DialectError => new DialectError(null, 'structure_too_large', message)

/** Reads a stream with the client's names of its tools, and ids that no call of the conversation has. */
const clientReader = (reader: EventReader, call: NeutralCall, originals: NamedCall['originals']): EventReader =>
  readerWithNames(
    readerWithFreshIds(onceEncodedReader(readerWithSoundForm(reader, call)), new FreshCallIds(call)),
    originals,
  )

interface ChatDeps extends Pick<TranslatedCall, 'body' | 'warnings'>, Pick<NamedCall, 'originals'> {
  readonly client: ClientCodec
  readonly clientId: DialectId
  readonly upstream: UpstreamCodec
  /** As the client wrote it. */
  readonly call: NeutralCall
}

class TranslatedChat implements TranslatedCall {
  readonly body: JsonObject
  readonly warnings: readonly string[]
  readonly #deps: ChatDeps

  constructor(deps: ChatDeps) {
    this.#deps = deps
    this.body = deps.body
    this.warnings = deps.warnings
  }

  read(answer: JsonObject): WholeAnswer {
    const { client, clientId, upstream, call, originals } = this.#deps
    const reported = withSoundForm(upstream.readAnswer(answer), call, true)
    const events = new FreshCallIds(call).change(onceEncodedEvents(reported))
    return {
      leftOut: findLosses(events, clientId, client),
      write(usage, options) {
        const changed = applyChanges(withClientNames(events, originals), options)
        return client.writeAnswer(withUsage(changed, usage), { ...options, call })
      },
    }
  }

  createTap(options: ResponseOptions): StreamTap {
    const { client, clientId, upstream, call, originals } = this.#deps
    return new TranslatingTap({
      lost: new LossWatch(clientId, client),
      reader: clientReader(upstream.createReader(), call, originals),
      writer: client.createWriter({ ...options, call }),
      format: client,
      changes: changesOf(options),
      promptTokens: options.promptTokens,
      isSealed: upstream.sealsThoughts === true,
    })
  }
}

/** Pictures whose kind the request says wrongly, as many clients do with screenshots, or not at all: vendors compare it with the bytes. */
function withImageKinds(call: NeutralCall): NeutralCall {
  const messages = call.messages.map(withKindsIn)
  return messages.every((message, index) => message === call.messages[index]) ? call : { ...call, messages }
}

function withKindsIn(message: Message): Message {
  const parts = changeParts(message.parts)
  return parts === message.parts ? message : { ...message, parts }
}

function changeParts<Kind extends Part>(parts: readonly Kind[]): readonly Kind[] {
  const changed = parts.map(withKind)
  return changed.every((part, index) => part === parts[index]) ? parts : changed
}

function withKind<Kind extends Part>(part: Kind): Kind {
  if (part.kind === 'tool-result') {
    const shown = changeParts(part.parts)
    return shown === part.parts ? part : { ...part, parts: shown }
  }
  if (part.kind !== 'image' || part.source.kind !== 'data') return part
  const mime = imageMimeOf(Buffer.from(part.source.data.slice(0, headLength), 'base64').toString('latin1'))
  return mime === null || mime === part.source.mime ? part : { ...part, source: { ...part.source, mime } }
}

/** Base64 of twelve bytes. */
const headLength = 16

type Own = NonNullable<NeutralCall['own']>

/** What the client says in its own dialect's words alone and what was written does not say. */
const lostNames = ({ members, names = Object.keys(members) }: Own, written: JsonObject): readonly string[] =>
  names.filter((name) => (!(name in members) || isRequested(members[name])) && !isRequested(written[name]))

const isRequested = (value: unknown): boolean => value !== undefined && value !== null && value !== false
