import { Button, Skeleton, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { walletRoutes } from '@tollgate/contract'

import { ChoiceSelect } from '../../components/fields/choice-select'
import { ErrorState } from '../../components/page/error-state'
import { ExportButton } from '../../components/export-button'
import { Money } from '../../components/money'
import { StatLine } from '../../components/stat/stat-line'
import { currentLanguage, useTranslation } from '../../lib/i18n'
import { useRead } from '../../lib/query'
import { monthsBetween } from './months'
import { useLightPrint } from './use-light-print'
import { WalletCard } from './wallet-card'
import classes from './wallet.module.css'

interface StatementCardProps {
  readonly month: string | undefined
  readonly onMonth: (month: string) => void
}

/** Everything that changed the balance in a month. */
export function StatementCard({ month, onMonth }: StatementCardProps) {
  const { t } = useTranslation('wallet')
  useLightPrint()
  const query = month === undefined ? {} : { month }
  const read = useRead(walletRoutes.statement, { query })
  const { data, error } = read
  return (
    <WalletCard
      title={t('statement.title')}
      actions={
        data && (
          <>
            <ChoiceSelect
              aria-label={t('statement.month')}
              choices={monthsBetween(data.first_month, data.month).map((value) => ({ value, label: monthName(value) }))}
              value={data.month}
              onChange={onMonth}
            />
            <Button variant="default" leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
              {t('statement.print')}
            </Button>
            <ExportButton
              route={walletRoutes.exportStatement}
              sent={{ query: { month: data.month } }}
              name={`statement-${data.month}.csv`}
            />
          </>
        )
      }
    >
      {error && <ErrorState error={error} onRetry={() => void read.refetch()} isSmall />}
      {!data && !error && <Skeleton h={160} />}
      {data && <Movements statement={data} />}
    </WalletCard>
  )
}

function Movements({ statement }: { readonly statement: walletRoutes.Statement }) {
  const { t } = useTranslation('wallet')
  const { month, time_zone: zone, opening, credited, charged, closing, movements } = statement
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('statement.hint', { month: monthName(month), zone })}
      </Text>
      <StatLine
        stats={[
          [t('statement.opening'), <Money key="opening" quota={opening} />],
          [t('statement.credited'), <Money key="credited" quota={credited} />],
          [t('statement.charged'), <Money key="charged" quota={charged} />],
          [t('statement.closing'), <Money key="closing" quota={closing} />],
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
            {movements.map(({ day, at, kind, amount, calls }, index) => (
              <tr key={`${at}-${kind}-${index}`}>
                <td className="figures">{day}</td>
                <td>
                  {t(`kind.${kind}`)}
                  {calls > 0 && (
                    <Text inherit span c="dimmed">
                      {' · '}
                      {t('statement.calls', { count: calls })}
                    </Text>
                  )}
                </td>
                <td>
                  <Money quota={amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** Returns "November 2026". */
const monthName = (month: string) =>
  new Intl.DateTimeFormat(currentLanguage(), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
