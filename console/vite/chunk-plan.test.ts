import { expect, test } from 'bun:test'

import { planChunks, type Part } from './chunk-plan'

const part = (name: string, bytes: number, imports: string[] = [], lazyImports: string[] = []): Part => ({
  name,
  bytes,
  imports,
  lazyImports,
})

const plan = (parts: Part[]) =>
  planChunks(parts, {
    base: 'base',
    isPage: ({ name }) => name.startsWith('page'),
    requestBytes: 3000,
    clickWeight: 0.1,
  })
    .map((group) => group.sort().join('+'))
    .sort()

test('small parts shared by the same pages become one file', () => {
  const icons = Array.from({ length: 12 }, (_, index) => part(`icon-${index}`, 200))
  const names = icons.map(({ name }) => name)
  const parts = [
    part('base', 100_000, [], ['page-a', 'page-b']),
    part('page-a', 5000, names),
    part('page-b', 5000, names),
    ...icons,
  ]
  expect(plan(parts)).toEqual([names.sort().join('+')])
})

test('a large part is not forced on pages that do without it', () => {
  const parts = [
    part('base', 100_000, [], ['page-a', 'page-b', 'page-c']),
    part('page-a', 5000, ['small', 'calendar']),
    part('page-b', 5000, ['small', 'calendar']),
    part('page-c', 5000, ['small']),
    part('small', 300),
    part('calendar', 22_000),
  ]
  expect(plan(parts)).toEqual(['calendar', 'small'])
})

test('imports of a group count towards its size', () => {
  const parts = [
    part('base', 100_000, [], ['page-a', 'page-b', 'page-c', 'page-d']),
    part('page-a', 5000, ['field', 'picker']),
    part('page-b', 5000, ['field']),
    part('page-c', 5000, ['picker', 'field']),
    part('page-d', 5000, ['engine']),
    part('field', 300),
    part('picker', 100, ['engine']),
    part('engine', 30_000),
  ]
  expect(plan(parts)).not.toContain('field+picker')
})

test('code needed on a click is not loaded with its page', () => {
  const parts = [
    part('base', 100_000, [], ['page-a', 'page-b']),
    part('page-a', 5000, ['shared'], ['dialog', 'drawer']),
    part('page-b', 5000, ['shared'], ['dialog', 'drawer']),
    part('dialog', 2000, ['shared', 'form']),
    part('drawer', 2000, ['shared', 'form']),
    part('shared', 4000),
    part('form', 9000),
  ]
  expect(plan(parts)).toEqual(['form', 'shared'])
})

test('two parts joined by a third stay apart unless it joins them', () => {
  // One file of `outer` and `inner` would import `middle`, which imports `inner`.
  const parts = [
    part('base', 100_000, [], ['page-a', 'page-b', 'page-c']),
    part('page-a', 5000, ['outer']),
    part('page-b', 5000, ['outer']),
    part('page-c', 5000, ['inner']),
    part('outer', 200, ['middle']),
    part('middle', 60_000, ['inner']),
    part('inner', 200),
  ]
  expect(plan(parts)).not.toContain('inner+outer')
})

test('a part marked as apart joins no other', () => {
  const parts = [
    part('base', 100_000, [], ['page-a', 'page-b']),
    part('page-a', 5000, ['small', 'other']),
    part('page-b', 5000, ['small', 'other']),
    part('small', 300),
    part('other', 300),
  ]
  const options = { base: 'base', isPage: () => true, requestBytes: 3000, clickWeight: 0.1 }
  expect(planChunks(parts, options)).toHaveLength(1)
  expect(planChunks(parts, { ...options, isApart: ({ name }) => name === 'other' })).toEqual([['small']])
})

test('the base, pages and lazy parts stay as they are', () => {
  const parts = [
    part('base', 100, ['runtime'], ['page-a']),
    part('runtime', 100),
    part('page-a', 100, ['shared'], ['dialog']),
    part('dialog', 100, ['shared']),
    part('shared', 100),
  ]
  expect(plan(parts)).toEqual(['shared'])
})
