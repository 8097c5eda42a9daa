import type { JsonObject } from '../../core/json'
import type { NeutralCall } from '../../core/neutral/call'
import type { Warn } from '../../core/neutral/codec'
import { objectOf, objectsOf, textOf, omitUndefined } from '../../core/neutral/read'
import { writeCallId } from '../openai-chat/short-text'

/** Nothing is blank. */
const filler = '...'

/** Blocks of Messages in the words of Converse. Of the models that speak it alone, Amazon's have a cache that is marked. */
export function writeBlocks(blocks: unknown, { model }: Pick<NeutralCall, 'model'>, warn: Warn): JsonObject[] {
  const hasMarks = /\bamazon\.nova-/.test(model)
  return objectsOf(blocks).flatMap((block) => {
    const all = writeBlock(block, warn)
    const isMarked = hasMarks && all.length > 0 && block['cache_control'] !== undefined
    return isMarked ? [...all, { cachePoint: { type: 'default' } }] : all
  })
}

function writeBlock(block: JsonObject, warn: Warn): JsonObject[] {
  switch (block['type']) {
    case 'text':
      return [{ text: block['text'] }]
    case 'thinking': {
      const reasoningText = { text: block['thinking'], signature: block['signature'] }
      return [{ reasoningContent: { reasoningText } }]
    }
    case 'redacted_thinking':
      return [{ reasoningContent: { redactedContent: block['data'] } }]
    case 'tool_use':
      return [{ toolUse: { toolUseId: idOf(block['id']), name: block['name'], input: block['input'] } }]
    case 'tool_result':
      return [{ toolResult: writeResult(block, warn) }]
    case 'image':
      return writeImage(objectOf(block['source']), warn)
    case 'document':
      return writeDocument(block, warn)
    default:
      warn(`the part ${textOf(block['type'])}`)
      return []
  }
}

const idOf = (id: unknown): string => writeCallId(textOf(id))

function writeResult(result: JsonObject, warn: Warn): JsonObject {
  const content = objectsOf(result['content']).flatMap((block) => writeBlock(block, warn))
  return omitUndefined({
    toolUseId: idOf(result['tool_use_id']),
    content: content.length > 0 ? content : [{ text: filler }],
    status: result['is_error'] === true ? 'error' : undefined,
  })
}

function writeImage(source: JsonObject, warn: Warn): JsonObject[] {
  if (source['type'] === 'base64')
    return [
      { image: { format: textOf(source['media_type']).slice('image/'.length), source: { bytes: source['data'] } } },
    ]
  warn('an image at an address')
  return []
}

/** A name has letters, digits, spaces, hyphens and brackets alone. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html */
function writeDocument(block: JsonObject, warn: Warn): JsonObject[] {
  const { type, data } = objectOf(block['source'])
  if (type !== 'base64' && type !== 'text') {
    warn('a file at an address')
    return []
  }
  const name = textOf(block['title'])
    .replaceAll(/[^\w()[\]-]+/gu, ' ')
    .replaceAll('_', ' ')
    .trim()
    .slice(0, 200)
  const bytes = type === 'text' ? Buffer.from(textOf(data)).toString('base64') : data
  return [{ document: { format: type === 'text' ? 'txt' : 'pdf', name: name || 'document', source: { bytes } } }]
}
