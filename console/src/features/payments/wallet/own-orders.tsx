import { Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { paymentRoutes } from '@tollgate/contract'
import { lazy, Suspense } from 'react'

import { CopyField } from '../../../components/copy-button'
import { Money } from '../../../domain/money'
import { OrderStatus, useCheckOrder, useMethodName } from '../../../domain/order'
import { useFormat } from '../../../lib/text/use-format'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { viewedUser } from '../../../lib/api/session'
import { IssueButton } from './document/issue-button'
import { usePay } from '../../../domain/payment/use-pay'
import classes from './wallet.module.css'

const PageSteps = lazy(async () => ({ default: (await import('../../../components/page/page-steps')).PageSteps }))

type Order = paymentRoutes.OwnOrder

export interface OwnOrdersProps {
  readonly orders: readonly Order[]
  readonly page: number
  readonly last: number
  readonly onPage: (page: number) => void
  /** Creates a new order like one that was not paid. */
  readonly onAgain: (order: Order) => void
}

/** Orders, newest first, with actions for unpaid ones. */
export function OwnOrders({ orders, page, last, onPage, onAgain }: OwnOrdersProps) {
  return (
    <>
      <ul className={classes.orders}>
        {orders.map((order) => (
          <OwnOrder key={order.trade_no} order={order} onAgain={() => onAgain(order)} />
        ))}
      </ul>
      {last > 1 && (
        <Group justify="flex-end" mt="sm">
          <Suspense>
            <PageSteps page={page} last={last} onChange={onPage} />
          </Suspense>
        </Group>
      )}
    </>
  )
}

interface OwnOrderProps {
  readonly order: Order
  readonly onAgain: () => void
}

function OwnOrder({ order, onAgain }: OwnOrderProps) {
  const { t } = useTranslation('wallet')
  const { paid } = useFormat()
  const methodName = useMethodName()
  const { trade_no: number, status, money, currency, refunded, quota, quota_taken: taken, plan } = order
  const bonus = order.bonus - order.bonus_taken
  return (
    <li className={classes.order}>
      <div className={classes.orderText}>
        <Text size="sm" fw={500}>
          {`${paid(money, currency)} · ${methodName(order.method)}`}
        </Text>
        <Group gap={6} c="dimmed" fz="xs" wrap="wrap">
          <span className="figures">{formatTime(order.created_at)}</span>
          <CopyField value={number} label={t('orders.copy')} />
        </Group>
        {Number(refunded) > 0 && (
          <Text size="xs" c="dimmed">
            {t('orders.refunded', { money: paid(refunded, currency) })}
          </Text>
        )}
      </div>
      <div className={classes.orderEnd}>
        <Group gap={8} justify="flex-end">
          <Text size="sm" component="span" c={isCredited(status) ? undefined : 'dimmed'}>
            {plan === '' ? <Money quota={quota - taken} /> : t('orders.plan', { plan })}
            {bonus > 0 && (
              <>
                {' + '}
                <Money quota={bonus} />
              </>
            )}
          </Text>
          <OrderStatus order={order} />
        </Group>
        <OwnOrderActions order={order} onAgain={onAgain} />
      </div>
    </li>
  )
}

const isCredited = (status: Order['status']) => status === 'paid'

/** A payment may arrive late: expired and failed orders can be checked, too. */
const unpaid: ReadonlySet<Order['status']> = new Set(['pending', 'expired', 'failed'])

/** A payment will not arrive, or not in time. */
const isOver = (status: Order['status']) => status === 'expired' || status === 'failed'

function OwnOrderActions({ order, onAgain }: OwnOrderProps) {
  const { t } = useTranslation('wallet', 'document')
  const { trade_no: number, status, can_continue: canContinue, paid_at: paidAt, plan } = order
  const { check, isChecking } = useCheckOrder()
  const { isLeaving, resume } = usePay()
  if (paidAt > 0 && !viewedUser)
    return (
      <Group justify="flex-end" mt={6}>
        <IssueButton of={{ trade_no: number }} size="compact-sm">
          {t('document:issue.invoice')}
        </IssueButton>
      </Group>
    )
  if (!unpaid.has(status)) return null
  return (
    <Group gap={8} justify="flex-end" mt={6}>
      <Button variant="default" size="compact-sm" loading={isChecking} onClick={() => check(number)}>
        {t('order:checkNow')}
      </Button>
      {canContinue && (
        <Button variant="light" size="compact-sm" loading={isLeaving} onClick={() => resume(number)}>
          {t('orders.pay')}
        </Button>
      )}
      {isOver(status) && plan === '' && (
        <Button variant="light" size="compact-sm" onClick={onAgain}>
          {t('orders.again')}
        </Button>
      )}
      {isOver(status) && plan !== '' && (
        <Button variant="light" size="compact-sm" renderRoot={(props) => <Link to="/app/plans" {...props} />}>
          {t('plans.all')}
        </Button>
      )}
    </Group>
  )
}
