import type { Message, NeutralCall, Part } from '../core/neutral/call'
import type { RareWord, UpstreamCodec, Warn } from '../core/neutral/codec'

const labels: Readonly<Record<RareWord, string>> = {
  names: 'the name of a speaker',
  'strict-tools': 'strict tools',
  citations: 'citations of an earlier answer',
  'cited-documents': 'citations of a document',
  'described-documents': 'the context of a document',
}

/** Warns of what few dialects can say and the upstream's cannot. */
export function warnOfRareWords({ messages, tools }: NeutralCall, { says }: Pick<UpstreamCodec, 'says'>, warn: Warn) {
  const words = new Set<RareWord>()
  for (const message of messages) addWords(message, words)
  if (tools.some((tool) => tool.kind === 'function' && tool.isStrict === true)) words.add('strict-tools')
  for (const word of words) if (says?.has(word) !== true) warn(labels[word])
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
