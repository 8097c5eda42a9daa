import { describe, expect, test } from 'bun:test'
import type { channelRoutes } from '@tollgate/contract'

import { readConnection, vendorOf } from './paste-connection'

describe('a pasted connection is read: %s', () => {
  const cases: [string, ReturnType<typeof readConnection>][] = [
    ['https://api.example.com|sk-1', { baseUrl: 'https://api.example.com', key: 'sk-1' }],
    ['sk-1\nhttps://api.example.com/v1/', { baseUrl: 'https://api.example.com', key: 'sk-1' }],
    [
      'export OPENAI_API_KEY="sk-1"\nexport OPENAI_BASE_URL=https://api.example.com/v1',
      { baseUrl: 'https://api.example.com', key: 'sk-1', vendor: 'openai' },
    ],
    ['ACME_API_KEY=sk-1', { key: 'sk-1', vendor: 'acme' }],
    [
      '{"name":"A","base_url":"https://a.example","api_key":"sk-1","models":["m1","m2"]}',
      { baseUrl: 'https://a.example', key: 'sk-1', name: 'A', models: ['m1', 'm2'] },
    ],
    [
      `curl https://a.example/v1/chat/completions -H "Authorization: Bearer sk-1" -d '{"model":"m1"}'`,
      { baseUrl: 'https://a.example', key: 'sk-1', models: ['m1'] },
    ],
  ]
  for (const [text, connection] of cases) {
    test(text, () => expect(readConnection(text)).toEqual(connection as never))
  }

  test('bare keys and addresses are pasted unchanged', () => {
    for (const text of [
      '',
      'sk-1',
      'sk-1,sk-2',
      'sk-1\nsk-2',
      'https://a.example',
      'id|secret',
      '{"type":"service"}',
    ]) {
      expect([text, readConnection(text)]).toEqual([text, undefined])
    }
  })
})

test('the vendor is recognized by its address, or else by its name', () => {
  const vendors = [
    { id: 'one', base_url: 'https://api.one.example' },
    { id: 'two', base_url: null },
  ] as Partial<channelRoutes.ChannelType>[] as channelRoutes.ChannelType[]
  expect(vendorOf({ baseUrl: 'https://api.one.example/x', vendor: 'two' }, vendors)?.id).toBe('one')
  expect(vendorOf({ baseUrl: 'https://else.example', vendor: 'two' }, vendors)?.id).toBe('two')
  expect(vendorOf({ key: 'k', vendor: 'three' }, vendors)).toBeUndefined()
})
