import type { PromptShape } from '../../core/views'
import { addFile, addText } from '../../core/shared/prompt'
import type { JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf } from '../../core/neutral/read'
import { isOtherThanImage } from '../../core/shared/prompt-media'

type Shape = { -readonly [Key in keyof PromptShape]: PromptShape[Key] extends number ? number : unknown[] } & {
  texts: string[]
  textFiles?: string[]
}

/** What the instructions, the input and the tools of a request hold. */
export function responsesPrompt(body: JsonObject): PromptShape {
  const shape: Shape = {
    texts: [],
    messages: 0,
    names: 0,
    tools: [...objectsOf(body['tools'])],
    lowDetailImages: 0,
    images: 0,
    audios: 0,
    files: 0,
    tokenIds: 0,
  }
  addText(shape, body['instructions'])
  const { input } = body
  if (typeof input === 'string') shape.messages += 1
  addText(shape, input)
  for (const item of objectsOf(input)) addItem(shape, item)
  for (const value of Object.values(objectOf(objectOf(body['prompt'])['variables']))) addContent(shape, value)
  const format = objectOf(objectOf(body['text'])['format'])
  if (format['schema'] !== undefined) shape.tools.push(format['schema'])
  return shape
}

/** Members of items that hold what the model reads. */
const textNames = ['name', 'arguments', 'input', 'code', 'result', 'text'] as const
const contentNames = ['content', 'summary', 'output'] as const

function addItem(shape: Shape, item: JsonObject): void {
  if (item['type'] === undefined || item['type'] === 'message') shape.messages += 1
  // A picture that was generated before has no text.
  const isImage = item['type'] === 'image_generation_call'
  if (isImage) shape.images += 1
  else for (const name of textNames) addText(shape, item[name])
  for (const name of contentNames) addContent(shape, item[name])
}

function addContent(shape: Shape, content: unknown): void {
  addText(shape, content)
  for (const part of Array.isArray(content) ? objectsOf(content) : [objectOf(content)]) addPart(shape, part)
}

function addPart(shape: Shape, part: JsonObject): void {
  addText(shape, part['text'])
  addText(shape, part['refusal'])
  switch (part['type']) {
    case 'input_image':
    case 'computer_screenshot':
      if (isOtherThanImage(textOf(part['image_url']))) shape.files += 1
      else if (part['detail'] === 'low') shape.lowDetailImages += 1
      else shape.images += 1
      return
    case 'input_audio':
      shape.audios += 1
      return
    case 'input_file':
      addFile(shape, part)
  }
}
