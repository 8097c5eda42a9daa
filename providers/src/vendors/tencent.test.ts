import { describe, expect, test } from 'bun:test'

import { aTarget } from './fixture'
import { signTencent, tc3Authorization } from './tencent-auth'

const tools = {
  fetch: () => Promise.reject(new Error('Nothing is fetched')),
  now: () => 1_551_113_065_000,
}

describe('a signature of Tencent Cloud', () => {
  test('a signature is the one of the example that the vendor documents', () => {
    // https://www.tencentcloud.com/document/api/213/33224
    const authorization = tc3Authorization({
      service: 'cvm',
      headers: { 'content-type': 'application/json; charset=utf-8', host: 'cvm.tencentcloudapi.com' },
      body: String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
      timestamp: 1_551_113_065,
      secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
      secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
    })
    expect(authorization).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
    )
  })

  const request = {
    url: 'https://hunyuan.tencentcloudapi.com/',
    headers: { 'content-type': 'application/json', 'x-tc-action': 'ChatCompletions' },
    body: '{"Model":"hunyuan-lite"}',
  }

  test('the signature covers body, action and time', async () => {
    const target = aTarget({ key: 'app|AKID1|secret' })
    const { headers } = await signTencent(request, target, tools)
    expect(headers).toEqual({
      'x-tc-timestamp': '1551113065',
      authorization: tc3Authorization({
        service: 'hunyuan',
        headers: { ...request.headers, host: 'hunyuan.tencentcloudapi.com' },
        body: request.body,
        timestamp: 1_551_113_065,
        secretId: 'AKID1',
        secretKey: 'secret',
      }),
    })
    const others = [
      { ...request, body: '{}' },
      { ...request, headers: { ...request.headers, 'x-tc-action': 'GetEmbedding' } },
    ]
    for (const other of others) {
      const signed = await signTencent(other, target, tools)
      expect(signed.headers?.['authorization']).not.toBe(headers?.['authorization'])
    }
  })

  test('a signature is left out for keys of the API that is compatible with OpenAI’s', async () => {
    expect(await signTencent(request, aTarget({ key: 'sk-1' }), tools)).toEqual({})
  })

  test.each(['a|b', 'a||c', '|b|c', 'a|b|c|d'])('is not made with the key %p', async (key) => {
    expect(signTencent(request, aTarget({ key }), tools)).rejects.toThrow(TypeError)
  })
})
