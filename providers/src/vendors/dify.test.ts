import { describe, expect, test } from 'bun:test'

import { dify } from './dify'
import { describedBy } from './fixture'

const { collect } = describedBy(dify, { mode: 'chat' })
const collected = (text: string) => Buffer.from(collect?.(new TextEncoder().encode(text)) ?? []).toString()
const stream = (...events: readonly object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

describe('a whole answer of Dify', () => {
  const said = { event: 'message', answer: 'Häfen' }
  const end = { event: 'message_end', metadata: {} }

  test('a stream becomes a list of the events that say something', () => {
    const noise = [{ event: 'ping' }, { event: 'node_finished', data: { outputs: { long: 'x' } } }]
    const text = `event: ping\n\n${stream(...noise, said, end)}`
    expect(JSON.parse(collected(text))).toEqual({ events: [said, end] })
    expect(JSON.parse(collected(text.replaceAll('\n', '\r\n')))).toEqual({ events: [said, end] })
  })

  test.each([
    { event: 'error', code: 'x', message: 'No' },
    { event: 'workflow_finished', data: {} },
  ])('a stream may end with %j', (last) => expect(JSON.parse(collected(stream(last)))).toEqual({ events: [last] }))

  test('nothing is left of a stream that was cut off', () => {
    expect(collected(stream(said))).toBe('')
    expect(collected(`${stream(said)}data: {"event":"message_e`)).toBe('')
  })

  test('a body that is not a stream stays as it is', () => {
    const body = '{"code":"unauthorized","message":"No"}'
    expect(collected(body)).toBe(body)
  })
})
