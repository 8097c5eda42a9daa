import { expect, test } from 'bun:test'

import { geminiCodec } from '../../gemini/codec'
import type { JsonObject } from '../../../core/json'
import { aCall } from '../../../core/neutral/test/fixtures'
import { objectsOf } from '../../../core/neutral/read'
import { plainOptions } from '../../../translation/test/answers'
import { anthropicMessagesCodec } from '../codec'

const writeBlockTypes = (parts: readonly JsonObject[]) => {
  const events = geminiCodec.readAnswer({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })
  const { content } = anthropicMessagesCodec.writeAnswer(events, { ...plainOptions, call: aCall({}) })
  return objectsOf(content).map(({ type }) => type)
}
const thought = { text: 'hm', thought: true }
const signed = { text: '', thoughtSignature: 'c2ln' }
const call = { functionCall: { name: 'f', args: {} } }

test.each<[string, readonly JsonObject[], string[]]>([
  ['no message ends with a cipher behind its words', [thought, { text: 'Hi' }, signed], ['thinking', 'text']],
  [
    'a cipher behind words is told with the call that follows',
    [{ text: 'Hi' }, signed, call],
    ['text', 'redacted_thinking', 'tool_use'],
  ],
  ['a cipher before words is told', [signed, { text: 'Hi' }], ['redacted_thinking', 'text']],
])('signatures of Gemini become sealed thoughts: %s', (_what, parts, types) => {
  expect(writeBlockTypes(parts)).toEqual(types)
})
