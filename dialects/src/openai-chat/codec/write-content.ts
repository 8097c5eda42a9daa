import type { JsonObject } from '../../json'
import type { FilePart, Part, Source } from '../../neutral/call'
import type { Warn } from '../../neutral/codec'

/** The parts of a message that is no answer. */
export const contentOf = (parts: readonly Part[], warn: Warn): JsonObject[] =>
  parts.flatMap((part) => {
    const content = writePart(part, warn)
    return content ? [{ ...content, ...markOf(part) }] : []
  })

/** A single plain text needs no list. */
export function plainContent(content: readonly JsonObject[]): unknown {
  const [only] = content
  const isPlain = content.length === 1 && only?.['type'] === 'text' && !('cache_control' in only)
  return isPlain ? only['text'] : content
}

function markOf(part: Part) {
  const cache = 'cache' in part ? part.cache : undefined
  return cache && { cache_control: { type: 'ephemeral', ...(cache === '1h' && { ttl: '1h' }) } }
}

function writePart(part: Part, warn: Warn): JsonObject | null {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? null : { type: 'text', text: part.text }
    case 'image': {
      const url = addressOf(part.source, 'image/png')
      if (url === null) break
      return { type: 'image_url', image_url: { url, ...(part.detail && { detail: part.detail }) } }
    }
    case 'video': {
      const url = addressOf(part.source, 'video/mp4')
      if (url === null) break
      return { type: 'video_url', video_url: { url } }
    }
    case 'audio':
      if (part.source.kind !== 'data') break
      return { type: 'input_audio', input_audio: { data: part.source.data, format: formatOf(part.source.mime) } }
    case 'file':
      return writeFile(part)
    case 'own':
      if (part.dialect !== 'openai-chat') break
      return part.value
    case 'thinking':
    case 'tool-call':
    case 'tool-result':
      return null
  }
  warn(part.kind === 'own' ? `a part of ${part.dialect}` : `a ${part.kind} that is kept elsewhere`)
  return null
}

const formatOf = (mime: string): string => mime.replace('audio/', '').replace('mpeg', 'mp3').replace('x-wav', 'wav')

function addressOf(source: Source, mime: string): string | null {
  if (source.kind === 'url') return source.url
  return source.kind === 'data' ? `data:${source.mime || mime};base64,${source.data}` : null
}

/** A text is a text; everything else goes as a file. */
function writeFile({ source, name, context }: FilePart): JsonObject {
  const named = name && { filename: name }
  if (source.kind === 'id') return { type: 'file', file: { file_id: source.id } }
  if (source.kind === 'data' && source.mime.startsWith('text/')) {
    const text = Buffer.from(source.data, 'base64').toString('utf8')
    return { type: 'text', text: [name, context, text].filter(Boolean).join('\n') }
  }
  const data = addressOf(source, 'application/pdf') ?? ''
  return { type: 'file', file: { file_data: data, ...(named || { filename: 'file.pdf' }) } }
}
