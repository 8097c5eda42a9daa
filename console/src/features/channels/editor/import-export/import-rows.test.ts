import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { aChannel } from '../../../../../test/channel-factories'
import { csvOf, readCsv } from './csv'
import { csvOfChannels, jsonOfChannels } from './export-channels'
import { recordsOf, rowsOf, type ImportGround } from './import-rows'

const ground: ImportGround = {
  types: new Set([501]),
  groups: new Set(['default', 'vip']),
  type: undefined,
  keys: new Map(),
}
const rows = (text: string, changed: Partial<ImportGround> = {}) =>
  rowsOf(recordsOf(text) ?? [], { ...ground, ...changed })

describe('comma-separated values', () => {
  test('quotes, commas, line breaks and empty lines are parsed', () => {
    expect(readCsv('a,"b,""c""\nd",e\r\n\n,,\nf,')).toEqual([
      ['a', 'b,"c"\nd', 'e'],
      ['f', ''],
    ])
    expect(readCsv('')).toEqual([])
    expect(readCsv('"never closed,x')).toEqual([['"never closed', 'x']])
  })

  test('cells survive a round trip, except those a spreadsheet would execute', () => {
    const cell = fc.string().filter((text) => text.trim() === text && text !== '' && !/^[=+\-@'"]|\r/.test(text))
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }), (cells) => {
        expect(readCsv(csvOf(cells))).toEqual(cells)
      }),
    )
    expect(csvOf([['=1+1', -1]])).toBe("'=1+1,-1\r\n")
  })
})

describe('import rows', () => {
  test('an export is read back in both formats, without keys', () => {
    const channel = aChannel({ tag: 'team', group: 'default,vip', setting: '{"proxy":"http://p"}', priority: -3 })
    for (const text of [jsonOfChannels([channel]), csvOfChannels([channel])]) {
      expect(text).not.toContain(channel.keys[0]?.fingerprint ?? '')
      const [row] = rows(text, { keys: new Map([[1, 'kt-1']]) })
      expect(row?.fault).toBeUndefined()
      expect(row?.channel).toMatchObject({
        name: 'Main',
        type: 501,
        key: 'kt-1',
        models: channel.models,
        group: 'default,vip',
        tag: 'team',
        setting: channel.setting,
        priority: -3,
        auto_ban: 1,
      })
    }
  })

  test('lines are read with and without a header', () => {
    const [plain] = rows('A,https://a.example,k,m1;m2|m3,vip', { type: 501 })
    expect(plain).toMatchObject({
      fault: undefined,
      channel: { models: 'm1,m2,m3', group: 'vip', key: 'k', type: 501 },
    })
    const [headed] = rows('models,name,key,type\nm1,A,k,501')
    expect(headed).toMatchObject({ fault: undefined, channel: { name: 'A', models: 'm1', group: 'default' } })
  })

  test('invalid rows have their faults', () => {
    const fine = { name: 'A', type: 501, key: 'k', models: ['m'] }
    const cases: [object | string, string | undefined][] = [
      [fine, undefined],
      [{ ...fine, name: ' ' }, 'name'],
      [{ ...fine, key: '' }, 'key'],
      [{ ...fine, models: ' , ' }, 'models'],
      [{ ...fine, type: 9 }, 'type'],
      [{ ...fine, type: 'x' }, 'type'],
      [{ ...fine, group: 'none' }, 'group'],
      [{ ...fine, priority: 'high' }, 'values'],
      ['text', 'values'],
    ]
    for (const [record, fault] of cases) {
      expect([record, rows(JSON.stringify([record]))[0]?.fault]).toEqual([record, fault as never])
    }
  })

  test('text that is neither JSON nor CSV has no records', () => {
    expect(recordsOf('{"a":1}')).toBeUndefined()
    expect(recordsOf('[')).toBeUndefined()
    expect(recordsOf('')).toEqual([])
  })
})
