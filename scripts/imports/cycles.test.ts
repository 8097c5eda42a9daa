import { expect, test } from 'bun:test'

import { cyclesIn } from './cycles'

const graph = (imports: Record<string, string>) =>
  new Map(Object.entries(imports).map(([file, list]) => [file, list.split(' ').filter(Boolean)]))

test('a tree has no cycles', () => {
  expect(cyclesIn(graph({ a: 'b c', b: 'd', c: 'd', d: '' }))).toEqual([])
})

test('a cycle is found from whichever of its files comes first', () => {
  expect(cyclesIn(graph({ x: 'c', a: 'b', b: 'c', c: 'a' }))).toEqual([['a', 'b', 'c']])
})

test('two cycles that share no file are two', () => {
  expect(cyclesIn(graph({ a: 'b', b: 'a c', c: 'd', d: 'c' }))).toEqual([
    ['c', 'd'],
    ['a', 'b'],
  ])
})

test('a file that imports itself is a cycle', () => {
  expect(cyclesIn(graph({ a: 'a' }))).toEqual([['a']])
})
