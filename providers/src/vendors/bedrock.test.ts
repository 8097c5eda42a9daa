import { describe, expect, test } from 'bun:test'

import { eventMessage } from '../event-stream.fixture'
import { regionOf, authorizeBedrock } from './bedrock-auth'
import { bedrockId } from './bedrock-models'
import { BedrockUnframer, unpackEvent } from './bedrock-unframer'
import { aTarget } from './fixture'

const tools = {
  fetch: () => Promise.reject(new Error('Nothing is fetched')),
  now: () => Date.UTC(2026, 2, 15, 10),
}

const host = 'https://bedrock-runtime.us-east-1.amazonaws.com'
const request = {
  url: `${host}/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke`,
  headers: { accept: 'application/json' },
  body: '{"a":1}',
}

describe('a call to Bedrock', () => {
  test('a request is signed over its URL and its body', async () => {
    // What the vendor's own library (botocore) makes of the same request.
    const signature = 'c15ddb0a65154aee509de7fae5f088fa9aff4e7596c6a0732905153375788b94'
    const { headers } = await authorizeBedrock(request, aTarget({ key: 'AK1|sk/1|us-east-1' }), tools)
    expect(headers).toEqual({
      'x-amz-date': '20260315T100000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AK1/20260315/us-east-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    })
  })

  test('carries a key of its own where the channel has one', async () => {
    const target = aTarget({ key: 'ABSK123|eu-west-1' })
    expect(await authorizeBedrock(request, target, tools)).toEqual({ headers: { authorization: 'Bearer ABSK123' } })
  })

  test.each(['', 'AK1', 'AK1|sk1', 'AK1|sk1|', 'AK1||us-east-1', '|us-east-1', 'a|b|c|us-east-1', 'a|b|x.example/'])(
    'is not made with the key %p',
    async (key) => {
      expect(regionOf({ key })).toBe('')
      const refusal: unknown = await authorizeBedrock(request, aTarget({ key }), tools).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(TypeError)
      expect(String(refusal)).not.toContain('sk1')
    },
  )
})

test.each([
  ['claude-3-5-sonnet-20241022', 'us-east-1', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
  ['claude-3-5-sonnet-20241022', 'eu-west-1', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
  ['claude-3-7-sonnet-20250219', 'ap-northeast-1', 'apac.anthropic.claude-3-7-sonnet-20250219-v1:0'],
  ['claude-sonnet-4-6', 'ap-northeast-1', 'jp.anthropic.claude-sonnet-4-6'],
  ['claude-opus-4-6', 'ap-southeast-2', 'au.anthropic.claude-opus-4-6-v1'],
  ['claude-opus-4-6', 'ap-south-1', 'global.anthropic.claude-opus-4-6-v1'],
  ['claude-opus-4-6', 'sa-east-1', 'global.anthropic.claude-opus-4-6-v1'],
  ['claude-3-haiku-20240307', 'us-gov-west-1', 'anthropic.claude-3-haiku-20240307-v1:0'],
  ['claude-opus-5-5', 'us-west-2', 'us.anthropic.claude-opus-5-5'],
  ['claude-opus-5-5', 'eu-central-1', 'global.anthropic.claude-opus-5-5'],
  ['claude-haiku-6-1', 'us-east-1', 'global.anthropic.claude-haiku-6-1'],
  ['openai.gpt-oss-120b-1:0', 'us-east-1', 'openai.gpt-oss-120b-1:0'],
  ['claude-2.1', 'us-east-1', 'anthropic.claude-v2:1'],
  ['eu.anthropic.claude-new-v9:0', 'us-east-1', 'eu.anthropic.claude-new-v9:0'],
])('%s in %s is %s', (model, region, id) => expect(bedrockId(model, region)).toBe(id))

describe("Bedrock's stream", () => {
  const chunk = (event: object) =>
    eventMessage(
      { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
      JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcd' }),
    )
  const exception = (name: string, body: string) =>
    eventMessage({ ':exception-type': name, ':message-type': 'exception' }, body)
  const unframe = (...messages: readonly Uint8Array[]) => {
    const unframer = new BedrockUnframer(unpackEvent)
    return Buffer.concat([...messages.map((message) => unframer.push(message)), unframer.end()]).toString()
  }
  const error = (type: string, message: string) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`

  test("becomes that of Claude's own API", () => {
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Häfen\nfrieren' } }
    expect(unframe(chunk({ type: 'ping' }), chunk(delta))).toBe(
      `event: ping\ndata: {"type":"ping"}\n\nevent: content_block_delta\ndata: ${JSON.stringify(delta)}\n\n`,
    )
  })

  test.each([
    ['throttlingException', '{"message":"Too many tokens"}', 'rate_limit_error', 'Too many tokens'],
    ['validationException', '{"Message":"Bad"}', 'invalid_request_error', 'Bad'],
    ['modelStreamErrorException', '{}', 'api_error', 'modelStreamErrorException'],
    ['serviceUnavailableException', '<html>', 'overloaded_error', 'serviceUnavailableException'],
  ])('tells of %s %s', (name, body, type, message) => {
    expect(unframe(chunk({ type: 'ping' }), exception(name, body))).toEndWith(error(type, message))
  })

  test('tells of an error of the transport', () => {
    const message = eventMessage(
      { ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'Gone' },
      '',
    )
    expect(unframe(message)).toBe(error('api_error', 'Gone'))
  })

  test('ends in an error where it is damaged, and reads nothing after that', () => {
    const damaged = chunk({ type: 'ping' }).slice()
    damaged[20] = 0
    expect(unframe(chunk({ type: 'ping' }), damaged, chunk({ type: 'ping' }))).toBe(
      `event: ping\ndata: {"type":"ping"}\n\n${error('api_error', 'A message is damaged')}`,
    )
    expect(unframe(eventMessage({ ':event-type': 'chunk', ':message-type': 'event' }, '{"bytes":"e30="}'))).toBe(
      error('api_error', 'A message holds no event'),
    )
  })

  test('passes over messages it does not know, and what was cut off', () => {
    expect(unframe(eventMessage({ ':event-type': 'later', ':message-type': 'event' }, '{}'))).toBe('')
    expect(unframe(chunk({ type: 'ping' }).subarray(0, 40))).toBe('')
  })
})
