import type { PromptShape } from '../views'
import { isObject, type JsonObject } from '../json'
import { objectOf, readDataUrl, textOf } from '../neutral/read'
import { fileMime, isOtherThanImage, isTextMime } from './prompt-media'

type Counted = { -readonly [Key in keyof PromptShape]: PromptShape[Key] extends number ? number : PromptShape[Key] }
interface Shape extends Counted {
  texts: string[]
  tools: unknown[]
  textFiles?: string[]
}

const emptyShape = (): Shape => ({
  texts: [],
  messages: 0,
  names: 0,
  tools: [],
  lowDetailImages: 0,
  images: 0,
  audios: 0,
  files: 0,
  tokenIds: 0,
})

/** A prompt without content. */
export const emptyPrompt: PromptShape = Object.freeze(emptyShape())

/** What the messages of a chat request hold. */
export function chatPrompt(body: JsonObject): PromptShape {
  const shape = emptyShape()
  for (const message of listOf(body['messages'])) if (isObject(message)) addMessage(shape, message)
  for (const tool of listOf(body['tools'])) shape.tools.push(isObject(tool) ? (tool['function'] ?? tool) : tool)
  for (const described of listOf(body['functions'])) shape.tools.push(described)
  const format = body['response_format']
  if (isObject(format) && isObject(format['json_schema'])) shape.tools.push(format['json_schema'])
  return shape
}

/** What a prompt or an input holds that is a text, a list of texts, or tokens. */
export function inputPrompt(body: JsonObject, ...names: readonly string[]): PromptShape {
  const shape = emptyShape()
  for (const name of names) addContent(shape, body[name])
  return shape
}

const noItems: readonly unknown[] = []
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : noItems)

function addMessage(shape: Shape, message: JsonObject): void {
  shape.messages += 1
  addContent(shape, message['content'])
  addText(shape, message['reasoning_content'])
  addText(shape, message['refusal'])
  if (typeof message['name'] === 'string' && message['name'] !== '') {
    shape.names += 1
    shape.texts.push(message['name'])
  }
  for (const call of listOf(message['tool_calls'])) if (isObject(call)) addCalled(shape, call['function'])
  addCalled(shape, message['function_call'])
}

function addCalled(shape: Shape, called: unknown): void {
  if (!isObject(called)) return
  addText(shape, called['name'])
  addText(shape, called['arguments'])
}

/** Adds a text that is not empty. */
export function addText(shape: { readonly texts: string[] }, value: unknown): void {
  if (typeof value === 'string' && value !== '') shape.texts.push(value)
}

/** A text, tokens, or a list of such and of parts. */
function addContent(shape: Shape, content: unknown): void {
  if (typeof content === 'string') return addText(shape, content)
  if (isObject(content)) return addPart(shape, content)
  for (const item of listOf(content)) {
    if (typeof item === 'string') addText(shape, item)
    else if (typeof item === 'number') shape.tokenIds += 1
    else if (Array.isArray(item)) shape.tokenIds += item.length
    else if (isObject(item)) addPart(shape, item)
  }
}

const images: ReadonlySet<unknown> = new Set(['image_url', 'input_image', 'image'])
const audios: ReadonlySet<unknown> = new Set(['input_audio', 'audio', 'audio_url'])
const files: ReadonlySet<unknown> = new Set(['file', 'input_file', 'video_url', 'video'])

function addPart(shape: Shape, part: JsonObject): void {
  const type = part['type']
  addText(shape, part['text'])
  addText(shape, part['refusal'])
  // Jina's pictures have no type.
  const isImage = images.has(type) || (type === undefined && typeof part['image'] === 'string')
  if (isImage && isOtherThanImage(addressOf(part))) shape.files += 1
  else if (isImage) {
    const image = part['image_url']
    const detail = (isObject(image) ? image['detail'] : undefined) ?? part['detail']
    if (detail === 'low') shape.lowDetailImages += 1
    else shape.images += 1
  } else if (audios.has(type)) shape.audios += 1
  else if (files.has(type)) addFile(shape, objectOf(part['file']))
}

/** Adds a file, and what it holds where that is text. */
export function addFile(
  shape: { files: number; textFiles?: string[] },
  { filename, file_data: content }: JsonObject,
): void {
  const inline = readDataUrl(textOf(content)) ?? { mime: '', data: textOf(content) }
  const isText = isTextMime(fileMime(textOf(filename), inline.mime))
  addContentOfFile(shape, isText ? inline.data : '')
}

/** Adds a file. `text`: in base64, empty for one that is not text or is elsewhere. */
export function addContentOfFile(shape: { files: number; textFiles?: string[] }, text: string): void {
  shape.files += 1
  if (text !== '') (shape.textFiles ??= []).push(text)
}

const addressOf = (part: JsonObject): string => {
  if (part['type'] !== 'image_url' && part['type'] !== 'input_image') return textOf(part['image'])
  const { image_url: url } = part
  return textOf(url) || textOf(objectOf(url)['url'])
}
