import { Button, Paper, Text, Title } from '@mantine/core'
import { useId } from 'react'

import { Tip } from '../../../components/tip'
import type { Plan } from '../../../domain/plans/plan-data'
import { PlanScope } from '../../../domain/plans/plan-scope'
import { usePlanText } from '../../../domain/plans/use-plan-text'
import { viewedUser } from '../../../lib/api/session'
import { useTranslation } from '../../../lib/text/i18n'
import classes from './own-plans.module.css'

interface PlanCardProps {
  readonly plan: Plan
  /** The reader has it as often as is allowed. */
  readonly isTaken: boolean
  /** Undefined while it is not known whether it is taken. */
  readonly onBuy: (() => void) | undefined
}

/** A plan on sale. */
export function PlanCard({ plan, isTaken, onBuy }: PlanCardProps) {
  const { t } = useTranslation('own-plans')
  const text = usePlanText()
  const id = useId()
  return (
    <Paper component="article" aria-labelledby={id} className={classes.card}>
      <div>
        <Title order={3} id={id} className={classes.name}>
          {plan.name}
        </Title>
        <div className={classes.price}>
          {text.amount(plan.price)}{' '}
          <Text component="span" size="sm" c="dimmed">
            {text.perTerm(plan)}
          </Text>
        </div>
      </div>
      {plan.description !== '' && (
        <Text size="sm" className={classes.description}>
          {plan.description}
        </Text>
      )}
      <PlanScope plan={plan} />
      {!viewedUser && (
        <div className={classes.foot}>
          {isTaken ? (
            <Tip label={t('taken')}>
              <Button variant="default" size="sm" fullWidth data-disabled aria-disabled>
                {t('yours')}
              </Button>
            </Tip>
          ) : (
            <Button size="sm" fullWidth disabled={!onBuy} onClick={onBuy} aria-label={`${t('buy')}: ${plan.name}`}>
              {t('buy')}
            </Button>
          )}
        </div>
      )}
    </Paper>
  )
}
