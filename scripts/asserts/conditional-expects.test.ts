import { expect, test } from 'bun:test'

import { conditionalExpects } from './conditional-expects'

const foundIn = (body: string) => conditionalExpects('a.test.ts', `test('a', async () => {\n${body}\n})`)

test.each([
  ['an expect under a condition', 'if (a) expect(a).toBe(1)'],
  ['an expect in one branch of two', 'if (a) { expect(a).toBe(1) } else b()'],
  ['an expect behind a logical operator', 'a && expect(a).toBe(1)'],
  ['an expect in one half of an expression', 'void (a ? expect(a).toBe(1) : b())'],
  ['an expect about an error that need not come', 'try { a() } catch (error) { expect(error).toBe(1) }'],
  ['a loop of expects under a condition', 'if (a) for (const b of a) expect(b).toBe(1)'],
  ['a property under a condition', 'if (a) check(() => expect(a).toBe(1))'],
])('%s is found by its line', (_name, body) => {
  expect(foundIn(body)).toEqual([{ line: 2, text: body }])
})

test.each([
  ['an expect by itself', 'expect(a).toBe(1)'],
  ['a condition within an expect', 'expect(a ? 1 : 2).toBe(1)'],
  ['an expect in the condition', 'if (expect(a).toBe(1)) b()'],
  ['two branches that both assert', 'if (a) expect(a).toBe(1)\nelse expect(b).toBe(1)'],
  ['a branch that ends the test', 'if (a) return expect(a).toBe(1)\nexpect(b).toBe(1)'],
  ['an error that has to come', 'try { a(); expect.unreachable() } catch (error) { expect(error).toBe(1) }'],
  ['a condition on one of many values', 'for (const a of all) if (a) expect(a).toBe(1)'],
  ['a condition in a property', 'check((a) => { if (a) expect(a).toBe(1) })'],
])('%s is not found', (_name, body) => {
  expect(foundIn(body)).toEqual([])
})

test('an expect outside of tests is not found, and the rows of a table count as one test', () => {
  expect(conditionalExpects('a.test.ts', 'const check = (a) => { if (a) expect(a).toBe(1) }')).toEqual([])
  expect(conditionalExpects('a.test.ts', "test.each([1])('a', (a) => { if (a) expect(a).toBe(1) })")).toHaveLength(1)
})
