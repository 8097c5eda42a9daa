import { expect, test } from 'bun:test'

import { z } from 'zod'

import { strict } from './strict'

const refuses = (schema: z.ZodType, value: unknown) => !strict(schema).safeParse(value).success

test('unknown fields are refused at every depth', () => {
  const schema = z.object({ name: z.string(), parts: z.array(z.object({ id: z.number() })).optional() })
  expect(refuses(schema, { name: 'a', parts: [{ id: 1 }] })).toBe(false)
  expect(refuses(schema, { name: 'a', role: 100 })).toBe(true)
  expect(refuses(schema, { name: 'a', parts: [{ id: 1, extra: 1 }] })).toBe(true)
  expect(refuses(schema, JSON.parse('{"name":"a","__proto__":{"role":100}}'))).toBe(true)
})

test('strictness reaches through unions, transforms, refinements and defaults', () => {
  const one = z.object({ a: z.string() })
  const other = z.object({ b: z.string() }).nullable()
  expect(refuses(z.union([one, other]), { a: '', b: '' })).toBe(true)
  expect(refuses(z.union([one, other]), { b: '' })).toBe(false)
  expect(
    refuses(
      one.transform(({ a }) => a),
      { a: '', b: '' },
    ),
  ).toBe(true)
  expect(refuses(one.default({ a: '' }), { a: '', b: '' })).toBe(true)
  const refined = one.refine(({ a }) => a !== 'x')
  expect(refuses(refined, { a: 'x' })).toBe(true)
  expect(refuses(refined, { a: 'y', b: '' })).toBe(true)
})

test('loose objects and records are left alone', () => {
  expect(refuses(z.looseObject({ a: z.string() }), { a: '', b: '' })).toBe(false)
  expect(refuses(z.record(z.string(), z.number()), { a: 1, b: 2 })).toBe(false)
})
