import { statusRoutes, minuteMs } from '@tollgate/contract'

import classes from './home.module.css'
import { useFormat } from '../../lib/text/use-format'
import { formatDuration } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { useSite } from '../../lib/api/status'
import { useNow } from '../../lib/text/use-now'
import { useSpan } from '../../lib/text/use-span'
import type { PricedModel } from './priced-models'

interface HomeFiguresProps {
  /** All models that the reader may call; undefined until they are known. */
  readonly count: number | undefined
  readonly models: readonly PricedModel[] | undefined
  /** The models cannot be read. */
  readonly hasFailed: boolean
}

/** Live figures of the gateway: what it offers, how fast it answers, how long it runs. */
export function HomeFigures({ count, models, hasFailed }: HomeFiguresProps) {
  const { t } = useTranslation('home')
  const span = useSpan()
  const { number, dollars } = useFormat()
  const { start_time: startedAt } = useSite()
  const now = useNow(minuteMs)
  const { data: measured, error } = useRead(statusRoutes.getFigures, undefined, { staleTime: minuteMs })
  const p50 = measured?.first_token_p50_ms
  const range = models && rangeOfPrices(models)
  const figures = [
    {
      name: t('figure.models'),
      value: count === undefined ? notYet(hasFailed) : number(count),
      hint: t('figure.modelsHint'),
    },
    {
      name: t('figure.speed'),
      value: typeof p50 === 'number' ? formatDuration(p50) : notYet(measured !== undefined || error !== null),
      hint: t('figure.speedHint'),
    },
    { name: t('figure.uptime'), value: span(now / 1000 - startedAt), hint: t('figure.uptimeHint') },
    {
      name: t('figure.price'),
      value: range ? `${dollars(range.min)} – ${dollars(range.max)}` : notYet(models !== undefined || hasFailed),
      hint: t('figure.priceHint'),
    },
  ]
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, value, hint }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={classes.figure}>{value}</dd>
          <dd className={classes.figureHint}>{hint}</dd>
        </div>
      ))}
    </dl>
  )
}

/** In place of a figure that is still loading, or that there is none of. */
const notYet = (isNone: boolean): string => (isNone ? '–' : '…')

/** Returns the least and the largest input price; undefined where nothing is charged. */
export function rangeOfPrices(models: readonly PricedModel[]): { min: number; max: number } | undefined {
  const prices = models.map(({ input }) => input).filter((price) => price > 0)
  return prices.length === 0 ? undefined : { min: Math.min(...prices), max: Math.max(...prices) }
}
