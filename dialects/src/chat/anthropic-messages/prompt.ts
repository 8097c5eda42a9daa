import type { PromptShape } from '../../core/views'
import { addText } from '../../core/shared/prompt'
import type { JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf } from '../../core/neutral/read'
import { isOtherThanImage } from '../../core/shared/prompt-media'

interface Shape {
  texts: string[]
  tools: unknown[]
  messages: number
  images: number
  files: number
}

/** What the messages, the instructions and the tools of a request hold. */
export function messagesPrompt(body: JsonObject): PromptShape {
  const shape: Shape = { texts: [], tools: [...objectsOf(body['tools'])], messages: 0, images: 0, files: 0 }
  addContent(shape, body['system'])
  for (const message of objectsOf(body['messages'])) {
    shape.messages += 1
    addContent(shape, message['content'])
  }
  const format = objectOf(objectOf(body['output_config'])['format'] ?? body['output_format'])
  if (format['schema'] !== undefined) shape.tools.push(format['schema'])
  return { ...shape, names: 0, lowDetailImages: 0, audios: 0, tokenIds: 0 }
}

function addContent(shape: Shape, content: unknown): void {
  addText(shape, content)
  for (const block of objectsOf(content)) addBlock(shape, block)
}

function addBlock(shape: Shape, block: JsonObject): void {
  switch (block['type']) {
    case 'text':
      return addText(shape, block['text'])
    case 'thinking':
      return addText(shape, block['thinking'])
    case 'image':
      return addImage(shape, objectOf(block['source']))
    case 'document':
      return addDocument(shape, block)
    case 'tool_use':
    case 'server_tool_use':
      addText(shape, block['name'])
      return addText(shape, JSON.stringify(block['input'] ?? {}))
    case 'search_result':
      addText(shape, block['title'])
      return addContent(shape, block['content'])
    default:
      return addContent(shape, block['content'])
  }
}

function addImage(shape: Shape, { url, media_type: mime }: JsonObject): void {
  if (isOtherThanImage(textOf(url), textOf(mime))) shape.files += 1
  else shape.images += 1
}

/** A document that is text counts as text, any other as a file. */
function addDocument(shape: Shape, block: JsonObject): void {
  addText(shape, block['title'])
  addText(shape, block['context'])
  const source = objectOf(block['source'])
  if (source['type'] === 'text') addText(shape, source['data'])
  else if (source['type'] === 'content') addContent(shape, source['content'])
  else shape.files += 1
}
