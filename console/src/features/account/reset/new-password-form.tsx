import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { passwordLength, registrationRoutes, type ApiError } from '@tollgate/contract'
import { useState } from 'react'

import { FormFailure } from '../../../components/dialogs/form-failure'
import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { passwordFault } from '../../../lib/text/password-fault'
import { useWrite } from '../../../lib/api/query'

interface NewPasswordFormProps {
  readonly email: string
  /** Token of the link. */
  readonly token: string
  readonly onDone: () => void
  /** The link was used, has expired, or never existed. */
  readonly onInvalid: () => void
}

export function NewPasswordForm({ email, token, onDone, onInvalid }: NewPasswordFormProps) {
  const { t } = useTranslation('reset')
  const [failure, setFailure] = useState<ApiError | undefined>()
  const form = useForm({
    initialValues: { password: '', again: '' },
    validate: {
      password: passwordFault,
      again: (value, { password }) => (value === password ? null : t('fault.mismatch')),
    },
  })
  const { mutate, isPending } = useWrite(registrationRoutes.resetPassword, {
    onSuccess: onDone,
    onError: (error) => {
      if (error.code === 'reset.invalid') onInvalid()
      else showAtField(form, { 'user.password': 'password' }, setFailure)(error)
    },
  })
  const submit = form.onSubmit(({ password }) => {
    setFailure(undefined)
    mutate({ body: { email, token, password } })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput label={t('new.email')} autoComplete="username" readOnly value={email} />
        <PasswordInput
          label={t('new.password')}
          description={t('common:password.hint', passwordLength)}
          autoComplete="new-password"
          autoFocus
          {...form.getInputProps('password')}
        />
        <PasswordInput label={t('new.again')} autoComplete="new-password" {...form.getInputProps('again')} />
        <FormFailure error={failure} />
        <Button type="submit" size="sm" loading={isPending}>
          {t('new.submit')}
        </Button>
      </Stack>
    </form>
  )
}
