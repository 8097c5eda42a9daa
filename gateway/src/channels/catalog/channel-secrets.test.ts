import { expect, test } from 'bun:test'

import { maskSecrets } from './channel-secrets'

const empty = { base_url: '', setting: '', param_override: '' }
const maskTexts = (texts: Partial<typeof empty>) => maskSecrets({ ...empty, ...texts }).shown

test.each([
  ['https://user:pass@api.example.com/v1', 'https://******@api.example.com/v1'],
  ['https://user@api.example.com', 'https://******@api.example.com'],
  ['http://a:p@ss:w@127.0.0.1:8080', 'http://******@127.0.0.1:8080'],
  ['https://api.example.com/v1?mail=a@b', 'https://api.example.com/v1?mail=a@b'],
  ['https://api.example.com', 'https://api.example.com'],
  ['', ''],
])('the address %s is shown as %s', (address, shown) => {
  expect(maskTexts({ base_url: address }).base_url).toBe(shown)
})

test.each([
  ['{"proxy":"http://u:p@proxy:3128","max_waiting":1}', '{"proxy":"http://******@proxy:3128","max_waiting":1}'],
  ['{"secret_param":"x"}', '{"secret_param":"******"}'],
  ['{"extra":{"headers":{"Authorization":"Bearer abc"}}}', '{"extra":{"headers":{"Authorization":"******"}}}'],
  ['{"api_keys":["a","b"],"n":2}', '{"api_keys":["******","******"],"n":2}'],
  ['{"x":"sk-abcdef"}', '{"x":"******"}'],
  ['{"max_tokens":100,"user_token":7}', '{"max_tokens":100,"user_token":7}'],
  ['{"reasoning_effort":"high","password":""}', '{"reasoning_effort":"high","password":""}'],
  ['{\n  "token": "x"\n}', '{\n  "token": "******"\n}'],
  ['{"temperature" : 0.5}', '{"temperature" : 0.5}'],
  ['not json', 'not json'],
])('the override %s is shown as %s', (text, shown) => {
  expect(maskTexts({ param_override: text }).param_override).toBe(shown)
  expect(maskTexts({ setting: text }).setting).toBe(shown)
})

test('only texts with credentials are sealed', () => {
  const texts = { base_url: 'https://u:p@h', setting: '{"max_waiting":1}', param_override: '' }
  expect(maskSecrets(texts).secrets).toEqual({ base_url: 'https://u:p@h' })
})
