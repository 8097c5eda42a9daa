import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { role, sessionRoutes, type ApiError } from '@tollgate/contract'
import { useState, type KeyboardEvent } from 'react'

import { useBotCheck } from '../../../domain/bot-check/use-bot-check'
import { FormFailure } from '../../../components/dialogs/form-failure'
import { UsernameInput } from '../../../components/fields/username-input'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { storedUser } from '../../../lib/api/session'

/** Initial account of many gateways, known to everyone. */
const wellKnown = { username: 'root', password: '123456' }

interface LoginFormProps {
  /** Called when the administrator still has the default password. */
  readonly onDefaultPassword: () => void
}

export function LoginForm({ onDefaultPassword }: LoginFormProps) {
  const { t } = useTranslation('login')
  const [failure, setFailure] = useState<ApiError | undefined>()
  const [hasCapsLock, setCapsLock] = useState(false)
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: {
      username: (value) => (value.trim() === '' ? t('fault.username') : null),
      password: (value) => (value === '' ? t('fault.password') : null),
    },
  })
  const check = useBotCheck('login')
  const { mutate, isPending } = useWrite(sessionRoutes.logIn, {
    onError: (error) => {
      check.renew()
      setFailure(error)
    },
  })
  const submit = form.onSubmit((values) => {
    setFailure(undefined)
    if (!check.mayGoOn()) return
    const body = { username: values.username.trim(), password: values.password }
    mutate(
      { query: check.query, body },
      {
        onSuccess: (user) => {
          if (user.role === role.root && isWellKnown(body)) onDefaultPassword()
          storedUser.set(user)
          notifySuccess(t('success'))
        },
      },
    )
  })
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <UsernameInput label={t('username')} {...form.getInputProps('username')} />
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          description={hasCapsLock ? t('capsLock') : undefined}
          onKeyUp={watchCapsLock}
          {...form.getInputProps('password')}
        />
        {check.widget}
        <FormFailure error={failure} />
        <Button type="submit" size="sm" loading={isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  )
}

const isWellKnown = ({ username, password }: typeof wellKnown) =>
  username === wellKnown.username && password === wellKnown.password
