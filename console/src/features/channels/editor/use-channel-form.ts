import { useForm, type UseFormReturnType } from '@mantine/form'
import { channelRoutes } from '@tollgate/contract'

import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { useWrite } from '../../../lib/api/query'
import { blankForm, changesOf, type ChannelForm, formOf, objectOf, takesOwnLogins, toSentChannel } from './channel-form'
import { channelReads } from '../channel-data'

type Channel = channelRoutes.ChannelEntity
type Vendor = channelRoutes.ChannelType

export type ChannelFormState = UseFormReturnType<ChannelForm>

/** Fields where the server's refusals are shown. */
const fieldOf = {
  'channel.type': 'type',
  'channel.name_or_key': 'key',
  'channel.key_needed': 'key',
  'channel.key_characters': 'key',
  'channel.key_form': 'key',
  'channel.key_again': 'key',
  'channel.models': 'models',
  'channel.model_long': 'models',
  'channel.group': 'groups',
  'channel.base_url': 'base_url',
  'channel.other': 'other',
  'channel.region': 'other',
  'channel.region_default': 'other',
  'channel.model_mapping': 'model_mapping',
  'channel.model_mapping_cycle': 'model_mapping',
  'channel.status_code_mapping': 'status_code_mapping',
  'channel.setting': 'setting',
  'channel.param_override': 'param_override',
  'channel.priority': 'priority',
  'channel.weight': 'weight',
} as const satisfies Readonly<Record<string, keyof ChannelForm>>

interface Options {
  /** Absent for a new channel. */
  readonly channel: Channel | undefined
  readonly vendors: readonly Vendor[]
  readonly onSaved: (channel: Channel) => void
}

/** The form of a channel and its submission. */
export function useChannelForm({ channel, vendors, onSaved }: Options) {
  const { t } = useTranslation('channel-editor')
  const before = channel && formOf(channel)
  const form = useForm<ChannelForm>({
    initialValues: before ?? blankForm(),
    validate: (values) => {
      const vendor = vendors.find(({ type }) => type === values.type)
      const faults = Object.entries(channelFaults(values, vendor, before))
      return Object.fromEntries(faults.map(([field, fault]) => [field, t(`fault.${fault}`)]))
    },
  })
  const writing = { changes: channelReads, onSuccess: onSaved, onError: showAtField(form, fieldOf) }
  const create = useWrite(channelRoutes.createChannel, writing)
  const update = useWrite(channelRoutes.updateChannel, writing)
  const send = () => {
    const values = form.getValues()
    if (!channel) return create.mutate({ body: toSentChannel(values) })
    return update.mutate({ body: { id: channel.id, ...changesOf(formOf(channel), values) } })
  }
  return { form, send, isSaving: create.isPending || update.isPending }
}

/** Why a field is invalid: the texts under `fault`. */
type Fault =
  | 'type'
  | 'nameAndKey'
  | 'name'
  | 'keyNeeded'
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

type ChannelFaults = Partial<Record<keyof ChannelForm, Fault>>

const jsonFields = ['model_mapping', 'status_code_mapping', 'setting', 'param_override'] as const

/** Returns what must be fixed before a channel is sent. The server checks all of it again, and more. */
export function channelFaults(
  form: ChannelForm,
  vendor: Vendor | undefined,
  /** The form as it was opened; absent for a new channel. */
  before: ChannelForm | undefined,
): ChannelFaults {
  const faults: ChannelFaults = {}
  if (form.type === '') faults.type = 'type'
  const needsName = form.name.trim() === ''
  const needsKey = form.key.trim() === '' && !takesOwnLogins(form)
  if (needsName) faults.name = needsKey && !before ? 'nameAndKey' : 'name'
  // Whether stored keys may go to another address, the server decides: it asks the super admin for the password.
  if (needsKey && !before) faults.key = needsName ? 'nameAndKey' : 'keyNeeded'
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
function neededFields(form: ChannelForm, vendor: Vendor | undefined): ChannelFaults {
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
type TextColumn = (typeof textColumns)[number]

export const isTextColumn = (name: string): name is TextColumn => textColumns.some((column) => column === name)
