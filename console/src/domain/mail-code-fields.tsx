import { Box, Button, Group, TextInput } from '@mantine/core'
import { registrationRoutes } from '@tollgate/contract'
import { Suspense, useCallback, useState, type ChangeEvent, type ReactNode } from 'react'

import { showAtField } from '../lib/api/form-errors'
import { useTranslation } from '../lib/text/i18n'
import { notifySuccess } from '../lib/browser/notify'
import { useWrite } from '../lib/api/query'
import { useSite } from '../lib/api/status'
import { useCountdown } from '../lib/text/use-countdown'
import { BotCheck } from './bot-check/use-bot-check'

/** The field's form props. */
interface Field {
  readonly value?: string
  readonly error?: ReactNode
  readonly onChange?: (event: ChangeEvent<HTMLInputElement>) => void
}

interface MailCodeFieldsProps {
  readonly email: Field
  readonly code: Field
  readonly label: string
  readonly hint?: string
  /** The form, which shows the server's error for the address under `email`. */
  readonly form: { readonly setFieldError: (field: string, message: string) => void }
}

/** Minimum pause between two codes for an address. */
const pauseSeconds = 30

/** A mail address and the code sent to it. Where the site has a bot check, it is required for sending a code. */
export function MailCodeFields({ email, code, label, hint, form }: MailCodeFieldsProps) {
  const { t } = useTranslation()
  const { turnstile_check: hasCheck } = useSite()
  const [isAsking, setAsking] = useState(false)
  const { left, start } = useCountdown(pauseSeconds)
  const address = email.value?.trim() ?? ''
  const { mutate, isPending } = useWrite(registrationRoutes.sendMailCode, {
    onSuccess: () => {
      start()
      notifySuccess(t('mailCode.sent'))
    },
    onError: showAtField(form, { 'email.invalid': 'email', 'email.domain': 'email', 'email.alias': 'email' }),
  })
  const send = useCallback(
    (turnstile?: string) => {
      setAsking(false)
      mutate({ query: { email: address, ...(turnstile !== undefined && { turnstile }) } })
    },
    [mutate, address],
  )
  const onToken = useCallback((token: string | undefined) => void (token !== undefined && send(token)), [send])
  const begin = () => {
    if (address === '') form.setFieldError('email', t('mailCode.missing'))
    else if (hasCheck) setAsking(true)
    else send()
  }
  return (
    <>
      <TextInput
        type="email"
        label={label}
        description={hint}
        autoComplete="email"
        inputContainer={(input) => (
          <Group gap={8} wrap="nowrap" align="flex-end">
            <Box flex={1}>{input}</Box>
            <Button variant="default" size="sm" onClick={begin} loading={isPending} disabled={left > 0 || isAsking}>
              {left > 0 ? t('mailCode.again', { count: left }) : t('mailCode.send')}
            </Button>
          </Group>
        )}
        {...email}
      />
      {isAsking && (
        <Suspense>
          <BotCheck action="verification" onToken={onToken} />
        </Suspense>
      )}
      <TextInput label={t('mailCode.code')} inputMode="numeric" autoComplete="one-time-code" maxLength={64} {...code} />
    </>
  )
}
