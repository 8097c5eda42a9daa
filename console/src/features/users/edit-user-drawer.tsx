import { Divider, Group, Text, TextInput, SimpleGrid } from '@mantine/core'
import { userRoutes } from '@tollgate/contract'
import { lazy, Suspense } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { GroupSelect } from '../../components/combobox/group-select'
import { FormDrawer, LoadedDrawer } from '../../components/dialogs/form-drawer'
import { useSecondLook, useUnusualQuota } from '../../components/dialogs/use-second-look'
import { LimitsSection } from '../../domain/limits/limits-section'
import { Money } from '../../domain/money'
import { MoneyInput } from '../../components/fields/money-input'
import { showAtField } from '../../lib/api/form-errors'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { NameAndPassword } from './name-and-password'
import { addedQuota, editOf, fieldOfRefusal, valuesOf, useUserForm, type UserForm } from './user-form'
import { userReads, useIdentities } from './user-data'

const GrantsSection = lazy(async () => ({
  default: (await import('./grants-section')).GrantsSection,
}))

type User = userRoutes.UserEntity

interface EditUserDrawerProps {
  readonly id: number
  readonly onClose: () => void
}

/** Edits another account. */
export function EditUserDrawer({ id, onClose }: EditUserDrawerProps) {
  const { t } = useTranslation('users')
  const read = useRead(userRoutes.getUser, { params: { id } }, { staleTime: 0 })
  return (
    <LoadedDrawer title={t('edit')} read={read} onClose={onClose}>
      {(user) =>
        userRoutes.isWhole(user) ? <EditedUser user={user} onClose={onClose} /> : <NotEditable onClose={onClose} />
      }
    </LoadedDrawer>
  )
}

/** Shown for a user of the reader's own rank or above. */
function NotEditable({ onClose }: Pick<EditUserDrawerProps, 'onClose'>) {
  const { t } = useTranslation('users')
  return (
    <FormDrawer isOpen title={t('edit')} isDirty={false} isReadOnly onSave={() => {}} onClose={onClose}>
      <Text size="sm">{t('notEditable')}</Text>
    </FormDrawer>
  )
}

function EditedUser({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation('users')
  const { may } = useViewer()
  const mayWrite = may('users.write')
  const form = useUserForm(valuesOf(user), user)
  const update = useWrite(userRoutes.updateUser, {
    changes: userReads,
    onSuccess: ({ username }) => {
      notifySuccess(t('saved', { name: username }))
      onClose()
    },
    onError: showAtField(form, fieldOfRefusal),
  })
  const unusualQuota = useUnusualQuota()
  const { isMeant, dialog } = useSecondLook()
  return (
    <FormDrawer
      isOpen
      title={t('editNamed', { name: user.username })}
      isDirty={form.isDirty()}
      isSaving={update.isPending}
      onSave={form.onSubmit(async (values) => {
        const body = editOf(user, values)
        if (Object.keys(body).length === 1) notifyWarning(t('unchanged'))
        else if (await isMeant(unusualQuota(t('field.added'), addedQuota(values), user.quota))) update.mutate({ body })
      })}
      onClose={onClose}
    >
      {dialog}
      <NameAndPassword form={form} isDisabled={!mayWrite} />
      <GroupSelect label={t('column.group')} disabled={!mayWrite} {...form.getInputProps('group')} />
      <Divider label={t('column.balance')} labelPosition="left" />
      <BalanceFields user={user} form={form} mayChange={may('balances.write')} />
      <Suspense>
        <LimitsSection owner={{ owner: 'user', ref: String(user.id), name: user.username }} mayWrite={mayWrite} />
      </Suspense>
      <Divider label={t('identity.title')} labelPosition="left" />
      <IdentityFields user={user} />
      <Suspense>
        <GrantsSection user={user} />
      </Suspense>
    </FormDrawer>
  )
}

interface BalanceFieldsProps {
  readonly user: User
  readonly form: UserForm
  readonly mayChange: boolean
}

/** The amount to add to the balance, the result, and the reason. */
function BalanceFields({ user, form, mayChange }: BalanceFieldsProps) {
  const { t } = useTranslation('users')
  const added = addedQuota(form.values)
  return (
    <>
      <Group gap={6} fz="sm">
        <Text inherit c="dimmed">
          {t('balance.now')}
        </Text>
        <Money quota={user.quota} />
        {added !== 0 && (
          <>
            <Text inherit c="dimmed">
              {t('balance.then')}
            </Text>
            <Money quota={user.quota + added} fw={500} />
          </>
        )}
      </Group>
      {mayChange && (
        <>
          <MoneyInput
            label={t('field.added')}
            description={t('field.addedHint')}
            allowNegative
            {...form.getInputProps('added')}
          />
          <TextInput
            label={t('field.reason')}
            description={t('field.reasonHint')}
            maxLength={255}
            autoComplete="off"
            {...form.getInputProps('reason')}
          />
        </>
      )}
    </>
  )
}

/** The mail address and external accounts, which only the user can link. */
function IdentityFields({ user }: { readonly user: userRoutes.UserEntity }) {
  const { t } = useTranslation('users')
  const shown = [{ field: 'email', name: t('column.email') } as const, ...useIdentities()]
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {shown.map(({ field, name }) => (
        <TextInput
          key={field}
          label={name}
          value={user[field]}
          placeholder={t('identity.none')}
          readOnly
          variant="filled"
        />
      ))}
    </SimpleGrid>
  )
}
