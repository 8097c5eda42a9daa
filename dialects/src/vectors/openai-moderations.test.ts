import { expect, test } from 'bun:test'

import { completeModeration } from './openai-moderations'

const categories = { sexual: false, selfharm: true }

test('a result without a verdict is flagged when one of its categories is', () => {
  const calm = { sexual: false, selfharm: false }
  expect(completeModeration({ id: 'm', results: [{ categories }, { categories: calm }] })).toEqual({
    id: 'm',
    results: [
      { flagged: true, categories },
      { flagged: false, categories: calm },
    ],
  })
})

test('an answer with its verdicts stays as it is', () => {
  const answer = { results: [{ flagged: false, categories }] }
  expect(completeModeration(answer)).toBe(answer)
  expect(completeModeration({ results: ['?'] })).toEqual({ results: ['?'] })
  expect(completeModeration({ error: 'x' })).toEqual({ error: 'x' })
})
