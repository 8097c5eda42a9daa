import { expect, test } from 'bun:test'

import { writeToolId } from '../anthropic-messages/tool-ids'
import { carryThoughts } from '../gemini/carried-thoughts'
import { sealId, withoutSealedReasoning } from './sealed-thoughts'
import { objectNames } from './stored-objects'

const expectSealed = (id: string) => [expect.objectContaining({ id, isRedundant: true, isSealed: true })]
const hi = { type: 'message', role: 'user', content: 'hi' }
const user = { role: 'user', content: 'hi' }
const gemini = { role: 'user', parts: [{ text: 'hi' }] }
const reasoning = (text: string) => ({ type: 'reasoning', id: `rs_${text}`, summary: [], encrypted_content: text })
const signedId = writeToolId('call_1', 'sig')
const call = { name: 'f', args: {} }

/** Client, request with reasoning that an account sealed as `sig` or `gAAAAB`, and the request without it. */
const carried: readonly (readonly [client: string, body: object, seal: string, without: object])[] = [
  ['Responses', { input: [reasoning('gA'), hi, reasoning('gAAAAB'), hi] }, 'gAAAAB', { input: [hi, hi] }],
  [
    'Responses, in the id of a call',
    {
      input: [
        { type: 'function_call', call_id: signedId, name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: signedId, output: 'x' },
      ],
    },
    'sig',
    {
      input: [
        { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'x' },
      ],
    },
  ],
  [
    'Messages',
    {
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'a', signature: 'gAAAAB' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    },
    'gAAAAB',
    { messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'b' }] }] },
  ],
  [
    'Messages, without words',
    { messages: [user, { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'gAAAAB' }] }] },
    'gAAAAB',
    { messages: [user, { role: 'assistant', content: [] }] },
  ],
  [
    'Messages, in the id of a call',
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: signedId, name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: signedId, content: 'x' }] },
      ],
    },
    'sig',
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'x' }] },
      ],
    },
  ],
  [
    'Chat',
    {
      messages: [
        user,
        { role: 'assistant', content: 'b', reasoning_details: [{ type: 'reasoning.encrypted', data: 'gAAAAB' }] },
      ],
    },
    'gAAAAB',
    { messages: [user, { role: 'assistant', content: 'b' }] },
  ],
  [
    'Chat, at a call',
    {
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', function: { name: 'f' }, extra_content: { google: { thought_signature: 'sig' } } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    },
    'sig',
    {
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    },
  ],
  [
    'Gemini, at a call and at a text',
    {
      contents: [
        gemini,
        {
          role: 'model',
          parts: [
            { text: 'a', thoughtSignature: 'one' },
            { functionCall: call, thoughtSignature: 'sig' },
          ],
        },
      ],
    },
    'sig',
    {
      contents: [
        gemini,
        {
          role: 'model',
          parts: [{ text: 'a' }, { functionCall: call, thoughtSignature: 'skip_thought_signature_validator' }],
        },
      ],
    },
  ],
  [
    "Gemini, another vendor's in the signature of a call",
    {
      contents: [
        {
          role: 'model',
          parts: [{ functionCall: call, thoughtSignature: carryThoughts([{ text: 'a', signature: 'gAAAAB' }]) }],
        },
      ],
    },
    'gAAAAB',
    {
      contents: [
        { role: 'model', parts: [{ functionCall: call, thoughtSignature: 'skip_thought_signature_validator' }] },
      ],
    },
  ],
]

test.each(carried)(
  '%s: the latest sealed reasoning of a request is found, and can be left out',
  (_client, body, seal, without) => {
    expect(objectNames({ ...body })).toEqual(expectSealed(seal))
    expect(withoutSealedReasoning({ ...body })).toEqual({ ...without })
    expect(objectNames({ ...without })).toEqual([])
  },
)

test('what holds the conversation is found as sealed, and stays', () => {
  const compaction = { type: 'compaction', encrypted_content: 'gC' }
  expect(objectNames({ input: [compaction, hi] })).toEqual(expectSealed('gC'))
  expect(withoutSealedReasoning({ input: [compaction, hi] })).toEqual({ input: [compaction, hi] })
})

test.each<[string, object]>([
  [
    'what Claude signed, which each of its accounts reads',
    { messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'EqQBsig' }] }] },
  ],
  [
    'ids of calls without a signature',
    {
      messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1' }] }],
      input: [{ call_id: 'call_1' }],
    },
  ],
  [
    'what stands in place of a signature',
    { contents: [{ parts: [{ functionCall: call, thoughtSignature: 'skip_thought_signature_validator' }] }] },
  ],
  [
    'what Claude signed, in the signature of a call',
    {
      contents: [
        { parts: [{ functionCall: call, thoughtSignature: carryThoughts([{ text: 'a', signature: 'EqQBsig' }]) }] },
      ],
    },
  ],
  [
    'arguments of tools',
    { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', input: { signature: 'gAAAAB' } }] }] },
  ],
])('%s leads to no account', (_what, body) => {
  expect(objectNames({ ...body })).toEqual([])
})

test('a signature is the same in both alphabets of base64', () => {
  const idsOf = (thoughtSignature: string) =>
    objectNames({ contents: [{ role: 'model', parts: [{ text: 'a', thoughtSignature }] }] }).map(({ id }) => id)
  expect(idsOf('ab-_cd==')).toEqual(idsOf('ab+/cd=='))
  expect(idsOf('ab+/cd==')).toEqual([sealId('ab+/cd==')])
})
