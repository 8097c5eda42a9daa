import type { JsonObject } from '../../../core/json'
import type { FilePart, Message, Part, Source } from '../../../core/neutral/call'
import { partLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { dialectId } from '../name'
import { writeAnnotation } from '../citations'

/** A part of a message's content, or of what a tool answered; none where the dialect cannot say it. */
export function writePart(part: Part, role: Message['role'], warn: Warn): JsonObject[] {
  const isAnswer = role === 'assistant'
  switch (part.kind) {
    case 'text': {
      if (part.text === '') return []
      if (!isAnswer) return [{ type: 'input_text', text: part.text }]
      const annotations = (part.citations ?? []).flatMap(
        (citation) => writeAnnotation(citation, part.text.length) ?? [],
      )
      return [{ type: 'output_text', text: part.text, ...(annotations.length > 0 && { annotations }) }]
    }
    case 'refusal':
      return [isAnswer ? { type: 'refusal', refusal: part.text } : { type: 'input_text', text: part.text }]
    case 'image': {
      if (isAnswer) break
      const { source, detail = 'auto' } = part
      const place = source.kind === 'id' ? { file_id: source.id } : { image_url: addressOf(source, 'image/png') }
      return [{ type: 'input_image', ...place, detail }]
    }
    case 'file':
      if (isAnswer) break
      return writeFile(part)
    case 'audio': {
      const { source } = part
      if (isAnswer || source.kind !== 'data') break
      return [{ type: 'input_audio', input_audio: { data: source.data, format: formatOf(source.mime) } }]
    }
    case 'own':
      if (part.dialect !== dialectId) break
      return [part.value]
    default:
  }
  warn(part.kind === 'own' ? partLabel(part) : `${part.kind} content of the ${role}`)
  return []
}

const formatOf = (mime: string): string => mime.replace('audio/', '').replace('mpeg', 'mp3').replace('x-wav', 'wav')

const addressOf = (source: Exclude<Source, { kind: 'id' }>, mime: string): string =>
  source.kind === 'url' ? source.url : `data:${source.mime || mime};base64,${source.data}`

/** A text is a text; everything else goes as a file. */
function writeFile({ source, name, context }: FilePart): JsonObject[] {
  if (source.kind === 'data' && source.mime.startsWith('text/')) {
    const text = Buffer.from(source.data, 'base64').toString('utf8')
    return [{ type: 'input_text', text: [name, context, text].filter(Boolean).join('\n') }]
  }
  const file =
    source.kind === 'id'
      ? { file_id: source.id }
      : source.kind === 'url'
        ? { file_url: source.url }
        : { filename: name || 'file.pdf', file_data: addressOf(source, 'application/pdf') }
  return [...(context ? [{ type: 'input_text', text: context }] : []), { type: 'input_file', ...file }]
}

/** Followers understand nothing as well as a plain text. */
export function plain(content: readonly JsonObject[]): unknown {
  const [only] = content
  const isPlain = content.length === 1 && only && 'text' in only && !('annotations' in only)
  return isPlain ? only['text'] : content
}
