import { expect, test } from 'bun:test'

import { readObject, toStoredJson } from './task-store'

test.each([
  ['a NUL', 'a\0b', 'ab'],
  ['the words by which JSON escapes one', 'a\\u0000', 'a\\u0000'],
  ['such words at its end', '\\\\u0000', '\\\\u0000'],
])('what a request says is read again as it was, with %s in it', (_what, text, read) => {
  expect(readObject(toStoredJson({ text, list: [{ text }] }))).toEqual({ text: read, list: [{ text: read }] })
})
