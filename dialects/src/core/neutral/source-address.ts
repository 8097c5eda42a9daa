import type { Source } from './call'

/** Returns an image as an address: a data URL where the request holds it. */
export function addressOf(source: Source): string {
  if (source.kind === 'data') return `data:${source.mime};base64,${source.data}`
  return source.kind === 'url' ? source.url : source.id
}
