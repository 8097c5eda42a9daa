import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { type ApiError, registrationRoutes } from '@tollgate/contract'

import { AuthCard } from '../../../components/auth-card'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'
import { useBotCheck } from '../../../domain/bot-check/use-bot-check'
import { FormFailure } from '../../../components/dialogs/form-failure'
import { showAtField } from '../../../lib/api/form-errors'
import { useWrite } from '../../../lib/api/query'
import { useCountdown } from '../../../lib/text/use-countdown'

/** Sends a link by mail when the password was forgotten. */
export function ResetPage() {
  const { t } = useTranslation('reset')
  const { mail_enabled: canMail, password_login_enabled: hasPasswords } = useSite()
  return (
    <AuthCard
      title={t('title')}
      hint={canMail && hasPasswords && t('hint')}
      footer={
        <Anchor inherit underline="always" component={Link} to="/login">
          {t('back')}
        </Anchor>
      }
    >
      {canMail && hasPasswords ? (
        <RequestResetForm />
      ) : (
        <Alert color="gray">{t(hasPasswords ? 'noMail' : 'noPasswords')}</Alert>
      )}
    </AuthCard>
  )
}

/** Minimum pause between two mails. */
const pauseSeconds = 30

/** The response is the same whether or not an account has the address. */
function RequestResetForm() {
  const { t } = useTranslation('reset')
  const [sentTo, setSentTo] = useState<string | undefined>()
  const [failure, setFailure] = useState<ApiError | undefined>()
  const { left, start } = useCountdown(pauseSeconds)
  const check = useBotCheck('reset')
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (value) => (value.trim() === '' ? t('fault.email') : null) },
  })
  const { mutate, isPending } = useWrite(registrationRoutes.requestPasswordReset, {
    onError: (error) => {
      check.renew()
      showAtField(form, { 'email.invalid': 'email' }, setFailure)(error)
    },
  })
  const submit = form.onSubmit((values) => {
    setFailure(undefined)
    setSentTo(undefined)
    if (!check.mayGoOn()) return
    const email = values.email.trim()
    const onSuccess = () => {
      check.renew()
      setSentTo(email)
      start()
    }
    mutate({ query: { email, ...check.query } }, { onSuccess })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput type="email" label={t('email')} autoComplete="email" autoFocus {...form.getInputProps('email')} />
        {check.widget}
        <div role="status">{sentTo !== undefined && <Alert color="green">{t('sent', { email: sentTo })}</Alert>}</div>
        <FormFailure error={failure} />
        <Button type="submit" size="sm" loading={isPending} disabled={left > 0}>
          {left > 0 ? t('again', { count: left }) : t('submit')}
        </Button>
      </Stack>
    </form>
  )
}
