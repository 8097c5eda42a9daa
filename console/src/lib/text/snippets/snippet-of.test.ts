import { expect, test } from 'bun:test'

import { snippetLanguages } from './snippet-languages'
import { snippetOf } from './snippet-of'
import { snippetDialects } from './snippet-request'

const call = { address: 'https://gate.example', apiKey: 'sk-example', model: 'gpt-4o-mini' }

test.each(snippetDialects.flatMap((dialect) => snippetLanguages.map((language) => [dialect, language] as const)))(
  'an example for %s in %s contains the address, the key and the model',
  (dialect, language) => {
    const code = snippetOf(language, { ...call, dialect })
    for (const value of Object.values(call)) expect(code).toContain(value)
  },
)

test.each([
  ['openai', 'https://gate.example/v1/chat/completions', 'Authorization: Bearer sk-example'],
  ['responses', 'https://gate.example/v1/responses', 'Authorization: Bearer sk-example'],
  ['anthropic', 'https://gate.example/v1/messages', 'x-api-key: sk-example'],
  ['gemini', 'https://gate.example/v1beta/models/gpt-4o-mini:generateContent', 'x-goog-api-key: sk-example'],
] as const)('curl for %s calls %s', (dialect, url, header) => {
  const code = snippetOf('curl', { ...call, dialect })
  expect(code).toContain(url)
  expect(code).toContain(header)
})

test('a quote in a message stays inside the shell argument', () => {
  const code = snippetOf('curl', { ...call, messages: [{ role: 'user', content: "it's" }] })
  expect(code).toContain(`it'\\''s`)
})
