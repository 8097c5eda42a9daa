import { Button, Paper, Text } from '@mantine/core'
import { optionRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useWrite } from '../../lib/api/query'
import classes from './settings.module.css'
import type { Settings } from './use-settings'

/** Sends a test to every place that the saved settings name, and lists what became of each. */
export function TestEvents({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('settings')
  const { mutate, isPending, data } = useWrite(optionRoutes.testEvents)
  if (!settings.mayWrite('EventWebhookUrl')) return null
  return (
    <Paper className={classes.extra}>
      <Text size="sm" c="dimmed">
        {t('events.hint')}
      </Text>
      <div>
        <Button variant="default" loading={isPending} onClick={() => mutate({})}>
          {t('events.test')}
        </Button>
      </div>
      {data && (
        <ul className={classes.results} aria-label={t('events.results')}>
          {data.map(({ target, to, outcome, detail }) => (
            <li key={target + to}>
              <Text size="sm" c={outcome === 'sent' ? undefined : 'var(--bad-text)'}>
                {t('events.result', {
                  target: t(`events.target.${target}`, { to }),
                  outcome: t(`events.outcome.${outcome}`, { detail }),
                })}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Paper>
  )
}
