import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { isObject, type JsonObject } from '../core/json'
import { readClientEvent, textsOfClientEvent } from '../realtime/openai-realtime/client-events'
import { readSessionReport } from '../realtime/openai-realtime/server-events'
import { sessionFacts, usualSession } from '../realtime/openai-realtime/session-facts'
import { sessionTranslation } from './session-translation'

const names = `type session audio input output item content response usage tools delta
serverContent modelTurn parts inlineData data text toolCall functionCalls args
usageMetadata setupComplete turnComplete interrupted inputTranscription image_url role`.split(/\s/)
const types = `session.update session.created response.create response.created response.done error
conversation.item.create input_audio_buffer.append input_audio_buffer.commit response.audio.delta`.split(/\s/)
/** Objects with the members of the protocols, holding anything. */
const anything = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...types, 'AAAA', 'data:image/png;base64,AAAA', true, null, 1, -1, Infinity),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
})).object
const event = fc.tuple(fc.constantFrom(...types), anything).map(([type, members]) => ({ ...members, type }))

const newId = (prefix: string) => `${prefix}1`

describe.each(['dashscope-realtime', 'gemini-live'] as const)('a session in %s', (dialect) => {
  test('survives whatever either side sends, and makes only JSON of it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), event), { maxLength: 8 }), (messages) => {
        const session = sessionTranslation(dialect, { model: 'gemini-2.5-flash', newId })
        for (const [isClients, message] of messages) {
          const translated = isClients ? session?.fromClient(message) : session?.fromUpstream(JSON.stringify(message))
          for (const text of [...(translated?.toClient ?? []), ...(translated?.toUpstream ?? [])])
            expect(isObject(JSON.parse(text))).toBe(true)
        }
      }),
    )
  })
})

test('whatever an upstream or a client sends can be read', () => {
  fc.assert(
    fc.property(event, (message) => {
      const text = JSON.stringify(message)
      readSessionReport(text)
      readClientEvent(text)
      textsOfClientEvent(message)
      sessionFacts(message, usualSession)
    }),
  )
  for (const text of ['', 'null', '[]', '{', '{"type":1}', '{"type":"response.done"}'])
    expect([readSessionReport(text)?.kind ?? null, readClientEvent(text).kind]).toBeArray()
})

test('audio is recognised without parsing only where nothing else can be in its message', () => {
  const audio = (text: string) => readClientEvent(text).kind === 'audio'
  expect(audio('{"type":"input_audio_buffer.append","audio":"AAAA"}')).toBe(true)
  expect(audio(' { "event_id" : "e" , "type" : "input_audio_buffer.append" , "audio" : "AA==" } ')).toBe(true)
  expect(audio('{"type":"input_audio_buffer.append","audio":"AAAA","type":"session.update"}')).toBe(false)
  expect(audio('{"type":"input_audio_buffer.append","audio":"AA\\u0041A"}')).toBe(true)
  expect(audio('{"event_id":"\n","type":"input_audio_buffer.append","audio":"AAAA"}')).toBe(false)
})
