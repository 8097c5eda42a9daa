import { expect, test } from 'bun:test'

import { isOwnPath } from './own-path'

test.each(['/', '/app/tokens?page=2#row', '/a//b', '/%2F%2Felsewhere.example', '/a\\b'])(
  '%p is a path of this site',
  (path) => {
    expect(isOwnPath(path)).toBe(true)
  },
)

test.each([
  '',
  'app/tokens',
  'https://elsewhere.example',
  '//elsewhere.example',
  '/\\elsewhere.example',
  // URL parsers drop tabs and line breaks: https://url.spec.whatwg.org/#concept-basic-url-parser
  '/\t/elsewhere.example',
  '/\n\\elsewhere.example',
  '/\r/elsewhere.example',
  '\t//elsewhere.example',
  '\u0000//elsewhere.example',
  '///elsewhere.example',
  '\\\\elsewhere.example',
  'https:elsewhere.example',
  'HTTPS://elsewhere.example',
  'http:/\\elsewhere.example',
  'data:text/html,x',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'blob:https://elsewhere.example/x',
  ' //elsewhere.example',
  'javascript:alert(1)',
])('%p is not a path of this site', (path) => {
  expect(isOwnPath(path)).toBe(false)
})
