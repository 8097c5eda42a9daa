import { expect, test } from 'bun:test'

import { findFaults } from './find-faults'
import type { FaultKind } from './rules'

const faultsOf = (text: string, kind: FaultKind) =>
  findFaults('a.tsx', text)
    .filter((fault) => fault.kind === kind)
    .map(({ after }) => after)

test.each<[FaultKind, string, string[]]>([
  ['comparison', 'f(a < b)', ['f(a <= b)']],
  ['comparison', 'f(a >= b, c === d)', ['f(a > b, c === d)', 'f(a >= b, c !== d)']],
  ['sign', 'f(a + b)', ['f(a - b)']],
  ['sign', 'f(-a)', ['f(a)']],
  ['sign', 'a += b', ['a -= b']],
  ['sign', 'a++', ['a--']],
  ['sign', "f(a + ' of ' + b)", []],
  ['off by one', 'f(a > 5000)', ['f(a > 5001)']],
  ['off by one', 'f(a.slice(1))', ['f(a.slice(2))']],
  ['off by one', 'f(a[0])', ['f(a[1])']],
  ['off by one', 'wait(30_000)', []],
  ['missing right', "route({ access: 'users.write' })", ["route({ access: 'user' })"]],
  ['missing right', "route({ access: 'user' })", ["route({ access: 'guest' })"]],
  ['missing right', "route({ access: 'guest' })", []],
  ['missing right', 'f(mayTouch(caller, target))', ['f(true)']],
  ['missing release', 'await slot.release()', [';']],
  ['missing release', 'clearTimeout(timer)', [';']],
  ['missing release', 'try { f() } finally { g() }', ['try { f() } finally {}']],
  ['missing release', 'async () => { await using file = open() }', ['async () => { const file = open() }']],
  ['dropped condition', 'f(a && b)', ['f(a)', 'f(b)']],
  ['dropped condition', 'if (a) f()', ['if (true) f()', 'if (false) f()']],
  ['dropped condition', 'f(a ? 1 : 2)', ['f(true ? 1 : 2)', 'f(false ? 1 : 2)']],
  ['dropped condition', "rows.where('id', '=', id).execute()", ['rows.execute()']],
  ['dropped condition', 'f(z.number().min(1))', ['f(z.number())']],
  ['dropped condition', 'f(Math.min(a, b))', []],
  ['dropped await', 'await f()', ['f()']],
  ['swapped values', 'f(a, b.c)', ['f(b.c, a)']],
  ['swapped values', 'f({ a, b: c })', ['f({ a: c, b: a })']],
  ['swapped values', 'Math.max(a, b)', []],
  ['swapped values', "f('a', 1)", []],
  ['dropped statement', 'f(a)', [';']],
  ['dropped statement', 'function f() { return a }', ['function f() { return undefined }']],
  ['dropped statement', 'const f = () => a', ['const f = () => undefined']],
  ['dropped statement', 'log.warn(a)', []],
  ['dropped statement', 'ctx.log.warn(a)', []],
  ['dropped statement', "f(<Button onClick={save} className='a' />)", ["f(<Button className='a' />)", ';']],
  ['flipped value', 'f(true)', ['f(false)']],
  ['flipped value', 'f(!a)', ['f(a)']],
  ['flipped value', 'f(a ?? b)', ['f(a)']],
  ['flipped value', 'function f(a = 1) {}', ['function f(a) {}']],
  ['flipped value', "const [, name = ''] = match", []],
])('a fault of the kind %s turns %j into %j', (kind, text, after) => {
  expect(
    faultsOf(text, kind)
      .map((line) => line.replaceAll(/\s+/g, ' '))
      .sort(),
  ).toEqual(after.toSorted())
})

test('types and imports have no faults', () => {
  const text = `
import { a, b } from './c'
type Size = 1 | true
interface Box { readonly is: Size; f(a: 1, b: true): void }
export * from './d'
`
  expect(findFaults('a.ts', text)).toEqual([])
})

test('an expression with a type beside it has', () => {
  expect(faultsOf('f(true as const)', 'flipped value')).toEqual(['f(false as const)'])
})

test('a fault names its line and what becomes of it', () => {
  expect(
    findFaults('a.ts', 'const x = 1\n\n  f(a,\n    !b)\n').find(({ kind }) => kind === 'flipped value'),
  ).toMatchObject({
    file: 'a.ts',
    line: 4,
    before: '!b)',
    after: 'b)',
  })
})

test('two kinds that make the same change are one fault, and none breaks the syntax', () => {
  const faults = findFaults('a.ts', 'for (const a of await f()) if (!a && b < 1) await a.close()\n')
  expect(new Set(faults.map(({ start, end, text }) => `${start} ${end} ${text}`)).size).toBe(faults.length)
  expect(faults.length).toBeGreaterThan(8)
})

test('a file that does not parse is an error', () => {
  expect(() => findFaults('a.ts', 'if (')).toThrow('a.ts does not parse')
})
