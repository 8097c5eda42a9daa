import type { JsonObject } from '../../../core/json'
import type { FilePart, ImagePart, Part, ShownPart, Source } from '../../../core/neutral/call'
import { objectOf, objectsOf, readDataUrl, textOf, textOrNull } from '../../../core/neutral/read'
import { dialectId } from '../name'
import { shownParts } from '../../../core/neutral/left-out'
import { readAnnotations } from '../citations'

/** What a message holds. https://platform.openai.com/docs/api-reference/responses/create#responses-create-input */
export function readContent(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return objectsOf(content).map(readPart)
}

/** What a tool answered. */
export const readOutput = (output: unknown, leftOut: string[]): ShownPart[] => shownParts(readContent(output), leftOut)

function readPart(part: JsonObject): Part {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text': {
      const citations = readAnnotations(part)
      return { kind: 'text', text: textOf(part['text']), ...(citations.length > 0 && { citations }) }
    }
    case 'refusal':
      return { kind: 'refusal', text: textOf(part['refusal']) }
    case 'input_image':
      return readImage(part)
    case 'input_file':
      return readFile(part)
    case 'input_audio':
      return readAudio(objectOf(part['input_audio']))
    default:
      return { kind: 'own', dialect: dialectId, value: part }
  }
}

/** An address, or what a data URL holds. */
function sourceOf(url: string): Source {
  const data = readDataUrl(url)
  return data ? { kind: 'data', ...data } : { kind: 'url', url }
}

function readImage(part: JsonObject): ImagePart {
  const id = textOrNull(part['file_id'])
  const url = textOf(part['image_url']) || textOf(objectOf(part['image_url'])['url'])
  const detail = textOrNull(part['detail'])
  const source: Source = id !== null && url === '' ? { kind: 'id', id } : sourceOf(url)
  return { kind: 'image', source, ...(detail !== null && detail !== 'auto' && { detail }) }
}

function readFile(part: JsonObject): FilePart {
  const name = textOrNull(part['filename'])
  return { kind: 'file', source: fileSource(part), ...(name !== null && { name }) }
}

function fileSource(part: JsonObject): Source {
  const data = textOf(part['file_data'])
  const url = textOf(part['file_url'])
  if (data !== '') return data.startsWith('data:') ? sourceOf(data) : { kind: 'data', data, mime: 'application/pdf' }
  return url === '' ? { kind: 'id', id: textOf(part['file_id']) } : sourceOf(url)
}

const readAudio = (audio: JsonObject): Part => ({
  kind: 'audio',
  source: { kind: 'data', data: textOf(audio['data']), mime: `audio/${textOf(audio['format']) || 'wav'}` },
})
