import { expect, test } from 'bun:test'

import { closuresIn } from './find-closures'

const namesIn = (text: string) => closuresIn('file.ts', text).map(({ name, state }) => [name, ...state])

test.each([
  ['a variable', 'function createCounter() { let count = 0; return { add() { count += 1 }, read: () => count } }'],
  [
    'a collection',
    'const create = () => { const count = new Map(); return { get read() { return count }, clear() { count.clear() } } }',
  ],
  [
    'inner functions',
    'function create() { let count = 0; return { add, read }; function add() { count++ } function read() { return count } }',
  ],
])('methods over %s are found', (_what, text) => {
  expect(namesIn(text)).toMatchObject([[expect.any(String), 'count']])
})

test.each([
  ['a class', 'class Counter { #count = 0; add() { this.#count += 1 } read() { return this.#count } }'],
  [
    'a function without state',
    'function create(deps) { const size = deps.size; return { add: () => size, read: () => size } }',
  ],
  ['a single method', 'function once() { let isDone = false; return { run() { isDone = true } } }'],
  [
    'state that is returned as a value',
    'function sum(values) { let total = 0; for (const value of values) total += value; return { total, mean: total / 2 } }',
  ],
])('%s is not', (_what, text) => {
  expect(namesIn(text)).toEqual([])
})
