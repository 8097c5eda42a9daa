import type { DialectId } from '../core/mode'
import type { Citation, Message, NeutralCall, Part } from '../core/neutral/call'
import type { AnswerPart, ClientCodec, RareWord, UpstreamCodec, Warn } from '../core/neutral/codec'
import type { AnswerEvent, BlockKind, Delta } from '../core/neutral/events'
import { partLabel } from '../core/neutral/left-out'
import { textOf } from '../core/neutral/read'

/** More names are not kept: an upstream may invent any number of them. */
const maxNames = 32

const labels: Readonly<Record<AnswerPart, string>> = {
  thinking: 'thinking',
  'redacted-thinking': 'redacted thinking',
  signature: 'the signature of thinking',
  search: 'the search',
  image: 'an image',
  sound: 'a sound',
  citation: 'citations',
  source: 'a citation without a page',
}

/** Names what an answer has and its client cannot be told. */
export class LossWatch {
  readonly #names = new Set<string>()

  constructor(
    private readonly clientId: DialectId,
    private readonly client: Pick<ClientCodec, 'lacks'>,
  ) {}

  get names(): readonly string[] {
    return this.#names.size === 0 ? noNames : [...this.#names]
  }

  take(event: AnswerEvent): void {
    if (event.type === 'block-delta') {
      if (event.delta.kind !== 'text') this.#delta(event.delta)
    } else if (event.type === 'block-start') this.#block(event.of)
    else if (event.type === 'left-out') this.#add(event.what)
  }

  #block(of: BlockKind): void {
    if (of.kind === 'own') {
      if (of.dialect !== this.clientId) this.#add(partLabel(of))
    } else if (of.kind === 'thinking' || of.kind === 'redacted-thinking' || of.kind === 'search') this.#part(of.kind)
  }

  #delta(delta: Delta): void {
    if (delta.kind === 'signature') this.#part('signature')
    else if (delta.kind === 'citation') this.#citation(delta.citation)
    else if (delta.kind === 'media' && delta.data !== '') this.#part(isImage(delta.mime) ? 'image' : 'sound')
  }

  #citation({ url, own }: Citation): void {
    this.#part('citation')
    if (url !== undefined || own?.dialect === this.clientId || this.client.lacks?.has('source') !== true) return
    const type = textOf(own?.value['type'])
    this.#add(type === '' ? labels.source : `the citation ${type}`)
  }

  #part(part: AnswerPart): void {
    if (this.client.lacks?.has(part) === true) this.#add(labels[part])
  }

  #add(name: string): void {
    if (this.#names.size < maxNames) this.#names.add(name)
  }
}

const noNames: readonly string[] = []

const isImage = (mime: string): boolean => !mime.startsWith('audio/')

/** Returns the names of what a whole answer has and its client cannot be told. */
export function findLosses(
  events: readonly AnswerEvent[],
  clientId: DialectId,
  client: Pick<ClientCodec, 'lacks'>,
): readonly string[] {
  const lost = new LossWatch(clientId, client)
  for (const event of events) lost.take(event)
  return lost.names
}

const rareLabels: Readonly<Record<RareWord, string>> = {
  names: 'the name of a speaker',
  'strict-tools': 'strict tools',
  citations: 'citations of an earlier answer',
  'cited-documents': 'citations of a document',
  'described-documents': 'the context of a document',
}

/** Warns of what few dialects can say and the upstream's cannot. */
export function warnOfRareWords(
  { messages, tools }: NeutralCall,
  { rareWords }: Pick<UpstreamCodec, 'rareWords'>,
  warn: Warn,
) {
  const words = new Set<RareWord>()
  for (const message of messages) addWords(message, words)
  if (tools.some((tool) => tool.kind === 'function' && tool.isStrict === true)) words.add('strict-tools')
  for (const word of words) if (rareWords?.has(word) !== true) warn(rareLabels[word])
}

function addWords({ name, parts }: Message, words: Set<RareWord>): void {
  if (name !== undefined) words.add('names')
  for (const part of parts) addWordsOf(part, words)
}

function addWordsOf(part: Part, words: Set<RareWord>): void {
  if (part.kind === 'tool-result') for (const shown of part.parts) addWordsOf(shown, words)
  if (part.kind === 'text' && part.citations !== undefined) words.add('citations')
  if (part.kind !== 'file') return
  if (part.citations === true) words.add('cited-documents')
  if (part.context !== undefined) words.add('described-documents')
}
