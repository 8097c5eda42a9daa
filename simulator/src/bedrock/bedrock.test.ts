import { afterAll, beforeEach, expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'

import type { Json } from '../test/asking'
import { startSimulator } from '../simulator'

const simulator = await startSimulator()
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const signature =
  'Credential=AKSIM/20260101/us-east-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date, Signature=00'
const signed = { authorization: `AWS4-HMAC-SHA256 ${signature}`, 'x-amz-date': '20260101T000000Z' }
const request = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hello there' }],
}
const model = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

const invoke = (call: string, more: object = {}, id = model, headers: Record<string, string> = signed) =>
  fetch(`${simulator.url}/model/${encodeURIComponent(id)}/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...request, ...more }),
  })
const streamFrames = async (more?: object, id?: string) =>
  framesIn(Buffer.from(await (await invoke('invoke-with-response-stream', more, id)).arrayBuffer()))

interface Frame {
  readonly isSound: boolean
  readonly headers: Record<string, string>
  readonly payload: Json
}

/** Read as AWS describes it. */
function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const frame = bytes.subarray(at, at + bytes.readUInt32BE(at))
    const headersEnd = 12 + frame.readUInt32BE(4)
    frames.push({
      isSound:
        frame.readUInt32BE(8) === crc32(frame.subarray(0, 8)) &&
        frame.readUInt32BE(frame.length - 4) === crc32(frame.subarray(0, -4)),
      headers: headersIn(frame.subarray(12, headersEnd)),
      payload: JSON.parse(frame.toString('utf8', headersEnd, frame.length - 4)),
    })
  }
  return frames
}

function headersIn(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + bytes.readUInt8(at)
    expect(bytes.readUInt8(nameEnd)).toBe(7)
    const valueEnd = nameEnd + 3 + bytes.readUInt16BE(nameEnd + 1)
    headers[bytes.toString('utf8', at + 1, nameEnd)] = bytes.toString('utf8', nameEnd + 3, valueEnd)
    at = valueEnd
  }
  return headers
}

const eventOf = ({ payload }: Frame): Json => JSON.parse(Buffer.from(payload.bytes, 'base64').toString())

test('Bedrock responds with a whole message', async () => {
  const response = await invoke('invoke')
  expect(await response.json()).toMatchObject({
    type: 'message',
    model: 'claude-sonnet-4-5-20250929',
    usage: { input_tokens: 6, output_tokens: 8 },
  })
  expect(response.headers.get('x-amzn-bedrock-output-token-count')).toBe('8')
  expect(simulator.requests[0]).toMatchObject({ apiKey: 'AKSIM', model, isStream: false })
})

test('the events of a message in sound frames', async () => {
  const frames = await streamFrames()
  expect(frames.every(({ isSound }) => isSound)).toBe(true)
  expect(frames[0]?.headers).toEqual({
    ':event-type': 'chunk',
    ':content-type': 'application/json',
    ':message-type': 'event',
  })
  const events = frames.map(eventOf)
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    'content_block_start',
    ...Array(8).fill('content_block_delta'),
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  const text = events.map(({ delta }) => delta?.text ?? '').join('')
  expect(text).toBe((await (await invoke('invoke')).json()).content[0].text)
  expect(events.at(-1)['amazon-bedrock-invocationMetrics']).toMatchObject({ inputTokenCount: 6, outputTokenCount: 8 })
  expect(simulator.served.byKey('AKSIM')).toMatchObject({ completed: 2, completionTokens: 16 })
})

test.each([
  ['sim-fault-error-after-frames', 'internalServerException'],
  ['sim-fault-throttled-after-frames', 'throttlingException'],
  ['sim-fault-overloaded-after-frames', 'serviceUnavailableException'],
])('%s is an exception in the middle of the stream', async (id, name) => {
  const frames = await streamFrames({}, id)
  expect(frames).toHaveLength(4)
  expect(frames[3]).toMatchObject({
    isSound: true,
    headers: { ':exception-type': name, ':message-type': 'exception' },
    payload: { message: expect.any(String) },
  })
})

test('a malformed frame is one whose checksum is wrong', async () => {
  const frames = await streamFrames({}, 'sim-fault-malformed-frame')
  expect(frames.findIndex(({ isSound }) => !isSound)).toBe(3)
})

test.each([
  [{}, {}, 403, 'AccessDeniedException'],
  [{ authorization: 'AWS4-HMAC-SHA256 Credential=x' }, {}, 403, 'AccessDeniedException'],
  [{ authorization: 'Bearer key' }, { model: 'x' }, 400, 'ValidationException'],
  [{ authorization: 'Bearer key' }, { anthropic_version: undefined }, 400, 'ValidationException'],
  [{ authorization: 'Bearer sim-fault-status-429' }, {}, 429, 'ThrottlingException'],
])('a request with %j and %j is answered with %d', async (headers, more, status, type) => {
  const response = await invoke('invoke', more, model, headers)
  expect(response.status).toBe(status)
  expect(response.headers.get('x-amzn-errortype')).toStartWith(type)
  expect(await response.json()).toEqual({ message: expect.any(String) })
})

test('a key of the API does as well as a signature', async () => {
  expect((await invoke('invoke', {}, model, { authorization: 'Bearer bedrock-key' })).status).toBe(200)
})
