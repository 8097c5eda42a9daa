import { expect, test } from 'bun:test'

import { redact } from './redact'

test('redaction removes the key and the ids, and nothing else', () => {
  const text = '{"id":"chatcmpl-1","model":"m","note":"key key-9","request_id" : "a\\"b","responseId":"r"}'
  expect(redact(text, 'key-99')).toBe(
    '{"id":"redacted","model":"m","note":"key key-9","request_id" : "redacted","responseId":"redacted"}',
  )
  expect(redact('{"note":"key secret-9"}', 'secret-9')).toBe('{"note":"key key-1"}')
})

test('redaction removes each part of a key that has several', () => {
  expect(redact('{"message":"AKIAFAKE99 may not","other":"us-east-1"}', 'AKIAFAKE99|a-secret|us-east-1')).toBe(
    '{"message":"key-1 may not","other":"key-1"}',
  )
})
