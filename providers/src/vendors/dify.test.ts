import { describe, expect, test } from 'bun:test'

import { dify } from './dify'
import { describedBy } from './fixture'

const { collect } = describedBy(dify, { mode: 'chat' })
const collectText = (text: string) => Buffer.from(collect?.(new TextEncoder().encode(text)) ?? []).toString()
const stream = (...events: readonly object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

describe('a whole answer of Dify', () => {
  const messageEvent = { event: 'message', answer: 'Häfen' }
  const end = { event: 'message_end', metadata: {} }

  test('a stream becomes a list of the events that say something', () => {
    const noise = [{ event: 'ping' }, { event: 'node_finished', data: { outputs: { long: 'x' } } }]
    const text = `event: ping\n\n${stream(...noise, messageEvent, end)}`
    expect(JSON.parse(collectText(text))).toEqual({ events: [messageEvent, end] })
    expect(JSON.parse(collectText(text.replaceAll('\n', '\r\n')))).toEqual({ events: [messageEvent, end] })
  })

  test.each([
    { event: 'error', code: 'x', message: 'No' },
    { event: 'workflow_finished', data: {} },
    { event: 'workflow_paused', data: {} },
  ])('a stream may end with %j', (last) => expect(JSON.parse(collectText(stream(last)))).toEqual({ events: [last] }))

  test('nothing is left of a stream that was cut off', () => {
    expect(collectText(stream(messageEvent))).toBe('')
    expect(collectText(`${stream(messageEvent)}data: {"event":"message_e`)).toBe('')
  })

  test('a body that is not a stream stays as it is', () => {
    const body = '{"code":"unauthorized","message":"No"}'
    expect(collectText(body)).toBe(body)
  })
})
