import { Paper, Text, Title } from '@mantine/core'
import { pricingRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/i18n'
import { useReadWhole } from '../../lib/query'
import { useSite } from '../../lib/status'
import { useFormat } from '../../lib/use-format'
import { useNow } from '../../lib/use-now'
import { useSpan } from '../../lib/use-span'
import classes from './home.module.css'

const minuteMs = 60_000

/** Status of the gateway: uptime and what it serves. */
export function HomeStatus() {
  const { t } = useTranslation('home')
  const { number } = useFormat()
  const span = useSpan()
  const now = useNow(minuteMs)
  const { version, start_time: startedAt } = useSite()
  const { data: answer } = useReadWhole(pricingRoutes.pricing, {}, { staleTime: 60_000 })
  const facts = [
    { name: t('status.started'), value: span(now / 1000 - startedAt), isUp: true },
    { name: t('status.models'), value: answer && number(answer.data.length) },
    { name: t('status.makers'), value: answer && number(Object.keys(answer.beside.vendors).length) },
    { name: t('status.version'), value: version },
  ]
  return (
    <Paper p="md" className={classes.card}>
      <div className={classes.cardHead}>
        <Title order={2} size="h4">
          {t('status.title')}
        </Title>
      </div>
      <dl className={classes.status}>
        {facts.map(({ name, value, isUp }) => (
          <div key={name}>
            <dt>
              {isUp && <span className={classes.up} />}
              {name}
            </dt>
            <dd>{value ?? '…'}</dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed" mt="sm">
        {t('status.promise')}
      </Text>
    </Paper>
  )
}
