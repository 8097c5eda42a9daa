import { expect, test } from 'bun:test'

import { anthropic } from '../vendors/anthropic'
import { azure } from '../vendors/azure'
import { bedrock as amazonBedrock } from '../vendors/bedrock'
import { gemini as google } from '../vendors/gemini'
import { openAi } from '../vendors/openai'
import { messageBatches } from './message-batches'
import { mistralBatches } from './mistral-batches'
import { openAiBatches } from './openai-batches'
import { batchApiAt } from './vendor-batches'

const target = { baseUrl: 'https://host.example', other: '', key: 'k' }
const messages = messageBatches()
const files = openAiBatches(({ baseUrl }) => `${baseUrl}/v1`)
const mistral = mistralBatches()
const gemini = batchApiAt(google, { ...target, setting: { vendor_batches: 'on' } }) ?? messages

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
  expect(messages.readLine({ custom_id: 'a', result }, 'n')).toMatchObject({ id: 'a', ...expected }),
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
  expect(files.readLine({ custom_id: 'a', ...line }, 'n')).toMatchObject({ id: 'a', ...expected }),
)

test.each([
  [{ response: { candidates: [] } }, { kind: 'served', body: { candidates: [] } }],
  [{ error: { code: 3, message: 'no' } }, { kind: 'failed', status: 400, body: { error: { message: 'no' } } }],
  [{ error: { code: 429, message: 'no' } }, { kind: 'failed', status: 429 }],
  [{ error: { message: 'no' } }, { kind: 'failed', status: 500 }],
  [{ error: { code: 1, message: 'cancelled' } }, { kind: 'undone' }],
])('a result of Google %j is read', (line, expected) =>
  expect(gemini.readLine({ key: 'a', ...line }, 'n')).toMatchObject({ id: 'a', ...expected }),
)

test.each([
  ['QUEUED', [null, null], 'running'],
  ['CANCELLATION_REQUESTED', [null, null], 'running'],
  ['SUCCESS', ['o', 'e'], 'ended'],
  ['TIMEOUT_EXCEEDED', ['o', null], 'ended'],
  ['FAILED', [null, null], 'refused'],
  // What was made before it failed is paid for.
  ['FAILED', ['o', null], 'ended'],
])('a job of Mistral that is %s with results %j is read', (status, [output, error], state) => {
  const counts = { total_requests: 3, succeeded_requests: 2, failed_requests: 1 }
  const job = { id: 'j', input_files: ['f'], status, ...counts, created_at: 5, output_file: output, error_file: error }
  expect(mistral.read({ ...job, errors: [{ message: 'no', count: 1 }] })).toMatchObject({
    id: 'j',
    state,
    succeeded: 2,
    failed: 1,
    total: 3,
    createdAt: 5000,
    inputId: 'f',
    resultIds: [output, error].filter((id) => typeof id === 'string'),
    reason: 'no',
  })
})

test.each([
  ['BATCH_STATE_PENDING', 'running'],
  ['JOB_STATE_RUNNING', 'running'],
  ['BATCH_STATE_SUCCEEDED', 'ended'],
  ['BATCH_STATE_EXPIRED', 'ended'],
  ['BATCH_STATE_FAILED', 'refused'],
])('a batch of Google that is %s is read', (state, expected) => {
  const batchStats = { requestCount: '3', successfulRequestCount: '2' }
  const metadata = { displayName: 'mine', state, batchStats, createTime: '1970-01-01T00:00:05Z' }
  const response = { responsesFile: 'files/r' }
  expect(gemini.read({ name: 'batches/1', metadata, response, error: { message: 'no' } })).toMatchObject({
    id: 'batches/1',
    name: 'mine',
    state: expected,
    succeeded: 2,
    failed: 0,
    total: 3,
    createdAt: 5000,
    inputId: '',
    resultIds: ['files/r'],
    reason: 'no',
  })
})

test('files, batches and results of Google have addresses of their own', () => {
  const batch = { id: 'batches/1', inputId: 'files/a', resultIds: ['files/r'] }
  expect([
    gemini.sendTo({ ...target, other: 'v1' }, 'n'),
    gemini.files?.create({ id: 'f', path: '', name: 'n', model: 'gemini-2.5-pro-thinking-128' }, target).url,
    ...[...gemini.results(batch, target), ...gemini.remove(batch, target)].map(({ url }) => url),
  ]).toEqual([
    'https://host.example/upload/v1/files',
    // What stands behind the name is said in each call.
    'https://host.example/v1beta/models/gemini-2.5-pro:batchGenerateContent',
    'https://host.example/download/v1beta/files/r:download?alt=media',
    'https://host.example/v1beta/batches/1',
    'https://host.example/v1beta/files/a',
    'https://host.example/v1beta/files/r',
  ])
})

const setting = { vendor_batches: 'on', batch_bucket: 's3://ours/a folder/', batch_role: 'arn:aws:iam::1:role/r' }
const amazon = { baseUrl: amazonBedrock.baseUrl ?? '', other: '', key: 'AK|secret|us-east-1', setting }
const bedrock = batchApiAt(amazonBedrock, amazon) ?? messages

test('jobs and objects of Bedrock are in the region of the key', () => {
  const name = 'batch_a1'
  const inputId = bedrock.files?.readId(null, name) ?? ''
  const job = { id: 'abc', inputId, resultIds: [`abc/${inputId}.out`] }
  const model = 'claude-opus-4-6'
  expect(bedrock.files?.create({ id: inputId, path: 'InvokeModel', name, model }, amazon)).toMatchObject({
    url: 'https://bedrock.us-east-1.amazonaws.com/model-invocation-job',
    body: {
      jobName: 'batch-a1',
      clientRequestToken: 'batch-a1',
      modelId: 'us.anthropic.claude-opus-4-6-v1',
      inputDataConfig: { s3InputDataConfig: { s3Uri: 's3://ours/a folder/batch-a1.jsonl' } },
      outputDataConfig: { s3OutputDataConfig: { s3Uri: 's3://ours/a folder/' } },
    },
  })
  const root = 'https://s3.us-east-1.amazonaws.com/ours/a%20folder'
  expect([
    bedrock.sendTo(amazon, name),
    ...[...bedrock.results(job, amazon), ...bedrock.remove(job, amazon)].map(({ url }) => url),
  ]).toEqual(
    [
      'batch-a1.jsonl',
      'abc/batch-a1.jsonl.out',
      'batch-a1.jsonl',
      'abc/batch-a1.jsonl.out',
      'abc/manifest.json.out',
    ].map((path) => `${root}/${path}`),
  )
  expect([bedrock.takesKey?.(amazon.key), bedrock.takesKey?.('api-key|us-east-1')]).toEqual([true, false])
  for (const missing of ['batch_bucket', 'batch_role'])
    expect(batchApiAt(amazonBedrock, { ...amazon, setting: { ...setting, [missing]: '' } })).toBeUndefined()
})

test.each([
  [{ modelOutput: { id: 'm' } }, { kind: 'served', body: { id: 'm' } }],
  [{ error: { errorCode: 400, errorMessage: 'no' } }, { kind: 'failed', status: 400, body: { message: 'no' } }],
  [{ error: { errorMessage: 'no' } }, { kind: 'failed', status: 500 }],
])('a result of Bedrock %j is read', (line, expected) => {
  const written: unknown = JSON.parse(bedrock.writeLine({ id: 'batch_a1-12', path: 'InvokeModel', body: '{}' }))
  expect(written).toEqual({ recordId: 'L0000000012', modelInput: {} })
  expect(bedrock.readLine({ recordId: 'L0000000012', ...line }, 'batch_a1')).toMatchObject({
    id: 'batch_a1-12',
    ...expected,
  })
})

test.each([
  [undefined, 'running', false],
  ['Stopping', 'running', false],
  ['Completed', 'ended', false],
  ['Stopped', 'ended', true],
  ['PartiallyCompleted', 'ended', true],
  ['Failed', 'refused', false],
])('a job of Bedrock that is %s is read', (status, state, isCutShort) => {
  const inputDataConfig = { s3InputDataConfig: { s3Uri: 's3://ours/f/batch-a1.jsonl' } }
  const counts = { totalRecordCount: 3, successRecordCount: 2, errorRecordCount: 1 }
  const job = { jobArn: 'arn:aws:bedrock:us-east-1:1:model-invocation-job/abc', status, inputDataConfig, ...counts }
  expect<object>(bedrock.read({ ...job, message: 'no', submitTime: '1970-01-01T00:00:05Z' })).toEqual({
    id: 'abc',
    name: '',
    state,
    succeeded: 2,
    failed: 1,
    total: 3,
    createdAt: 5000,
    inputId: 'batch-a1.jsonl',
    resultIds: state === 'ended' ? ['abc/batch-a1.jsonl.out'] : [],
    reason: 'no',
    isCutShort,
  })
})

test('results and batches of another shape are refused', () => {
  for (const api of [messages, files, mistral, gemini, bedrock])
    for (const value of [
      null,
      [],
      {},
      { custom_id: 'a', result: { type: 'new' } },
      { id: 'a', status: 'new' },
      { id: 'a\0', status: 'completed', processing_status: 'ended' },
      { id: 'a'.repeat(300), status: 'SUCCESS', processing_status: 'ended' },
    ]) {
      if (api === messages) expect(() => api.readLine(value, 'n')).toThrow(TypeError)
      expect(() => api.read(value)).toThrow(TypeError)
    }
})

test('a batch is read in the words of its vendor', () => {
  const counts = { total: 3, completed: 1, failed: 1 }
  const batch = { id: 'b', status: 'finalizing', request_counts: counts, created_at: 5, input_file_id: 'f' }
  expect(files.read({ ...batch, output_file_id: 'o', error_file_id: null })).toEqual({
    id: 'b',
    name: '',
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

test.each([Infinity, NaN, -1e300, 1.5, 2 ** 60, null])('a count of %p in a batch is read as 0', (count) => {
  const request_counts = { total: count, completed: count, failed: 1, processing: count, succeeded: count, errored: 1 }
  const batch = { id: 'b', status: 'in_progress', processing_status: 'in_progress', request_counts, created_at: count }
  expect(files.read(batch)).toMatchObject({ succeeded: 0, failed: 1, total: 0, createdAt: 0 })
  expect(messages.read({ ...batch, created_at: '' })).toMatchObject({ succeeded: 0, failed: 1, total: 1 })
  const counts = { total_requests: count, succeeded_requests: count, failed_requests: 1 }
  expect(mistral.read({ ...batch, ...counts, status: 'RUNNING' })).toMatchObject({ succeeded: 0, failed: 1, total: 0 })
  const batchStats = { requestCount: String(count), successfulRequestCount: String(count), failedRequestCount: '1' }
  const metadata = { state: 'BATCH_STATE_RUNNING', batchStats }
  expect(gemini.read({ name: 'batches/1', metadata })).toMatchObject({ succeeded: 0, failed: 1, total: 0 })
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
