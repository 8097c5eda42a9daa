import { expect, test } from 'bun:test'

import { CommandError } from '../commands/command'
import { readSiteFile } from './read-file'

const read = (text: string, environment: Readonly<Record<string, string>> = {}) =>
  readSiteFile('site.yaml', text, { environment })

function refusalOf(text: string): string {
  try {
    read(text)
    return ''
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return error.message
  }
}

/** Each line repeats the one before nine times. */
const bombs = Array.from(
  { length: 9 },
  (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]\n`,
).join('')

test.each([
  ['options:\n  SystemName: x\n  Nonsense: 1\n', 'site.yaml:3: options.Nonsense: '],
  ['options:\n  RegisterEnabled: [1]\n', 'site.yaml:2: options.RegisterEnabled: '],
  ['channels:\n  A:\n    type: no-such\n', 'site.yaml:3: channels.A.type: must be one of '],
  ['plans:\n  P:\n    price: 1\n    unit: month\n', 'site.yaml:2: plans.P.length: '],
  ['prices:\n  m:\n    prices:\n      input: -1\n', 'site.yaml:4: prices.m.prices.input: '],
  ['options:\n  SystemName: ${NOT_THERE}\n', 'site.yaml:2: options.SystemName: the variable NOT_THERE is not set'],
  ['options:\n  SystemName: "open\n', 'site.yaml:'],
  ['nonsense: 1\n', 'site.yaml:1: nonsense: '],
  ['channels:\n  1:\n    type: openai\n    nonsense: 1\n', 'site.yaml:4: channels.1.nonsense: '],
  ['channels:\n  A: {type: openai}\n  A: {type: openai}\n', 'site.yaml:3: Map keys must be unique'],
  ['channels:\n  ? [a, b]\n  : {type: openai}\n', 'site.yaml:2: a name must be text'],
  ['channels:\n  __proto__: {type: openai}\n', 'site.yaml:2: __proto__ cannot be a name'],
  ['options:\n  Footer: *none\n', 'site.yaml:2: *none: '],
  ['options: &all\n  Footer: *all\n', 'site.yaml:2: *all: contains itself'],
  ['options:\n  ModelAliases: !!set {a}\n', 'site.yaml:2: Unresolved tag'],
  [`a0: &a0 [x]\n${bombs}`, 'site.yaml: Excessive alias count'],
])('a file with a fault is refused with the line and the place: %j', (text, place) => {
  expect(refusalOf(text)).toStartWith(place)
})

test('a file that is nested too deeply is refused', () => {
  expect(refusalOf(`options: ${'['.repeat(50_000)}`)).toStartWith('site.yaml:1: ')
})

test('variables are filled in, and what only looks like one is text', () => {
  const text = 'options:\n  SystemName: ${A}-${A}\n  Footer: $${A} ${x.y} $$${A}\n'
  expect(read(text, { A: 'one' }).site.options).toEqual({ SystemName: 'one-one', Footer: '${A} ${x.y} $${A}' })
})

test('what is shown of a file has none of its variables', () => {
  const { withoutSecrets } = read('options:\n  SystemName: ${A}-${B}\n', { A: 'secret-a', B: 'b', C: 'unused' })
  expect(withoutSecrets('secret-a b unused')).toBe('[hidden] b unused')
})

test('a file without sections is a file', () => {
  expect(read('# nothing\n').site).toEqual({})
})
