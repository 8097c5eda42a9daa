import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { userStatus, type userRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import { GroupSelect } from '../../components/combobox/group-select'
import { FormDrawer } from '../../components/dialogs/form-drawer'
import { useSecondLook, useUnusualQuota } from '../../components/dialogs/use-second-look'
import { MoneyInput } from '../../components/fields/money-input'
import { RunDialog } from '../../components/dialogs/run-dialog'
import { useBulk, type BulkKind } from './use-bulk'

interface BulkDrawerProps {
  readonly kind: BulkKind
  readonly users: readonly userRoutes.KnownUser[]
  /** Called when all of it has succeeded. */
  readonly onDone: () => void
  readonly onClose: () => void
}

interface BulkValues {
  group: string | null
  added: number | string
  reason: string
}

const maxNamed = 8

/** Moves the selected users to a group, adds the same amount to each balance, or bans or enables them, with one reason. */
export function BulkDrawer({ kind, users, onDone, onClose }: BulkDrawerProps) {
  const { t } = useTranslation('users')
  const { save, isSaving, refused } = useBulk(users, onDone)
  const form = useForm<BulkValues>({
    initialValues: { group: null, added: '', reason: '' },
    validate: {
      group: (group) => (kind === 'group' && !group ? t('fault.group') : null),
      added: (added) => (kind === 'credit' && !Number(added) ? t('fault.added') : null),
      reason: (reason) => (reason.trim() === '' ? t('fault.reason') : null),
    },
  })
  const unusualQuota = useUnusualQuota()
  const { isMeant, dialog } = useSecondLook()
  const names = users.slice(0, maxNamed).map(({ username }) => username)
  const title = t(`bulk.${kind}`)
  if (refused)
    return (
      <RunDialog
        title={title}
        progress={refused}
        isRunning={false}
        onClose={() => {
          onClose()
          onDone()
        }}
      />
    )
  return (
    <FormDrawer
      isOpen
      title={title}
      isDirty={form.isDirty()}
      isSaving={isSaving}
      saveText={t('bulk.save', { count: users.length })}
      onSave={form.onSubmit(async ({ group, added, reason }) => {
        if (kind === 'credit' && !(await isMeant(unusualQuota(t('field.added'), Number(added))))) return
        await save({
          reason: reason.trim(),
          ...{
            group: { group: group ?? undefined },
            credit: { quota: Number(added) },
            ban: { status: userStatus.disabled },
            enable: { status: userStatus.enabled },
          }[kind],
        })
      })}
      onClose={onClose}
    >
      {dialog}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('bulk.whom', { count: users.length, names: names.join(', ') + (users.length > maxNamed ? ' …' : '') })}
      </Text>
      {kind === 'ban' && <Text size="sm">{t('bulk.banHint')}</Text>}
      {kind === 'group' && (
        <GroupSelect label={t('column.group')} withAsterisk data-autofocus {...form.getInputProps('group')} />
      )}
      {kind === 'credit' && (
        <MoneyInput
          label={t('field.added')}
          description={t('bulk.addedHint')}
          withAsterisk
          allowNegative
          data-autofocus
          {...form.getInputProps('added')}
        />
      )}
      <TextInput
        label={t('field.reason')}
        description={t(kind === 'credit' ? 'field.reasonHint' : 'bulk.reasonHint')}
        withAsterisk
        data-autofocus={kind === 'ban' || kind === 'enable' || undefined}
        maxLength={255}
        autoComplete="off"
        {...form.getInputProps('reason')}
      />
    </FormDrawer>
  )
}
