import { useForm, type UseFormReturnType } from '@mantine/form'
import { channelRoutes } from '@tollgate/contract'

import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { useWrite } from '../../../lib/api/query'
import { channelFaults } from './channel-faults'
import { blankForm, changesOf, formOf, toSentChannel, type ChannelForm } from './channel-form'
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
