import type { ServerEvent } from '../neutral/codec'

const wholeEvent = /^(?:event: ?([^\r\n]*)(?:\r\n|\r|\n))?data: ?([^\r\n]*)[\r\n]*$/

/**
 * The name and the data of one server-sent event; null for a comment.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function serverEvent(text: string): ServerEvent | null {
  const plain = wholeEvent.exec(text)
  if (plain) return { name: plain[1] ?? '', data: plain[2] ?? '' }
  let name = ''
  const data: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
  }
  return data.length === 0 ? null : { name, data: data.join('\n') }
}
