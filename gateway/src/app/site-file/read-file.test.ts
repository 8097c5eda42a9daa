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

test.each([
  ['options:\n  SystemName: x\n  Nonsense: 1\n', 'site.yaml:3: options.Nonsense: '],
  ['options:\n  RegisterEnabled: [1]\n', 'site.yaml:2: options.RegisterEnabled: '],
  ['channels:\n  A:\n    type: no-such\n', 'site.yaml:3: channels.A.type: must be one of '],
  ['plans:\n  P:\n    price: 1\n    unit: month\n', 'site.yaml:2: plans.P.length: '],
  ['prices:\n  m:\n    prices:\n      input: -1\n', 'site.yaml:4: prices.m.prices.input: '],
  ['options:\n  SystemName: ${NOT_THERE}\n', 'site.yaml:2: options.SystemName: the variable NOT_THERE is not set'],
  ['options:\n  SystemName: "open\n', 'site.yaml:'],
  ['nonsense: 1\n', 'site.yaml:1: nonsense: '],
])('a file with a fault is refused with the line and the place: %j', (text, place) => {
  expect(refusalOf(text)).toStartWith(place)
})

test('variables are filled in, and what only looks like one is text', () => {
  const text = 'options:\n  SystemName: ${A}-${A}\n  Footer: $${A} ${x.y} $$${A}\n'
  expect(read(text, { A: 'one' }).site.options).toEqual({ SystemName: 'one-one', Footer: '${A} ${x.y} $${A}' })
})

test('a file without sections is a file', () => {
  expect(read('# nothing\n').site).toEqual({})
})
