import { Text } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import classes from './route.module.css'

interface NameExplanationProps {
  /** The model whose channels are shown. */
  readonly model: string
  readonly name: channelRoutes.ExplainedName
}

/** What an alias and a chain make of the name: its rules with the parts of their models, and the models to go on with. */
export function NameExplanation({ model, name: { rules, chain, on } }: NameExplanationProps) {
  const { t, language } = useTranslation('routing')
  const reasons = new Intl.ListFormat(language, { type: 'disjunction' })
  return (
    <section className={classes.tier} aria-label={t('name.title')}>
      <header className={classes.tierHead}>
        <h2>{t('name.title')}</h2>
        <Text size="xs" c="dimmed">
          {t('name.shown', { model })}
        </Text>
      </header>
      <ul className={classes.list}>
        {rules.map((rule, index) => (
          // Rules have no identity but their place.
          <li key={index} className={classes.row} data-is-next={rule.fits || undefined}>
            <Rule place={index + 1} rule={rule} />
          </li>
        ))}
        {chain.length > 0 && (
          <li className={classes.row}>
            <Text size="sm" className={classes.named}>
              {t('name.chain', {
                models: chain
                  .map(({ model: next, is_served: isServed }) =>
                    isServed ? next : t('name.unserved', { model: next }),
                  )
                  .join(' → '),
                reasons: reasons.format(on.map((reason) => t(`name.reason.${reason}`))),
              })}
            </Text>
          </li>
        )}
      </ul>
    </section>
  )
}

function Rule({
  place,
  rule,
}: {
  readonly place: number
  readonly rule: channelRoutes.ExplainedName['rules'][number]
}) {
  const { t } = useTranslation('routing')
  const { share, number } = useFormat()
  const { groups, min_tokens: min, max_tokens: max, needs, hours, fits, targets } = rule
  const conditions = [
    groups.length > 0 && groups.join(', '),
    min > 0 && t('name.from', { tokens: number(min) }),
    max > 0 && t('name.to', { tokens: number(max) }),
    ...needs.map((need) => t(`name.need.${need}`)),
    hours !== null && t('name.hours', { from: hours[0], to: hours[1] }),
  ].filter((text) => text !== false)
  return (
    <div className={classes.named}>
      <Text size="sm">
        {targets
          .map(({ model, share: part }) => (part > 0 ? `${model} (${share(part)})` : t('name.unserved', { model })))
          .join(' · ')}
      </Text>
      <Text size="xs" c="dimmed">
        {[
          t('name.rule', { place }),
          conditions.length > 0 ? conditions.join(' · ') : t('name.always'),
          ...(fits ? [] : [t('name.notNow')]),
        ].join(' · ')}
      </Text>
    </div>
  )
}
