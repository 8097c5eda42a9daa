import { describe, expect, test } from 'bun:test'

import { readConnection } from './paste-connection'

describe('a pasted connection is read: %s', () => {
  const cases: [string, ReturnType<typeof readConnection>][] = [
    ['https://a.example/v1/messages', { address: 'https://a.example/v1/messages' }],
    ['https://api.example.com|sk-1', { address: 'https://api.example.com', key: 'sk-1' }],
    ['sk-1\nhttps://api.example.com/v1/', { address: 'https://api.example.com/v1/', key: 'sk-1' }],
    [
      'export OPENAI_API_KEY="sk-1"\nexport OPENAI_BASE_URL=https://api.example.com/v1',
      { address: 'https://api.example.com/v1', key: 'sk-1', vendor: 'openai' },
    ],
    ['ACME_API_KEY=sk-1', { key: 'sk-1', vendor: 'acme' }],
    [
      '{"name":"A","base_url":"https://a.example","api_key":"sk-1","models":["m1","m2"]}',
      { address: 'https://a.example', key: 'sk-1', name: 'A', models: ['m1', 'm2'] },
    ],
    [
      `curl https://a.example/v1/chat/completions -H "Authorization: Bearer sk-1" -d '{"model":"m1"}'`,
      { address: 'https://a.example/v1/chat/completions', key: 'sk-1', models: ['m1'] },
    ],
    [
      `curl "https://g.example/v1beta/models/m-2:generateContent?key=AI-1" -d '{"contents":[]}'`,
      { address: 'https://g.example/v1beta/models/m-2:generateContent?key=AI-1', key: 'AI-1', models: ['m-2'] },
    ],
    [
      `curl https://a.example/v1/messages -H 'x-api-key: sk-1'`,
      { address: 'https://a.example/v1/messages', key: 'sk-1' },
    ],
    [
      `curl https://a.example/chat/completions -H "Authorization: Bearer \${DEEPSEEK_API_KEY}"`,
      { address: 'https://a.example/chat/completions', vendor: 'deepseek' },
    ],
    [
      `curl https://a.example/chat/completions -H "Authorization: Bearer <your key>"`,
      { address: 'https://a.example/chat/completions' },
    ],
  ]
  for (const [text, connection] of cases) {
    test(text, () => expect(readConnection(text)).toEqual(connection as never))
  }

  test('bare keys are pasted unchanged', () => {
    for (const text of ['', 'sk-1', 'sk-1,sk-2', 'sk-1\nsk-2', 'id|secret', '{"type":"service"}']) {
      expect([text, readConnection(text)]).toEqual([text, undefined])
    }
  })
})
