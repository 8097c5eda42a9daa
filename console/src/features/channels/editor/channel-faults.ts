import { channelRoutes } from '@tollgate/contract'

import { isElsewhere, type ChannelForm } from './channel-form'
import { objectOf } from './setting-text'

/** Why a field is invalid: the texts under `fault`. */
type Fault =
  | 'type'
  | 'nameAndKey'
  | 'name'
  | 'keyNeeded'
  | 'keyAgain'
  | 'models'
  | 'groups'
  | 'field'
  | 'region'
  | 'model_mapping'
  | 'status_code_mapping'
  | 'setting'
  | 'param_override'
  | 'priority'
  | 'weight'

export type ChannelFaults = Partial<Record<keyof ChannelForm, Fault>>

const jsonFields = ['model_mapping', 'status_code_mapping', 'setting', 'param_override'] as const

/** Returns what must be fixed before a channel is sent. The server checks all of it again, and more. */
export function channelFaults(
  form: ChannelForm,
  vendor: channelRoutes.ChannelType | undefined,
  /** The form as it was opened; absent for a new channel. */
  before: ChannelForm | undefined,
): ChannelFaults {
  const faults: ChannelFaults = {}
  if (form.type === '') faults.type = 'type'
  const needsName = form.name.trim() === ''
  const needsKey = form.key.trim() === ''
  if (needsName) faults.name = needsKey && !before ? 'nameAndKey' : 'name'
  if (needsKey) {
    if (!before) faults.key = needsName ? 'nameAndKey' : 'keyNeeded'
    else if (isElsewhere(before, form, vendor?.base_url ?? null)) faults.key = 'keyAgain'
  }
  if (form.models.length === 0) faults.models = 'models'
  if (form.groups.length === 0) faults.groups = 'groups'
  for (const name of jsonFields) if (!objectOf(form[name])) faults[name] = name
  if (form.other.trim().startsWith('{') && !objectOf(form.other)) faults.other = 'region'
  if (Number(form.priority) < channelRoutes.lowestPriority || !Number.isInteger(Number(form.priority)))
    faults.priority = 'priority'
  if (Number(form.weight) < 0 || !Number.isInteger(Number(form.weight))) faults.weight = 'weight'
  return { ...neededFields(form, vendor), ...faults }
}

/** Fields required by the vendor. */
function neededFields(form: ChannelForm, vendor: channelRoutes.ChannelType | undefined): ChannelFaults {
  const faults: ChannelFaults = {}
  for (const { name, required, default: initial } of vendor?.fields ?? []) {
    if (!isTextColumn(name) || !required || initial) continue
    if (form[name].trim() === '') faults[name] = 'field'
  }
  if (vendor && vendor.base_url === null && form.base_url.trim() === '') faults.base_url = 'field'
  return faults
}

/** Columns that a vendor's own fields can map to. */
const textColumns = ['base_url', 'other', 'openai_organization', 'test_model', 'model_prefix', 'tag'] as const
export type TextColumn = (typeof textColumns)[number]

export const isTextColumn = (name: string): name is TextColumn => textColumns.some((column) => column === name)
