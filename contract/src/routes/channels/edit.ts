import * as z from 'zod'

import { readOnlyFields } from '../../http/route'
import { ChannelId } from '../../pricing/units'
import { ChannelEntity } from './entity'
import { partOfFields } from './fields'
import { longText, text } from './parts'

/** What an administrator decides; the rules with a sentence of their own are checked by the server. */
const editableFields = {
  type: z.number().int().optional(),
  /** Several keys separated by commas or line ends. Empty: unchanged. */
  key: text(longText),
  ...partOfFields('sent'),
}

const readOnly = {
  ...readOnlyFields(ChannelEntity, { ...editableFields, id: ChannelId, status: z.number() }),
  /** The groups of an edited channel as an array, which older consoles send in addition to `group`. */
  groups: z.unknown().optional(),
}

export const NewChannel = z.object({
  ...editableFields,
  ...readOnly,
  id: z.unknown().optional(),
  status: z.unknown().optional(),
  /** Take the keys of this channel when `key` is empty. */
  copy_from: ChannelId.optional(),
})
export type NewChannel = z.output<typeof NewChannel>

export const ChannelEdit = z.object({
  id: ChannelId,
  status: z.number().int().optional(),
  ...editableFields,
  ...readOnly,
})
export type ChannelEdit = z.output<typeof ChannelEdit>
