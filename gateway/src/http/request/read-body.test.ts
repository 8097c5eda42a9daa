import { expect, test } from 'bun:test'

import { z } from 'zod'

import { handlers } from '../../../test/all-handlers'
import { maxBodyBytes } from './read-body'

/** Returns the longest text that a schema accepts, of those whose length it limits. */
function maxTextLength(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0
  const own = 'maxLength' in schema && typeof schema.maxLength === 'number' ? schema.maxLength : 0
  return Math.max(own, ...Object.values(schema).map(maxTextLength))
}

test('a call may send every text that its route describes', () => {
  const tooLong = handlers.flatMap(({ route }) => {
    if (!route.body) return []
    const maxLength = maxTextLength(z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }))
    return maxLength > maxBodyBytes(route) ? [`${route.method} ${route.path}: ${maxLength}`] : []
  })
  expect(tooLong).toEqual([])
})
