import { NumberInput, SimpleGrid } from '@mantine/core'
import { channelNumbers, channelRoutes, type ChannelNumber } from '@tollgate/contract'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { objectOf, withSetting } from './setting-text'
import type { ChannelFormState } from './use-channel-form'

const names = [
  'max_concurrency',
  'max_waiting',
  'max_wait_seconds',
  'first_byte_timeout',
  'first_byte_timeout_whole',
] as const satisfies readonly ChannelNumber[]

interface FlowFieldsProps {
  readonly form: ChannelFormState
  readonly vendor: channelRoutes.ChannelType | undefined
}

const policies = ['cancel', 'drain'] as const

/** Concurrency, queue, timeouts, and what happens when a client leaves: keys of the settings JSON. */
export function FlowFields({ form, vendor }: FlowFieldsProps) {
  const { t } = useTranslation('channel-editor')
  const { setting } = form.values
  const settings = objectOf(setting)
  const { data: defaults } = useRead(channelRoutes.channelDefaults, undefined, { staleTime: 300_000 })
  const write = (key: string, value: string | number) => form.setFieldValue('setting', withSetting(setting, key, value))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {names.map((name) => {
        const value = settings?.[name]
        return (
          <NumberInput
            key={name}
            label={t(`flow.${name}`)}
            description={t(`flow.${name}_hint`)}
            // Invalid JSON must be fixed in its own field; a number must not replace it.
            disabled={!settings}
            value={typeof value === 'number' ? value : ''}
            onChange={(next) => write(name, next === '' ? '' : Number(next))}
            placeholder={defaults && String(defaults[name])}
            min={channelNumbers[name].min}
            max={channelNumbers[name].max}
            allowDecimal={false}
          />
        )
      })}
      <ChoiceSelect
        label={t('flow.on_disconnect')}
        description={t('flow.on_disconnect_hint')}
        disabled={!settings}
        choices={[
          { value: '', label: t(`flow.usual.${vendor?.bills_abandoned ?? 'all'}`) },
          ...policies.map((value) => ({ value, label: t(`flow.${value}`) })),
        ]}
        value={policies.find((policy) => policy === settings?.['on_disconnect']) ?? ''}
        onChange={(chosen) => write('on_disconnect', chosen)}
      />
    </SimpleGrid>
  )
}
