import { expect, test } from 'bun:test'

import type * as z from 'zod'

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

test('options of one line are refused with control characters, those of several lines take them', () => {
  for (const [key, option] of Object.entries(options))
    if (option.kind === 'text') {
      const accepts = option.schema().safeParse('a\nb').success
      expect([key, accepts && option.format === undefined]).toEqual([key, false])
    }
  expect(options.Notice.schema().safeParse('a\n\tb').success).toBe(true)
})
