import { describe, expect, test } from 'bun:test'

import { optionKeys, optionOf, refusal, refusedAs, type OptionKey, type Phrase } from '@tollgate/contract'
import { z } from 'zod'

import { checkedValue } from './checked-value'
import { sentence } from '../language'
import { strict } from './strict'

const faultOf = (schema: z.ZodType, value: unknown, whole?: string): Phrase | undefined => {
  const checked = checkedValue(schema, value, whole)
  return 'fault' in checked ? checked.fault : undefined
}
const formatFault = (fault: Phrase | undefined, language: 'en' | 'zh') =>
  fault && sentence(fault.code, fault.params ?? {}, language)

const form = strict(
  z.object({
    name: z.string().min(2).max(4).optional(),
    count: z.number().int().min(1).max(9).optional(),
    price: z.number().gt(0).optional(),
    ids: z.array(z.number()).min(1).max(2).optional(),
    mode: z.enum(['a', 'b']).optional(),
    isOn: z.boolean().optional(),
    map: z.record(z.string().regex(/^a/, refusal('reason.name')), z.object({ n: z.number() })).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    digits: z
      .string()
      .regex(/^[0-9]+$/)
      .optional(),
  }),
)

describe('a refused value is reported by its path and a reason in either language', () => {
  test.each([
    [{ name: 'a' }, 'name must have 2 or more characters', 'name：至少 2 个字符'],
    [{ name: 'abcde' }, 'name must have 4 or fewer characters', 'name：最多 4 个字符'],
    [{ name: 1 }, 'name must be text', 'name：必须是文本'],
    [{ count: 0 }, 'count must be at least 1', 'count：不能小于 1'],
    [{ count: 10 }, 'count must be at most 9', 'count：不能大于 9'],
    [{ count: 1.5 }, 'count must be a whole number', 'count：必须是整数'],
    [{ price: 0 }, 'price must be greater than 0', 'price：必须大于 0'],
    [{ ids: [] }, 'ids must have 1 or more entries', 'ids：至少 1 项'],
    [{ ids: [1, 2, 3] }, 'ids must have 2 or fewer entries', 'ids：最多 2 项'],
    [{ ids: [1, '2'] }, 'ids.1 must be a number', 'ids.1：必须是数字'],
    [{ mode: 'c' }, 'mode must be one of a, b', 'mode：只能是以下之一：a, b'],
    [{ isOn: 'yes' }, 'isOn must be true or false', 'isOn：必须是 true 或 false'],
    [{ map: { b: { n: 1 } } }, 'map.b must be a name without control characters', 'map.b：名称不能包含控制字符'],
    [{ map: { a: {} } }, 'map.a.n is required', 'map.a.n：不能为空'],
    [{ either: true }, 'either is not valid', 'either：取值不正确'],
    [{ digits: 'x' }, 'digits has the wrong format', 'digits：格式不正确'],
    [{ role: 100 }, 'role is not a known field', 'role：不支持该字段'],
    [[], 'body must be an object', 'body：必须是对象'],
  ])('the first fault of %j is named in both languages', (value, en, zh) => {
    const fault = faultOf(form, value, 'body')
    expect([formatFault(fault, 'en'), formatFault(fault, 'zh')]).toEqual([en, zh])
  })
})

test.each([
  ['EmailDomainWhitelist', 'qq.com,gmail com', '“gmail com” must be a domain, such as example.com'],
  ['EmailDomainWhitelist', 'a.com,b.com,A.com', '“a.com” is listed twice'],
  ['EventJobFailed', 'mail,mail', '“mail” is listed twice'],
  ['PayMethods', '[{"name":"A","type":"wx"},{"name":"B","type":"wx"}]', '“wx” is listed twice'],
] as const)('an entry of %s is named by itself, not by its place: %s', (key, text, sentence) => {
  expect(formatFault(faultOf(optionOf(key).schema(), text), 'en')).toBe(sentence)
})

test('a value whose field has an error of its own is refused with that one', () => {
  const schema = z.object({ expires: z.number(refusedAs('token.expiry')) })
  for (const expires of ['tomorrow', null]) expect(faultOf(schema, { expires })).toEqual({ code: 'token.expiry' })
})

/** Texts that break any rule of an option. */
const strange = [
  '',
  'x',
  '-1',
  '1e99',
  '0',
  '1.5',
  '{',
  '[]',
  '[1]',
  '{"a":"b"}',
  '{"__proto__":1}',
  '{"a":-1}',
  ',,',
  'a,a',
]

/** Words of the validator's own messages. */
const validatorsWords = /expected|received|Invalid|Too (small|big)|Unrecognized|>=|<=|pattern/

test.each(optionKeys)('a refused value of %s is reported without the words of the validator', (key: OptionKey) => {
  for (const text of [...strange, 'x'.repeat(2_000_001)]) {
    const fault = faultOf(optionOf(key).schema(), text)
    if (!fault) continue
    expect(formatFault(fault, 'zh')).not.toMatch(validatorsWords)
    expect(formatFault(fault, 'zh')).toMatch(/\p{Script=Han}/u)
    expect(formatFault(fault, 'en')).not.toMatch(validatorsWords)
  }
})
