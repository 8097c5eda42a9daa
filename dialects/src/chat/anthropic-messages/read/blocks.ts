import type { JsonObject } from '../../../core/json'
import type { FilePart, Part, ShownPart, Source, ThinkingPart, ToolResultPart } from '../../../core/neutral/call'
import { jsonTextOf, objectOf, objectsOf, partsOf, textOf, textOrNull } from '../../../core/neutral/read'
import { shownParts } from '../../../core/neutral/left-out'
import { dialectId } from '../name'
import { readCache } from '../cache'
import { readCitations } from '../citations'
import { readToolId, resultId } from '../tool-ids'
import { memberName } from '../toolsets'

/** What is known while a conversation is read. */
export interface Reading {
  /** The names of the calls so far, by their ids. */
  readonly names: Map<string, string>
  /** What could not be read, as warnings name it. */
  readonly leftOut: string[]
}

/** The blocks of a message; `place` makes ids where there are none. */
export function readContent(content: unknown, reading: Reading, place: string): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return partsOf(content).flatMap((block, index) => readBlock(block, reading, `${place}_${index}`))
}

function readBlock(block: JsonObject, reading: Reading, place: string): Part[] {
  switch (block['type']) {
    case 'thinking':
    case 'redacted_thinking':
      return [readThinking(block)]
    case 'tool_use': {
      const call = readCall(block, place)
      reading.names.set(call.id, call.name)
      return [call]
    }
    case 'tool_result':
      return [readResult(block, reading)]
    default:
      return readPart(block)
  }
}

function readThinking(block: JsonObject): ThinkingPart {
  if (block['type'] === 'redacted_thinking')
    return { kind: 'thinking', text: '', signature: textOf(block['data']), isRedacted: true }
  const signature = textOrNull(block['signature'])
  return { kind: 'thinking', text: textOf(block['thinking']), ...(signature !== null && { signature }) }
}

const readCall = (block: JsonObject, place: string) =>
  ({
    kind: 'tool-call',
    ...readToolId(textOf(block['id']) || `toolu_${place}`),
    name: nameOf(block),
    argumentsText: jsonTextOf(block['input']) || '{}',
    ...readCache(block),
  }) as const

/** A member of a toolset is called by its own name and that of the toolset. */
function nameOf(block: JsonObject): string {
  const family = textOf(block['toolset_name'])
  const name = textOf(block['name'])
  return family === '' ? name : memberName(family, name)
}

function readResult(block: JsonObject, { names, leftOut }: Reading): ToolResultPart {
  const callId = resultId(block)
  const { content } = block
  return {
    kind: 'tool-result',
    callId,
    name: names.get(callId) ?? '',
    parts:
      typeof content === 'string'
        ? content === ''
          ? []
          : [{ kind: 'text', text: content }]
        : shownParts(partsOf(content).flatMap(readPart), leftOut),
    isError: block['is_error'] === true,
    ...readCache(block),
  }
}

const readPart = (block: JsonObject): Part[] => {
  const shown = readShown(block)
  return shown === null ? [ownPart(block)] : [...shown, ...unreadContent(block).map(ownPart)]
}

const ownPart = (value: JsonObject): Part => ({ kind: 'own', dialect: dialectId, value })

/** What a document, or a result of a search, holds besides words and pictures. */
function unreadContent(block: JsonObject): readonly JsonObject[] {
  const isDocument = block['type'] === 'document'
  if (!isDocument && block['type'] !== 'search_result') return []
  const content = objectsOf(isDocument ? objectOf(block['source'])['content'] : block['content'])
  return content.filter(({ type, text }) => typeof text !== 'string' && !(isDocument && type === 'image'))
}

/** Blocks that show something; null for all others. */
function readShown(block: JsonObject): ShownPart[] | null {
  const cache = readCache(block)
  switch (block['type']) {
    case 'text': {
      const citations = readCitations(block)
      return [{ kind: 'text', text: textOf(block['text']), ...(citations.length > 0 && { citations }), ...cache }]
    }
    case 'image': {
      const source = readSource(objectOf(block['source']), 'image/png')
      return source && [{ kind: 'image', source, ...cache }]
    }
    case 'compaction': {
      // A summary in words takes the place of what was said before.
      const summary = textOf(block['content'])
      return summary === '' ? null : [{ kind: 'text', text: summary, ...cache }]
    }
    case 'browser_state': {
      // What the calls of the toolset for a browser return beside, or in place of, words.
      const { tabs, state_changes } = block
      return [{ kind: 'text', text: JSON.stringify({ tabs, state_changes }), ...cache }]
    }
    case 'document':
      return readDocument(block)
    case 'search_result': {
      const head = [textOf(block['title']), textOf(block['source'])]
      return [{ kind: 'text', text: [...head, plainText(block['content'])].filter(Boolean).join('\n'), ...cache }]
    }
    default:
      return null
  }
}

function readSource(source: JsonObject, mime: string): Source | null {
  switch (source['type']) {
    case 'base64':
      return { kind: 'data', data: textOf(source['data']), mime: textOf(source['media_type']) || mime }
    case 'url':
      return { kind: 'url', url: textOf(source['url']), ...(mime === 'application/pdf' && { mime }) }
    case 'file':
      return { kind: 'id', id: textOf(source['file_id']) }
    case 'text':
      return textSource(textOf(source['data']))
    default:
      return null
  }
}

const textSource = (text: string): Source => ({
  kind: 'data',
  data: Buffer.from(text, 'utf8').toString('base64'),
  mime: 'text/plain',
})

function readDocument(block: JsonObject): ShownPart[] | null {
  const described = objectOf(block['source'])
  const isContent = described['type'] === 'content'
  const source = isContent ? textSource(plainText(described['content'])) : readSource(described, 'application/pdf')
  if (source === null) return null
  const name = textOrNull(block['title'])
  const context = textOrNull(block['context'])
  const images = isContent ? objectsOf(described['content']).filter((part) => part['type'] === 'image') : []
  const file: FilePart = {
    kind: 'file',
    source,
    ...(name !== null && { name }),
    ...(context !== null && { context }),
    ...(objectOf(block['citations'])['enabled'] === true && { citations: true }),
    ...readCache(block),
  }
  return [file, ...images.flatMap((image) => readShown(image) ?? [])]
}

/** The texts of a content, a line each. */
const plainText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objectsOf(content)
        .map((block) => textOf(block['text']))
        .filter((text) => text !== '')
        .join('\n')
