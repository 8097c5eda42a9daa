import { Alert, Button, Code, Paper, Text } from '@mantine/core'
import { paymentCallbackRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useWrite } from '../../lib/api/query'
import classes from './settings.module.css'
import type { Settings } from './use-settings'

/** Makes the gateway call its own callback address with the saved settings, and shows who responded. */
export function CallbackTest({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('callback')
  const { mutate, data, isPending } = useWrite(paymentCallbackRoutes.testCallbacks)
  if (!settings.mayWrite('CustomCallbackAddress')) return null
  return (
    <Paper className={classes.extra}>
      <Text size="sm" c="dimmed">
        {t('hint')}
      </Text>
      <div>
        <Button variant="default" loading={isPending} onClick={() => mutate({})}>
          {t('test')}
        </Button>
      </div>
      {data && !isPending && (
        <Alert color={data.outcome === 'ok' ? 'green' : 'red'} role="status">
          <Text size="sm">{t(`outcome.${data.outcome}`, { url: data.url, status: data.status })}</Text>
          {data.excerpt !== '' && (
            <Code block mt="xs" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {data.excerpt}
            </Code>
          )}
        </Alert>
      )}
    </Paper>
  )
}
