import {
  ChannelFactor,
  channelRoutes,
  isSecretOption,
  NewPriceEntry,
  optionKeys,
  optionOf,
  planRoutes,
  priceRoutes,
  windowRoutes,
} from '@tollgate/contract'
import { providers } from '@tollgate/providers'
import { z } from 'zod'

/** Columns of a channel that hold a JSON object: a file has the object itself. */
const jsonFields = ['model_mapping', 'status_code_mapping', 'param_override', 'setting'] as const
/** Columns of a channel that hold words with commas between them: a file has a list. */
const listFields = ['models', 'group'] as const

const isAmong = (names: readonly string[], name: string): boolean => names.includes(name)
export const isJsonField = (name: string): boolean => isAmong(jsonFields, name)
export const isListField = (name: string): boolean => isAmong(listFields, name)

const JsonObject = z.record(z.string(), z.unknown())

/** Everything the contract says of a channel but its name, which is its key in the file. */
function channelMembers() {
  const members = channelRoutes.channelFieldNames
    .filter((name) => name !== 'name')
    .map((name) => [name, memberOf(name).optional()] as const)
  return Object.fromEntries(members)
}

function memberOf(name: channelRoutes.ChannelFieldName): z.ZodType {
  if (isJsonField(name)) return JsonObject
  if (isListField(name)) return z.array(z.string())
  return typeof channelRoutes.blankFields[name] === 'number' ? z.number() : z.string()
}

const { id: _id, ...windowShape } = windowRoutes.WindowSettings.shape
const FileWindow = z.strictObject(windowShape)
export type FileWindow = z.output<typeof FileWindow>

const FileCosts = z.strictObject({
  factor: ChannelFactor.shape.factor
    .optional()
    .describe('On the list price of everything that is not among the models'),
  models: z.record(priceRoutes.PricedModel, NewPriceEntry).optional().describe('By model'),
})
export type FileCosts = z.output<typeof FileCosts>

const FileChannel = z.strictObject({
  type: z.enum(providers.map(({ id }) => id)).describe('The vendor'),
  key: z.string().optional().describe('One key, or several in lines of their own. Absent: the stored one stays'),
  enabled: z.boolean().optional().describe('Absent: stays as it is; a new channel is enabled'),
  ...channelMembers(),
  windows: z.array(FileWindow).default([]).describe('Limits of the channel'),
  costs: FileCosts.default({}).describe('What calls cost the operator. Absent: the list price'),
})

const { name: _name, windows: _windows, ...planShape } = planRoutes.PlanSettings.shape

const FilePlan = z.strictObject({
  ...planShape,
  windows: z.array(FileWindow).default([]).describe('Limits of each subscription'),
})

const FileGroup = z.strictObject({
  windows: z.array(FileWindow).default([]).describe('Limits of each user of the group'),
})

/** A value as the option has it; texts may be given for all of them, as the settings store them. */
function optionMember(key: (typeof optionKeys)[number]) {
  const { kind, choices } = optionOf(key)
  if (isSecretOption(key)) return z.string().describe('A secret, as ${NAME} of the environment')
  if (kind === 'boolean') return z.union([z.boolean(), z.string()])
  if (kind === 'integer' || kind === 'number') return z.union([z.number(), z.string()])
  if (kind === 'choice' && choices) return z.enum(choices)
  return kind === 'json' ? z.union([JsonObject, z.array(z.unknown()), z.string()]) : z.string()
}

const FileOptions = z.strictObject(Object.fromEntries(optionKeys.map((key) => [key, optionMember(key).optional()])))

/** The settings of a site as a file. A section that is absent is left alone. */
export const SiteFile = z.strictObject({
  options: FileOptions.optional().describe('By key, as docs/options.md lists them'),
  channels: z.record(z.string().min(1), FileChannel).optional().describe('By name'),
  prices: z.record(priceRoutes.PricedModel, NewPriceEntry).optional().describe('Own prices, by model'),
  plans: z.record(z.string().min(1), FilePlan).optional().describe('By name'),
  groups: z.record(z.string().min(1), FileGroup).optional().describe('Limits of groups, by name'),
})
export type SiteFile = z.output<typeof SiteFile>
export type FileChannel = z.output<typeof FileChannel>
export type FilePlan = z.output<typeof FilePlan>

export type Section = keyof SiteFile

/** Returns the JSON schema of the file, for editors. */
export const siteFileSchema = (): object => z.toJSONSchema(SiteFile, { io: 'input', unrepresentable: 'any' })
