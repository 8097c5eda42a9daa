import { Text } from '@mantine/core'
import type { walletRoutes } from '@tollgate/contract'
import type { ReactNode } from 'react'

import { StatLine } from '../../../components/stat/stat-line'
import { useTranslation } from '../../../lib/text/i18n'
import classes from './wallet.module.css'

interface MovementTableProps {
  readonly statement: walletRoutes.Statement
  readonly amountOf: (quota: number) => ReactNode
}

/** Balances of a month and what changed them. */
export function MovementTable({ statement, amountOf }: MovementTableProps) {
  const { t } = useTranslation('wallet')
  const { opening, credited, charged, closing, movements } = statement
  return (
    <>
      <StatLine
        stats={[
          [t('statement.opening'), amountOf(opening)],
          [t('statement.credited'), amountOf(credited)],
          [t('statement.charged'), amountOf(charged)],
          [t('statement.closing'), amountOf(closing)],
        ]}
      />
      {movements.length === 0 ? (
        <Text size="sm" c="dimmed" mt="md">
          {t('statement.none')}
        </Text>
      ) : (
        <table className={classes.movements}>
          <thead>
            <tr>
              <th scope="col">{t('statement.day')}</th>
              <th scope="col">{t('statement.what')}</th>
              <th scope="col">{t('statement.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {movements.map(({ day, at, kind, amount, calls, trade_no: order, plan }, index) => (
              <tr key={`${at}-${kind}-${index}`}>
                <td className="figures">{day}</td>
                <td>
                  {t(`kind.${kind}`)}
                  {plan !== '' && `: ${plan}`}
                  {calls > 0 && (
                    <Text inherit span c="dimmed">
                      {' · '}
                      {t('statement.calls', { count: calls })}
                    </Text>
                  )}
                  {order !== '' && <span className={classes.number}>{order}</span>}
                </td>
                <td className="figures">{amountOf(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
