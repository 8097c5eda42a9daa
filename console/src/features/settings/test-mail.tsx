import { Button, Group, Paper, Text, TextInput } from '@mantine/core'
import { optionRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import classes from './settings.module.css'
import type { Settings } from './use-settings'

/** Sends a mail with the saved settings. */
export function TestMail({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('setting-tests')
  const [recipient, setRecipient] = useState('')
  const { mutate, isPending } = useWrite(optionRoutes.testMail, {
    onSuccess: () => notifySuccess(t('mail.sent', { recipient: recipient.trim() })),
  })
  if (!settings.mayWrite('SMTPServer')) return null
  const send = () => mutate({ body: { recipient: recipient.trim() } })
  return (
    <Paper className={classes.extra}>
      <Text size="sm" c="dimmed">
        {t('mail.hint')}
      </Text>
      <Group align="flex-end" gap={8}>
        <TextInput
          type="email"
          label={t('mail.recipient')}
          value={recipient}
          onChange={(event) => setRecipient(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // The surrounding form saves settings.
            event.preventDefault()
            if (recipient.trim() !== '') send()
          }}
          autoComplete="email"
          flex={1}
          miw={200}
          maw={{ xs: 320 }}
        />
        <Button variant="default" size="sm" loading={isPending} disabled={recipient.trim() === ''} onClick={send}>
          {t('mail.send')}
        </Button>
      </Group>
    </Paper>
  )
}
