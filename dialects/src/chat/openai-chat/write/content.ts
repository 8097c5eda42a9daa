import type { JsonObject } from '../../../core/json'
import type { FilePart, Part, Source } from '../../../core/neutral/call'
import { partLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { textOf } from '../../../core/neutral/read'
import { isMarked, writeCache } from '../cache-mark'
import type { ChatTraits } from '../models'

/** The parts of a message that is not the model's. */
export const contentOf = (parts: readonly Part[], traits: ChatTraits, warn: Warn): JsonObject[] =>
  parts.flatMap((part) => {
    const content = writePart(part, traits, warn)
    const last = content.at(-1)
    return last ? [...content.slice(0, -1), { ...last, ...('cache' in part && writeCache(part, traits)) }] : []
  })

/** Plain texts need no list, and some vendors take none but from the user. */
export function plainContent(content: readonly JsonObject[], between?: string): unknown {
  const isPlain = content.every((part) => part['type'] === 'text' && !isMarked(part))
  if (!isPlain || (content.length !== 1 && between === undefined)) return content
  return content.map((part) => textOf(part['text'])).join(between)
}

function writePart(part: Part, traits: ChatTraits, warn: Warn): JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image': {
      const url = addressOf(part.source, 'image/png')
      if (url === null) break
      return [{ type: 'image_url', image_url: { url, ...(part.detail && { detail: part.detail }) } }]
    }
    case 'video': {
      const url = addressOf(part.source, 'video/mp4')
      if (url === null || traits.isOpenAi) break
      return [{ type: 'video_url', video_url: { url } }]
    }
    case 'audio':
      if (part.source.kind !== 'data') break
      return [{ type: 'input_audio', input_audio: { data: part.source.data, format: formatOf(part.source.mime) } }]
    case 'file':
      if (part.source.kind === 'url' && traits.isOpenAi) break
      return writeFile(part)
    case 'own':
      if (part.dialect !== 'openai-chat') break
      return [part.value]
    case 'thinking':
    case 'tool-call':
    case 'tool-result':
      return []
  }
  warn(part.kind === 'own' ? partLabel(part) : `${part.kind} content that cannot be sent along`)
  return []
}

const formatOf = (mime: string): string => mime.replace('audio/', '').replace('mpeg', 'mp3').replace('x-wav', 'wav')

function addressOf(source: Source, mime: string): string | null {
  if (source.kind === 'url') return source.url
  return source.kind === 'data' ? `data:${source.mime || mime};base64,${source.data}` : null
}

/** A text is a text; everything else goes as a file. */
function writeFile({ source, name, context }: FilePart): JsonObject[] {
  if (source.kind === 'data' && source.mime.startsWith('text/')) {
    const text = Buffer.from(source.data, 'base64').toString('utf8')
    return [{ type: 'text', text: [name, context, text].filter(Boolean).join('\n') }]
  }
  const file =
    source.kind === 'id'
      ? { file_id: source.id }
      : { file_data: addressOf(source, 'application/pdf'), filename: name || 'file.pdf' }
  return [...(context ? [{ type: 'text', text: context }] : []), { type: 'file', file }]
}
