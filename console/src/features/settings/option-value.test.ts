import { expect, test } from 'bun:test'
import type { OptionKey } from '@tollgate/contract'

import { faultOf, type Fault } from './option-value'

const cases: readonly (readonly [OptionKey, string, Fault | undefined])[] = [
  ['GroupGroupRatio', '{"vip":{"default":0.5}}', undefined],
  ['GroupGroupRatio', '{"vip":{"default":"half"}}', { reason: 'decimal_number', place: 'vip → default' }],
  ['GroupGroupRatio', '{"vip":{"default":-1}}', { reason: 'too_small', limit: 0, place: 'vip → default' }],
  ['ModelRequestRateLimitGroup', '{"vip":[0,1000]}', undefined],
  ['ModelRequestRateLimitGroup', '{"vip":[1.5,1000]}', { reason: 'whole_number', place: 'vip' }],
  ['ModelRequestRateLimitGroup', '{"vip":[0,0]}', { reason: 'too_small', limit: 1, place: 'vip' }],
  ['GroupRatio', '{"vip":""}', { reason: 'decimal_number', place: 'vip' }],
  ['GroupRatio', '[["vip","1"],["vip","2"]]', { reason: 'repeated' }],
  ['GroupRatio', '[]', { reason: 'invalid' }],
  ['GroupRatio', '{}', { reason: 'no_groups' }],
  ['Chats', '[{"App":"https://app.example"},{"Bad":"javascript:alert(1)"}]', { reason: 'script_link', place: '2' }],
  ['EmailDomainWhitelist', 'a.com,nowhere', { reason: 'domain', place: 'nowhere' }],
  ['EmailDomainWhitelist', 'a.com,b.com,a.com', { reason: 'repeated', place: 'a.com' }],
  ['ModelRatio', '{', { reason: 'json' }],
]

test.each(cases)('%s %s has the right reason and place', (key, text, fault) => {
  expect(faultOf(key, text)).toEqual(fault)
})
