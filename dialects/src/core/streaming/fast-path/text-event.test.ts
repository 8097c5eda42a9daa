import { describe, expect, test } from 'bun:test'

import { textEventOf } from './text-event'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('the form of an event', () => {
  const event = 'data: {"id":"x","delta":{"content":"one"}}\n\n'

  /** The text of an event like `event`, which says «one»; null when it is not like it. */
  function textOf(other: string): string | null {
    const form = textEventOf(encode(event), 'one')
    const bytes = encode(`before${other}behind`)
    const [from, to] = [6, bytes.length - 6]
    return form?.isLike(bytes, from, to) ? decode(bytes.subarray(form.start, form.end)) : null
  }

  test('the form locates the text of events like it', () => {
    expect(textOf(event)).toBe('one')
    expect(textOf('data: {"id":"x","delta":{"content":"冰 other"}}\n\n')).toBe('冰 other')
  })

  test('skips what differs and tells nothing', () => {
    const encodePaddedEvent = (number: number, content: string, obfuscation: string) =>
      encode(`data: ${JSON.stringify({ sequence_number: number, delta: { content }, obfuscation })}\n\n`)
    const form = textEventOf(encodePaddedEvent(9, 'one', 'aX'), 'one')
    const other = encodePaddedEvent(10, 'other', '')
    expect(form?.isLike(other, 0, other.length)).toBe(true)
    expect(decode(other.subarray(form?.start, form?.end))).toBe('other')
    expect(form?.isLike(encodePaddedEvent(10, '', 'aX'), 0, encodePaddedEvent(10, '', 'aX').length)).toBe(false)
  })

  test('skips the usage so far, however it is spaced', () => {
    const encodeEventWithUsage = (text: string, count: string) =>
      encode(
        `data: {"parts": [{"text": "${text}"}],"usageMetadata": {"candidatesTokenCount": ${count},"totalTokenCount": 1${count}}}\n\n`,
      )
    const form = textEventOf(encodeEventWithUsage('one', '9'), 'one')
    const isLike = (other: Uint8Array) => form?.isLike(other, 0, other.length)
    expect(isLike(encodeEventWithUsage('other', '1234'))).toBe(true)
    expect(isLike(encodeEventWithUsage('other', '1.5'))).toBe(false)
    expect(isLike(encodeEventWithUsage('other', '-1'))).toBe(false)
  })

  test.each([
    ['has another member', 'data: {"id":"x","delta":{"content":"one"},"n":1}\n\n'],
    ['names another answer', 'data: {"id":"y","delta":{"content":"one"}}\n\n'],
    ['has an escape', 'data: {"id":"x","delta":{"content":"one\\n"}}\n\n'],
    ['has an escape at its end', 'data: {"id":"x","delta":{"content":"one\\"}}\n\n'],
    ['has another string', 'data: {"id":"x","delta":{"content":"one","a":"b"}}\n\n'],
    ['has two lines', 'data: {"id":"x","delta":{"content":"on\ne"}}\n\n'],
    ['says nothing', 'data: {"id":"x","delta":{"content":""}}\n\n'],
    ['is shorter than what surrounds the text', 'data: {"id":"x","delta":{"content":"}}\n\n'],
  ])('the text is not that of an event which %s', (_what, other) => {
    expect(textOf(other)).toBeNull()
  })

  test.each([
    ['nowhere', event, 'two'],
    ['twice', 'data: {"id":"one","delta":{"content":"one"}}\n\n', 'one'],
    ['beside escapes', 'data: {"id":"one","delta":{"content":"\\u006fne"}}\n\n', 'one'],
    ['empty', 'data: {"id":"","delta":{"content":"one"}}\n\n', ''],
  ])('an event is not known where the text stands %s', (_where, other, text) => {
    expect(textEventOf(encode(other), text)).toBeNull()
  })
})
