import type { PromptShape } from '../../core/views'
import { addContentOfFile, addText } from '../../core/shared/prompt'
import { isObject, type JsonObject } from '../../core/json'
import { objectOf, textOf } from '../../core/neutral/read'
import { listOf, member, memberList, memberObject } from '../../core/shared/google-members'
import { isFilmAddress, isTextMime } from '../../core/shared/prompt-media'
import { isOwnFile } from './read/media'
import { partialTexts } from './partial-args'
import { isContinuation, isPartial } from './partial-call'

interface Shape {
  texts: string[]
  tools: unknown[]
  messages: number
  images: number
  audios: number
  files: number
  textFiles?: string[]
  /** The index among the texts of the values of the latest streamed call. */
  streamed: number | null
}

/** What the contents, the instructions and the tools of a request hold. */
export function contentsPrompt(body: JsonObject): PromptShape {
  const tools = listOf(body['tools']).flatMap((tool) => memberList(tool, 'functionDeclarations'))
  const shape: Shape = { texts: [], tools: [...tools], messages: 0, images: 0, audios: 0, files: 0, streamed: null }
  const instruction = member(body, 'systemInstruction')
  addText(shape, instruction)
  addParts(shape, objectOf(instruction)['parts'])
  for (const content of memberList(body, 'contents')) {
    shape.messages += 1
    addParts(shape, content['parts'])
  }
  const config = memberObject(body, 'generationConfig')
  const schema = member(config, 'responseJsonSchema') ?? member(config, 'responseSchema')
  if (schema !== undefined && schema !== null) shape.tools.push(schema)
  const { streamed: _streamed, ...counted } = shape
  return { ...counted, names: 0, lowDetailImages: 0, tokenIds: 0 }
}

function addParts(shape: Shape, parts: unknown): void {
  for (const part of listOf(parts)) addPart(shape, part)
}

function addPart(shape: Shape, part: JsonObject): void {
  addText(shape, part['text'])
  addMedia(shape, member(part, 'inlineData') ?? member(part, 'fileData'))
  const call = member(part, 'functionCall')
  if (isObject(call)) addCall(shape, call)
  const result = member(part, 'functionResponse')
  if (isObject(result)) {
    addText(shape, JSON.stringify(result['response'] ?? {}))
    addParts(shape, result['parts'])
  }
  addText(shape, memberObject(part, 'executableCode')['code'])
  addText(shape, memberObject(part, 'codeExecutionResult')['output'])
}

/** Adds a call. The values of a streamed one are one text over all its parts, so that a word split between two is still found. */
function addCall(shape: Shape, call: JsonObject): void {
  const isMore = isContinuation(call)
  if (!isMore) shape.streamed = null
  addText(shape, call['name'])
  if (isObject(call['args']) || !(isMore || isPartial(call))) addText(shape, JSON.stringify(call['args'] ?? {}))
  const values = partialTexts(call).join('')
  if (values === '') return
  shape.streamed ??= shape.texts.push('') - 1
  shape.texts[shape.streamed] = (shape.texts[shape.streamed] ?? '') + values
}

/** Files that are text count as text. */
function addMedia(shape: Shape, media: unknown): void {
  if (!isObject(media)) return
  const mime = textOf(member(media, 'mimeType'))
  const data = textOf(media['data'])
  const address = textOf(member(media, 'fileUri'))
  // What is kept at the vendor is of the kind with which it was uploaded, whatever the request says.
  if (isOwnFile(address) || isFilmAddress(address)) shape.files += 1
  else if (mime.startsWith('image/')) shape.images += 1
  else if (mime.startsWith('audio/')) shape.audios += 1
  else if (mime.startsWith('text/') && data !== '') addText(shape, Buffer.from(data, 'base64').toString('utf8'))
  else addContentOfFile(shape, isTextMime(mime) ? data : '')
}
