import { expect, test } from 'bun:test'

import { exportsIn, importsIn } from './read-imports'

test.each([
  ["import { a, b as c } from './x'", { names: ['a', 'b'] }],
  ["import {\n  a,\n  // for later\n  type B,\n} from './x'", { names: ['a', 'B'] }],
  ["import a from './x'", { names: 'all' }],
  ["import * as a from './x'", { names: 'all' }],
  ["import a, { b } from './x'", { names: 'all' }],
  ["import './x'", { names: 'all' }],
  ["import type { A } from './x'", { names: ['A'], isType: true }],
  ["import { type A, type B } from './x'", { names: ['A', 'B'], isType: true }],
  ["export { a as b } from './x'", { names: ['a'], isExport: true }],
  ["export * from './x'", { names: 'all', isExport: true }],
  ["  const a = await import('./x')", { names: 'all', isLazy: true }],
  ["const a = require('./x')", { names: 'all', isLazy: true }],
  ["export type A = string\nexport { a } from './x'", { names: ['a'], isExport: true }],
  ["export const a = () => 1\n\nimport { b } from './x'", { names: ['b'] }],
] as const)('%j imports ./x as %j', (text, fields) => {
  const plain = { specifier: './x', isType: false, isLazy: false, isExport: false }
  expect(importsIn(text)).toEqual([{ ...plain, ...fields }])
})

test('a module exports what it declares, what it lists and what it takes from others', () => {
  const text = `
export const a = 1
export async function b() {}
export abstract class C {}
export type { D } from './d'
export { e as f } from './e'
export * as g from './g'
export * from './h'
const i = 1
export { i as j }
`
  expect(exportsIn(text)).toEqual({
    names: [
      { name: 'D', from: { specifier: './d', name: 'D' } },
      { name: 'f', from: { specifier: './e', name: 'e' } },
      { name: 'g', from: { specifier: './g', name: '*' } },
      { name: 'a' },
      { name: 'b' },
      { name: 'C' },
      { name: 'j' },
    ],
    everythingOf: ['./h'],
  })
})
