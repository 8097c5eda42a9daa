import * as z from 'zod'

import { refusedAs } from '../../http/errors/errors'
import { nameText } from '../../pricing/units'
import { longText, nullableText } from './parts'

export const lowestPriority = -999

const text = (maxLength: number) => ({ sent: nullableText(maxLength), stored: z.string(), blank: '' })
const label = (maxLength: number) => ({
  sent: nameText(maxLength).nullable().optional(),
  stored: z.string(),
  blank: '',
})
/** Comma-separated. */
const list = (maxLength: number, blank = '') => ({
  sent: z.string().max(maxLength).optional(),
  stored: z.string(),
  blank,
})
const number = (sent: z.ZodNumber, blank = 0) => ({ sent: sent.nullable().optional(), stored: z.number().int(), blank })

/**
 * What an administrator decides about a channel, apart from its vendor, keys and status: how a request has it, how the channel has it, in
 * the database too, and what it is at first; null is sent for that. The schemas of the routes, the columns, what the catalog reads, the audit
 * log, the values of the editor, export and import follow from this table. Rules with a sentence of their own are in the gateway's
 * `channel-fields`. Files list the fields in this order.
 */
export const channelFields = {
  name: { sent: nameText(255).optional(), stored: z.string(), blank: '' },
  base_url: text(2048),
  models: list(longText),
  group: list(4096, 'default'),
  priority: number(z.number(refusedAs('channel.priority'))),
  weight: number(z.number(refusedAs('channel.weight'))),
  tag: { sent: nameText(255).nullable().optional(), stored: z.string().nullable(), blank: null },
  other: text(longText),
  openai_organization: text(255),
  /** JSON or empty, as the next three. */
  model_mapping: text(longText),
  status_code_mapping: text(4096),
  param_override: text(longText),
  setting: text(longText),
  system_prompt: text(longText),
  model_prefix: label(64),
  test_model: label(255),
  /** 0: no ceiling. */
  max_input_tokens: number(z.number().int().min(0).max(1e12)),
  /** 1: may be disabled after an error. */
  auto_ban: number(z.number().int().min(0).max(1), 1),
}

type Fields = typeof channelFields
export type ChannelFieldName = keyof Fields
/** The fields of a channel as it is stored. */
export type ChannelFields = { [Name in ChannelFieldName]: z.output<Fields[Name]['stored']> }

export const channelFieldNames = Object.keys(channelFields) as ChannelFieldName[]

/** Returns one part of each field. */
export function partOfFields<Part extends keyof Fields[ChannelFieldName]>(part: Part) {
  const parts = channelFieldNames.map((name) => [name, channelFields[name][part]])
  return Object.fromEntries(parts) as { [Name in ChannelFieldName]: Fields[Name][Part] }
}

/** What a new channel has where a request says nothing. */
export const blankFields: ChannelFields = partOfFields('blank')

/** Returns the fields of a channel among whatever else it has. */
export function fieldsOf<Row extends ChannelFields>(row: Row): Pick<Row, ChannelFieldName> {
  return Object.fromEntries(channelFieldNames.map((name) => [name, row[name]])) as Pick<Row, ChannelFieldName>
}
