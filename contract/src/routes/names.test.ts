import { expect, test } from 'bun:test'

import * as z from 'zod'

import * as contract from '../index'
import { NewPriceEntry, PriceEntry } from '../pricing/price-entry'
import { options } from '../options'
import { createAccessToken } from './access-tokens'
import { updateSetting } from './account'
import { createChannel, enableTag, tagChannels, updateTag } from './channels'
import { addPasskey, renamePasskey } from './factors'
import { NewMessage } from './messages'
import { NewRedemption } from './redemption-codes'
import { NewToken, TokenEdit } from './tokens'
import { changeUsers, updateUser } from './users'

/** Every text that names something, and where it is sent. The handlers check names and display names of users. */
const names: readonly (readonly [what: string, schema: z.ZodType | undefined, member: string])[] = [
  ['a new key', NewToken, 'name'],
  ['a key', TokenEdit, 'name'],
  ['the group of a key', NewToken, 'group'],
  ['a channel', createChannel.body, 'name'],
  ['the tag of a channel', createChannel.body, 'tag'],
  ['the test model of a channel', createChannel.body, 'test_model'],
  ['the tag of several channels', tagChannels.body, 'tag'],
  ['a tag', enableTag.body, 'tag'],
  ['a new tag', updateTag.body, 'new_tag'],
  ['a redemption code', NewRedemption, 'name'],
  ['the letters of a redemption code', NewRedemption, 'key'],
  ['an access token', createAccessToken.body, 'name'],
  ['a new passkey', addPasskey.body, 'name'],
  ['a passkey', renamePasskey.body, 'name'],
  ['the customer on invoices', updateSetting.body, 'billing_name'],
  ['a message', NewMessage, 'title'],
  ['the group of a user', updateUser.body, 'group'],
  ['the group of several users', changeUsers.body, 'group'],
]

const faultsOf = (schema: z.ZodType | undefined, member: string, value: string): unknown[] =>
  (schema?.safeParse({ [member]: value }).error?.issues ?? []).filter(({ path }) => path[0] === member)

test.each(names)('a name of %s is refused with control characters in it', (_what, schema, member) => {
  for (const character of ['\u0000', '\u0007', '\u001b', '\n', '\t', '\u007f', '\u0085'])
    expect(faultsOf(schema, member, `a${character}b`)).toHaveLength(1)
  expect(faultsOf(schema, member, 'a name, 名称 ✓')).toHaveLength(0)
})

/** Checked by the handlers, which have sentences of their own. */
const checkedByHandlers: ReadonlySet<string> = new Set(['display_name'])
const namesSomething = /(?:^|_)(?:name|title|tag|label)$/

/** Yields the texts in a body, each with its place. */
function* textsIn(schema: z.core.$ZodType, place: string): Generator<readonly [place: string, schema: z.ZodString]> {
  if (schema instanceof z.ZodString) yield [place, schema]
  else if (schema instanceof z.ZodObject)
    for (const [member, inner] of Object.entries(schema.shape)) yield* textsIn(inner, `${place}.${member}`)
  else if (schema instanceof z.ZodArray) yield* textsIn(schema.element, place)
  else if (schema instanceof z.ZodRecord) yield* textsIn(schema.valueType, `${place}.*`)
  else if (schema instanceof z.ZodPipe) yield* textsIn(schema.in, place)
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) yield* textsIn(option, place)
  else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    yield* textsIn(schema.unwrap(), place)
}

test('every text in the body of a route that is named like a name is refused with control characters', () => {
  const routes = Object.entries(contract).flatMap(([key, group]) =>
    key.endsWith('Routes') ? Object.values(group) : [],
  )
  const bodies = routes.flatMap((one) =>
    typeof one === 'object' && 'body' in one && 'path' in one && one.body instanceof z.ZodType
      ? [...textsIn(one.body, one.path)]
      : [],
  )
  const named = bodies.filter(([place]) => {
    const member = place.replace(/\.\*$/, '').split('.').at(-1) ?? ''
    return namesSomething.test(member) && !checkedByHandlers.has(member)
  })
  expect(named.map(([place]) => place)).toContain('/api/prices.items.entry.modes.name')
  expect(named.flatMap(([place, schema]) => (schema.safeParse('a\u001bb').success ? [place] : []))).toEqual([])
})

test('a price whose mode or hours have a control character in their name is refused, and read where it is stored', () => {
  const hours = { zone: 'UTC', days: [1], from: '08:00', to: '10:00', factor: 2 }
  const entry = (name: string, value: string, schedule: string) => ({
    prices: { input: 1 },
    modes: [{ name, match: { service_tier: value }, factor: 2 }],
    schedules: [{ name: schedule, ...hours }],
  })
  expect(NewPriceEntry.safeParse(entry('快 fast', 'flex', 'noon')).success).toBe(true)
  for (const bad of [entry('a\nb', 'flex', 'noon'), entry('a', 'fl\tex', 'noon'), entry('a', 'flex', 'no\u001bon')]) {
    expect(NewPriceEntry.safeParse(bad).success).toBe(false)
    expect(PriceEntry.parse(bad)).toEqual(bad)
  }
})

test('options of one line are refused with control characters, those of several lines take them', () => {
  for (const [key, option] of Object.entries(options))
    if (option.kind === 'text') {
      const accepts = option.schema().safeParse('a\nb').success
      expect([key, accepts && option.format === undefined]).toEqual([key, false])
    }
  expect(options.Notice.schema().safeParse('a\n\tb').success).toBe(true)
})
