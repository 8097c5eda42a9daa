import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { priceSyncRoutes } from '@tollgate/contract'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { ChannelSelect } from '../../../components/combobox/channel-select'
import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { FormDrawer } from '../../../components/dialogs/form-drawer'
import { useTranslation } from '../../../lib/text/i18n'
import { useWrite } from '../../../lib/api/query'
import { sourceName } from './source-name'

interface SourceDrawerProps {
  /** Absent for a new one. */
  readonly source: priceSyncRoutes.PriceSource | undefined
  readonly onClose: () => void
}

/** Edits the gateway behind a channel as a source of prices. */
export function SourceDrawer({ source, onClose }: SourceDrawerProps) {
  const { t } = useTranslation('price-sync')
  const form = useForm({
    initialValues: {
      channelId: source?.channel_id,
      use: source?.use ?? 'cost',
      group: source?.group ?? 'default',
    },
    validate: { channelId: (id) => (id === undefined ? t('drawer.channelNeeded') : null) },
  })
  const { mutate, isPending } = useWrite(priceSyncRoutes.setPriceSource, {
    changes: [priceSyncRoutes.priceSync, priceSyncRoutes.listProposals],
    onSuccess: onClose,
  })
  const save = form.onSubmit(({ channelId, use, group }) => {
    if (channelId === undefined) return
    mutate({ params: { id: channelId }, body: { use, group: group.trim() || 'default' } })
  })
  return (
    <FormDrawer
      isOpen
      title={source ? sourceName(source) : t('drawer.new')}
      isDirty={form.isDirty()}
      isSaving={isPending}
      onSave={save}
      onClose={onClose}
      footer={
        source && (
          <ConfirmButton
            color="red"
            title={t('drawer.remove')}
            question={t('drawer.removeQuestion', { name: sourceName(source) })}
            confirmText={t('drawer.remove')}
            onConfirm={() => mutate({ params: { id: source.channel_id }, body: { use: 'off' } })}
          >
            {t('drawer.remove')}
          </ConfirmButton>
        )
      }
    >
      {!source && (
        <ChannelSelect
          label={t('drawer.channel')}
          description={t('drawer.channelHint')}
          withAsterisk
          value={form.values.channelId}
          onChange={(id) => form.setFieldValue('channelId', id)}
          error={form.errors['channelId']}
        />
      )}
      <ChoiceSelect
        label={t('drawer.use')}
        description={t('drawer.useHint')}
        choices={priceSyncRoutes.sourceUses.map((use) => ({ value: use, label: t(`drawer.${use}`) }))}
        value={form.values.use}
        onChange={(use) => form.setFieldValue('use', use)}
      />
      <TextInput
        label={t('drawer.group')}
        description={t('drawer.groupHint')}
        maxLength={64}
        {...form.getInputProps('group')}
      />
    </FormDrawer>
  )
}
