import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { IconLinkOff } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ApiError, passwordLength, registrationRoutes } from '@tollgate/contract'

import { AuthCard } from '../../../components/auth-card'
import { DeadEnd } from '../../../components/page/state-message'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { storedUser } from '../../../lib/api/session'
import { FormFailure } from '../../../components/dialogs/form-failure'
import { showAtField } from '../../../lib/api/form-errors'
import { passwordFault } from '../../../lib/text/password-fault'
import { useWrite } from '../../../lib/api/query'

const route = getRouteApi('/user/reset')

/** The target of a mailed link: it requires no sign-in and is used up by the new password. */
export function NewPasswordPage() {
  const { t } = useTranslation('reset')
  const { email, token } = route.useSearch()
  const navigate = useNavigate()
  const [isInvalid, setInvalid] = useState(!email || !token)
  const goOn = () => {
    // The server has ended the sessions of this account.
    storedUser.clear()
    notifySuccess(t('new.done'))
    void navigate({ to: '/login', replace: true })
  }
  if (isInvalid || !email || !token) return <InvalidLink />
  return (
    <AuthCard title={t('new.title')} hint={t('new.hint')}>
      <NewPasswordForm email={email} token={token} onDone={goOn} onInvalid={() => setInvalid(true)} />
    </AuthCard>
  )
}

function InvalidLink() {
  const { t } = useTranslation('reset')
  return (
    <DeadEnd
      icon={IconLinkOff}
      title={t('invalid.title')}
      hint={t('invalid.hint')}
      to="/reset"
      action={t('invalid.action')}
    />
  )
}

interface NewPasswordFormProps {
  readonly email: string
  /** Token of the link. */
  readonly token: string
  readonly onDone: () => void
  /** The link was used, has expired, or never existed. */
  readonly onInvalid: () => void
}

function NewPasswordForm({ email, token, onDone, onInvalid }: NewPasswordFormProps) {
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
