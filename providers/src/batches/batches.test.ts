import { expect, test } from 'bun:test'

import { anthropic } from '../vendors/anthropic'
import { azure } from '../vendors/azure'
import { openAi } from '../vendors/openai'
import { messageBatches } from './message-batches'
import { openAiBatches } from './openai-batches'
import { batchApiAt } from './vendor-batches'

const target = { baseUrl: 'https://host.example' }
const messages = messageBatches()
const files = openAiBatches(({ baseUrl }) => `${baseUrl}/v1`)

test.each([
  [
    { type: 'succeeded', message: { id: 'm' } },
    { kind: 'served', body: { id: 'm' } },
  ],
  [{ type: 'canceled' }, { kind: 'undone' }],
  [{ type: 'expired' }, { kind: 'undone' }],
  [
    { type: 'errored', error: { type: 'error', error: { type: 'overloaded_error', message: 'no' } } },
    { kind: 'failed', status: 529, body: { error: { message: 'no' } } },
  ],
  [
    { type: 'errored', error: { type: 'invalid_request_error', message: 'no' } },
    { kind: 'failed', status: 400, body: { type: 'error', error: { message: 'no' } } },
  ],
])('a result of Anthropic %j is read', (result, expected) =>
  expect(messages.readLine({ custom_id: 'a', result })).toMatchObject({ id: 'a', ...expected }),
)

test.each([
  [
    { response: { status_code: 200, body: { id: 'c' } }, error: null },
    { kind: 'served', body: { id: 'c' } },
  ],
  [
    { response: { status_code: 429, body: { error: {} } }, error: null },
    { kind: 'failed', status: 429 },
  ],
  [{ response: null, error: { code: 'batch_expired' } }, { kind: 'undone' }],
  [{ response: null, error: { code: 'batch_cancelled' } }, { kind: 'undone' }],
  [
    { response: null, error: { code: 'other', message: 'no' } },
    { kind: 'failed', status: 500 },
  ],
  [{ response: { status_code: 200, body: null } }, { kind: 'failed', status: 500 }],
])('a result of OpenAI %j is read', (line, expected) =>
  expect(files.readLine({ custom_id: 'a', ...line })).toMatchObject({ id: 'a', ...expected }),
)

test('results and batches of another shape are refused', () => {
  for (const api of [messages, files])
    for (const value of [null, [], {}, { custom_id: 'a', result: { type: 'new' } }, { id: 'a', status: 'new' }]) {
      if (api === messages) expect(() => api.readLine(value)).toThrow(TypeError)
      expect(() => api.read(value)).toThrow(TypeError)
    }
})

test('a batch is read in the words of its vendor', () => {
  const counts = { total: 3, completed: 1, failed: 1 }
  const batch = { id: 'b', status: 'finalizing', request_counts: counts, created_at: 5, input_file_id: 'f' }
  expect(files.read({ ...batch, output_file_id: 'o', error_file_id: null })).toEqual({
    id: 'b',
    state: 'running',
    succeeded: 1,
    failed: 1,
    total: 3,
    createdAt: 5000,
    inputId: 'f',
    resultIds: ['o'],
    reason: '',
  })
  const errors = { data: [{ message: 'line 1 is wrong' }] }
  expect(files.read({ ...batch, status: 'failed', errors })).toMatchObject({
    state: 'refused',
    reason: 'line 1 is wrong',
  })
  const request_counts = { processing: 2, succeeded: 1, errored: 0, canceled: 0, expired: 0 }
  expect(messages.read({ id: 'b', processing_status: 'canceling', request_counts, created_at: '' })).toMatchObject({
    state: 'running',
    succeeded: 1,
    total: 3,
  })
})

test('calls are written into the frame of the vendor', () => {
  const line = { id: 'x-1', path: '/v1/messages', body: '{"model":"m"}' }
  const { head, tail } = messages.frame('x')
  expect(JSON.parse(head + messages.writeLine(line) + tail)).toEqual({
    requests: [{ custom_id: 'x-1', params: { model: 'm' } }],
  })
  expect(JSON.parse(files.writeLine({ ...line, path: '/v1/embeddings' }))).toEqual({
    custom_id: 'x-1',
    method: 'POST',
    url: '/v1/embeddings',
    body: { model: 'm' },
  })
})

test('a channel has batches at the address of its vendor, or where it says so', () => {
  const at = (provider: typeof openAi, baseUrl: string, vendor_batches?: string) =>
    batchApiAt(provider, { baseUrl, setting: vendor_batches === undefined ? {} : { vendor_batches } }) !== undefined
  expect(at(openAi, 'https://api.openai.com')).toBe(true)
  expect(at(openAi, 'https://api.openai.com', 'off')).toBe(false)
  expect(at(openAi, target.baseUrl)).toBe(false)
  expect(at(openAi, target.baseUrl, 'on')).toBe(true)
  expect(at(anthropic, 'https://api.anthropic.com', 'auto')).toBe(true)
  expect(at(azure, 'https://mine.openai.azure.com/openai/v1', 'on')).toBe(true)
  expect(at(azure, 'https://mine.openai.azure.com', 'on')).toBe(false)
})
