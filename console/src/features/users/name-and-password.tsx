import { PasswordInput, TextInput } from '@mantine/core'
import { passwordLength } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import type { UserForm } from './user-form'

interface NameAndPasswordProps {
  readonly form: UserForm
  readonly isNew?: boolean
  readonly isDisabled?: boolean
}

/** Names and password of an account. */
export function NameAndPassword({ form, isNew = false, isDisabled }: NameAndPasswordProps) {
  const { t } = useTranslation('users')
  const length = t('common:password.hint', passwordLength)
  return (
    <>
      <TextInput
        label={t('field.username')}
        withAsterisk={isNew}
        autoComplete="off"
        data-autofocus={!isDisabled || undefined}
        disabled={isDisabled}
        {...form.getInputProps('username')}
      />
      <TextInput
        label={t('field.displayName')}
        description={isNew ? t('field.displayNameHint') : undefined}
        autoComplete="off"
        disabled={isDisabled}
        {...form.getInputProps('displayName')}
      />
      <PasswordInput
        label={t('field.password')}
        description={isNew ? length : t('field.keepPassword', { length })}
        withAsterisk={isNew}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword') }}
        disabled={isDisabled}
        {...form.getInputProps('password')}
      />
    </>
  )
}
