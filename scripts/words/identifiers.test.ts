import { expect, test } from 'bun:test'

import { budgetFaults, loweredBudget } from './budget'
import { faultyNames } from './identifiers'

const namesIn = (text: string, file = 'gateway/src/a.ts') => faultyNames(file, text).map(({ name }) => name)

test.each([
  ['a variable', 'const mostRows = 3', 'mostRows'],
  ['a member of a type', 'interface Range { readonly least: number }', 'least'],
  ['a parameter', 'function count(asked: string[]) {}', 'asked'],
  ['a renamed part of a pattern', 'const { rows: told } = report', 'told'],
  ['an alias of an import', "import { report as told } from './report'", 'told'],
  ['a type', 'type Wanted = string', 'Wanted'],
  ['dependencies', 'interface Parts { clock: Clock }', 'Parts'],
  ['a function named by a participle', 'function charged(call: Call) {}', 'charged'],
  ['an arrow function named by a participle', 'const charged = (call: Call) => 1', 'charged'],
  ['a method named by a participle', 'class A { async deleted() {} }', 'deleted'],
  ['a private field', 'class A { #patienceMs = 1 }', 'patienceMs'],
  ['a response', 'const answer = await fetch(url)', 'answer'],
])('%s with a word of the list is found', (_what, text, name) => {
  expect(namesIn(text)).toEqual([name])
})

test.each([
  ['a word within another', 'const always = folded'],
  ['a participle that is a value', 'const charged = 3'],
  ['a sorted copy', 'const sorted = (list: A[]) => list.toSorted()'],
  ['the most recent of something', 'const mostRecent = 1'],
  ['a name of the wire', 'interface Body { answer_sealed: string; most_rows: number }'],
  ['a name that is only used', 'report(told)'],
  ['a component', 'const Nested = () => null'],
])('%s is not found', (_what, text) => {
  expect(namesIn(text)).toEqual([])
})

test('an answer is the word for what a model says', () => {
  expect(namesIn('const answer = 1', 'console/src/features/playground/a.ts')).toEqual([])
})

test('a new name fails beyond the budget of its folder, and the budget only falls', () => {
  const names = new Map([['words', new Map([['gateway', ['a.ts:1: told', 'a.ts:2: asked']]])]])
  const faultsOf = (gateway: number, exact = false) => budgetFaults({ words: { gateway } }, names, { exact })

  expect(faultsOf(2, true)).toEqual([])
  expect(faultsOf(1)).toContain('a.ts:2: asked')
  expect(budgetFaults({}, names, { exact: false })).toHaveLength(3)
  expect(faultsOf(3)).toEqual([])
  expect(faultsOf(3, true)).toHaveLength(1)
  expect(loweredBudget({ words: { gateway: 3, console: 1 } }, names)).toEqual({ words: { gateway: 2 } })
  expect(loweredBudget({ words: { gateway: 1 } }, names)).toEqual({ words: { gateway: 1 } })
})
