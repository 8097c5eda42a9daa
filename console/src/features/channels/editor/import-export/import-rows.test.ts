import { describe, expect, test } from 'bun:test'

import { channelRoutes } from '@tollgate/contract'

import { aChannel } from '../../../../../test/channel-factories'
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

  test('every field of a channel survives an export and an import', () => {
    const fields = Object.entries(channelRoutes.blankFields).map(([name, blank]) => [
      name,
      typeof blank === 'number' ? 1 : name,
    ])
    const values = Object.fromEntries(fields)
    const [row] = rows(csvOfChannels([aChannel(values)]), { groups: new Set(['group']) })
    expect(row?.channel).toMatchObject(values)
  })

  test('a name that a spreadsheet would run comes back as it was', () => {
    for (const name of ['=prod', '＝full', "'=quoted", '-1', ' '])
      expect(rows(csvOfChannels([aChannel({ name })]))[0]?.name).toBe(name.trim())
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
