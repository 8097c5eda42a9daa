import { describe, expect, test } from 'bun:test'

import { followed } from './followed'

describe('a phrase behind another one', () => {
  const pattern = followed(/\bmodel\b/gi, 20, /\bnot found\b/i)

  test.each([
    ['The model x was not found', true],
    ['model a, model b, and Model c is not found', true],
    ['model not found', true],
    ['not found: the model', false],
    ['model\nnot found', false],
    ['模型 model 有误。not found', false],
    [`model ${'x'.repeat(200)} not found`, false],
    ['', false],
  ])('%j: %p', (text, isFound) => {
    expect(pattern.test(text)).toBe(isFound)
    // A pattern that remembers its place would fail the second time.
    expect(pattern.test(text)).toBe(isFound)
  })
})
