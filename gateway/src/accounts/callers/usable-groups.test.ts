import { describe, expect, test } from 'bun:test'

import { defaultOptions, parseOptions } from '@tollgate/contract'

import { groupRatios, isGroupUsable, usableGroups } from './usable-groups'

const options = parseOptions(
  new Map([
    ['GroupRatio', '{"default":1,"vip":0.8,"staff":0.5}'],
    ['UserUsableGroups', '{"default":"Everyone","vip":"Faster","gone":"No ratio any more"}'],
    ['GroupGroupRatio', '{"staff":{"vip":0}}'],
  ]),
)

describe('usable groups', () => {
  test('a guest sees the offered groups that exist', () => {
    expect([...usableGroups(options, null, 'en')]).toEqual([
      ['default', { description: 'Everyone', ratio: 1 }],
      ['vip', { description: 'Faster', ratio: 0.8 }],
    ])
  })

  test('a user’s own group is always usable, and its special ratio wins, even 0', () => {
    const groups = usableGroups(options, 'staff', 'en')
    expect(groups.get('staff')).toEqual({ description: 'Your group', ratio: 0.5 })
    expect(groups.get('vip')?.ratio).toBe(0)
    expect(groupRatios(options, 'staff', 'vip')).toEqual({ groupRatio: 0.8, userGroupRatio: 0 })
  })

  test.each([
    ['default', 'vip', true],
    ['default', 'staff', false],
    ['staff', 'staff', true],
    ['default', 'gone', false],
    ['gone', 'gone', true],
    ['default', 'constructor', false],
    [null, 'default', true],
  ])('a user of %p may use %p: %p', (ownGroup, group, isUsable) => {
    expect(isGroupUsable(options, ownGroup, group)).toBe(isUsable)
  })

  test('default and vip are usable by all when nothing is configured', () => {
    expect([...usableGroups(defaultOptions, 'default', 'zh').keys()]).toEqual(['default', 'vip'])
  })

  test.each([
    ['zh', ['默认分组', 'vip分组', '用户分组']],
    ['en', ['Default group', 'VIP group', 'Your group']],
  ] as const)('shipped descriptions are in the language of the reader: %s', (language, descriptions) => {
    const groups = usableGroups(defaultOptions, 'own', language)
    expect(['default', 'vip', 'own'].map((name) => groups.get(name)?.description)).toEqual([...descriptions])
  })
})
