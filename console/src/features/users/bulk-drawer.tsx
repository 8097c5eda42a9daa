import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { userRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/i18n'

import { GroupSelect } from '../../components/combobox/group-select'
import { FormDrawer } from '../../components/dialogs/form-drawer'
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

const mostNamed = 8

/** Moves the selected users to a group, or adds the same amount to each balance, with one reason. */
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
  const names = users.slice(0, mostNamed).map(({ username }) => username)
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
      onSave={form.onSubmit(
        ({ group, added, reason }) =>
          void save({
            reason: reason.trim(),
            ...(kind === 'group' ? { group: group ?? undefined } : { quota: Number(added) }),
          }),
      )}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('bulk.whom', { count: users.length, names: names.join(', ') + (users.length > mostNamed ? ' …' : '') })}
      </Text>
      {kind === 'group' ? (
        <GroupSelect label={t('column.group')} withAsterisk data-autofocus {...form.getInputProps('group')} />
      ) : (
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
        description={t(kind === 'group' ? 'bulk.reasonHint' : 'field.reasonHint')}
        withAsterisk
        maxLength={255}
        autoComplete="off"
        {...form.getInputProps('reason')}
      />
    </FormDrawer>
  )
}
