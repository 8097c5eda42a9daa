import { Button, Skeleton, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { walletRoutes } from '@tollgate/contract'

import classes from './wallet.module.css'
import { ChoiceSelect } from '../../../components/fields/choice-select'
import { ErrorState } from '../../../components/page/state-message'
import { ExportButton } from '../../../components/export-button'
import { Money } from '../../../domain/money'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { viewedUser } from '../../../lib/api/session'
import { IssueButton } from './document/issue-button'
import { monthName, monthsBetween } from './months'
import { MovementTable } from './movement-table'
import { useLightPrint } from './use-light-print'
import { WalletCard } from './wallet-card'
import { Party } from '../../../domain/billing/party'

interface StatementCardProps {
  readonly month: string | undefined
  readonly onMonth: (month: string) => void
}

/** Everything that changed the balance in a month. */
export function StatementCard({ month, onMonth }: StatementCardProps) {
  const { t } = useTranslation('wallet', 'document')
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
            {data.is_over && !viewedUser && (
              <IssueButton of={{ month: data.month }}>{t('document:issue.statement')}</IssueButton>
            )}
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
      {data && (
        <>
          <PrintHead statement={data} />
          <Text size="sm" c="dimmed" mb="sm">
            {t('statement.hint', { month: monthName(data.month), zone: data.time_zone })}
          </Text>
          <MovementTable statement={data} amountOf={(quota) => <Money quota={quota} />} />
        </>
      )}
    </WalletCard>
  )
}

/** Names the site and the customer on the printed statement. */
function PrintHead({ statement: { seller, customer } }: { readonly statement: walletRoutes.Statement }) {
  const { t } = useTranslation('document')
  return (
    <div className={classes.printHead}>
      <Party title={t('seller')} party={seller} />
      <Party title={t('customer')} party={customer} />
    </div>
  )
}
