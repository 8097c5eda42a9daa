import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { passwordLength, type ApiError, type RouteResult, type setupRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { ErrorText } from '../../../lib/api/error-text'
import { focusFirstFault } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { ModeChoice, type Mode } from './mode-choice'
import { setupFaults, type SetupValues, useSetUp } from './use-set-up'

interface SetupFormProps {
  /** What the gateway still requires. */
  readonly needs: RouteResult<typeof setupRoutes.getSetup>
}

const untouched = { username: '', password: '', confirmPassword: '', mode: 'external' } as const

/** Returns the code of the link that the gateway printed when it started; it stays in the browser. */
const linkedCode = (): string => new URLSearchParams(window.location.hash.slice(1)).get('code') ?? ''

export function SetupForm({ needs }: SetupFormProps) {
  const { t } = useTranslation('setup')
  const form = useForm<SetupValues>({
    initialValues: { ...untouched, setupCode: linkedCode() },
    validate: (values) => setupFaults(values, needs, t),
  })
  const [failure, setFailure] = useState<ApiError | undefined>()
  const { setUp, isBusy, isDone } = useSetUp({
    onError: (error) => {
      const field = error.code && fieldOf[error.code]
      if (field) form.setFieldError(field, error.message)
      else setFailure(error)
    },
  })
  const submit = form.onSubmit((values) => {
    setFailure(undefined)
    setUp(values, needs)
  }, focusFirstFault)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {needs.root_init ? (
          <Text size="sm">{t('rootExists')}</Text>
        ) : (
          <>
            <TextInput
              label={t('username')}
              description={t('usernameHint')}
              autoComplete="username"
              data-autofocus
              {...form.getInputProps('username')}
            />
            <PasswordInput
              label={t('password')}
              description={t('common:password.hint', passwordLength)}
              autoComplete="new-password"
              {...form.getInputProps('password')}
            />
            <PasswordInput
              label={t('confirm')}
              autoComplete="new-password"
              {...form.getInputProps('confirmPassword')}
            />
          </>
        )}
        {needs.code_required && (
          <TextInput
            label={t('code')}
            description={t('codeHint')}
            autoComplete="off"
            {...form.getInputProps('setupCode')}
          />
        )}
        <ModeChoice value={form.values.mode} onChange={(mode: Mode) => form.setFieldValue('mode', mode)} />
        <div role="alert">
          {failure && (
            <>
              <Text size="sm" fw={600} c="var(--mantine-color-error)">
                {t(titleOf(failure))}
              </Text>
              <ErrorText error={failure} />
            </>
          )}
        </div>
        <div role="status">{isDone && <Text size="sm">{t('done')}</Text>}</div>
        <Button type="submit" size="sm" loading={isBusy || isDone}>
          {t('submit')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('database', { kind: needs.database_type === 'sqlite' ? 'SQLite' : 'PostgreSQL' })}
        </Text>
      </Stack>
    </form>
  )
}

const fieldOf: Partial<Record<NonNullable<ApiError['code']>, keyof SetupValues>> = {
  'setup.username': 'username',
  'setup.short': 'password',
  'setup.mismatch': 'confirmPassword',
  'setup.code': 'setupCode',
}

/** A server that cannot parse the form has another version than the page; an unreachable or failing one has not refused anything. */
function titleOf({ status, code }: ApiError) {
  if (code === 'input.invalid') return 'stale'
  return status > 0 && status < 500 ? 'failed' : 'failedSystem'
}
