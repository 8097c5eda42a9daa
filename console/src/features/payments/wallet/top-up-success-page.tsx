import { Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type Icon, IconAlertTriangle, IconCircleCheck, IconClock, IconReceiptOff } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { paymentRoutes } from '@tollgate/contract'

import { CopyField } from '../../../components/copy-button'
import { Barrier, type BarrierArm } from '../../../components/page/barrier'
import { ErrorState } from '../../../components/page/state-message'
import { orderReads, useCheckOrder } from '../../../domain/order'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { usePageTitle } from '../../../lib/browser/use-page-title'
import classes from './wallet.module.css'
import { call } from '../../../lib/api/api'
import { useRead, useRefresh } from '../../../lib/api/query'
import { viewedUser } from '../../../lib/api/session'

const route = getRouteApi('/app/wallet_/topup-success')

interface TopUpSuccessPageProps {
  /** Pauses between queries to the provider, in milliseconds. */
  readonly pauses?: readonly number[]
}

/** Where payers return to. Shows what the gateway knows of their order, which counts as paid only once the provider says so. */
export function TopUpSuccessPage({ pauses }: TopUpSuccessPageProps) {
  const { t } = useTranslation('wallet')
  const { trade_no: number, out_trade_no: epayNumber } = route.useSearch()
  const { order, isMissing, isAsking, error, retry } = useOrderState(epayNumber ?? number, pauses)
  usePageTitle(t('success.page'))
  const isUnpaid = order?.status === 'failed' || order?.status === 'expired'
  return (
    <Paper className={classes.outcome}>
      {error && !order ? <ErrorState error={error} onRetry={retry} isSmall /> : null}
      {!error || order ? <Outcome order={order} isMissing={isMissing} isAsking={isAsking} /> : null}
      <Group justify="center" gap="sm" mt="xl">
        {order?.plan ? (
          <Button size="sm" renderRoot={(props) => <Link to="/app/plans" {...props} />}>
            {t('plans.all')}
          </Button>
        ) : (
          <Button size="sm" renderRoot={(props) => <Link to="/app/wallet" {...props} />}>
            {t(isUnpaid ? 'orders.again' : 'success.toWallet')}
          </Button>
        )}
        <Button size="sm" variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
          {t('success.toHome')}
        </Button>
      </Group>
    </Paper>
  )
}

const states = {
  paid: { icon: IconCircleCheck, color: 'var(--good-text)', arm: 'lifting' },
  pending: { icon: IconClock, color: 'var(--warn-text)', arm: 'down' },
  underWay: { icon: IconClock, color: 'var(--quiet-text)', arm: 'down' },
  expired: { icon: IconClock, color: 'var(--quiet-text)', arm: 'down' },
  failed: { icon: IconAlertTriangle, color: 'var(--bad-text)', arm: 'down' },
  disputed: { icon: IconAlertTriangle, color: 'var(--bad-text)', arm: 'down' },
  refunded: { icon: IconReceiptOff, color: 'var(--quiet-text)', arm: 'up' },
  none: { icon: IconReceiptOff, color: 'var(--quiet-text)', arm: 'up' },
} as const satisfies Record<
  paymentRoutes.OrderStatus | 'underWay' | 'none',
  { icon: Icon; color: string; arm: BarrierArm }
>

interface OutcomeProps {
  readonly order: paymentRoutes.OwnOrder | undefined
  readonly isMissing: boolean
  readonly isAsking: boolean
}

function Outcome({ order, isMissing, isAsking }: OutcomeProps) {
  const { t } = useTranslation('wallet')
  const { money, paid } = useFormat()
  const { check, isChecking } = useCheckOrder()
  const isInProgress = order?.is_under_way ?? false
  const isWaiting = !isInProgress && (isAsking || (!order && !isMissing))
  const state = isInProgress ? 'underWay' : (order?.status ?? 'none')
  const wording = state === 'paid' && order?.plan ? 'paidPlan' : state
  const { icon: StateIcon, color, arm } = states[state]
  return (
    <Stack align="center" gap={8} ta="center" aria-live="polite">
      {isWaiting ? (
        <Loader size={32} my={4} />
      ) : (
        <Barrier arm={arm} sign={<StateIcon size={18} stroke={1.5} color={color} />} />
      )}
      <Title order={1} fz="lg">
        {t(isWaiting ? 'success.waiting' : `success.${wording}`)}
      </Title>
      <Text size="sm" c="dimmed" className={classes.hint}>
        {isWaiting
          ? t('success.waitingHint')
          : t(
              `success.${wording}Hint`,
              order && {
                quota: money(order.quota + order.bonus),
                money: paid(order.money, order.currency),
                plan: order.plan,
              },
            )}
      </Text>
      {order && (
        <Group gap={6} c="dimmed" fz="sm" justify="center">
          {t('success.order')}
          <CopyField value={order.trade_no} label={t('orders.copy')} />
        </Group>
      )}
      {order && !isWaiting && order.status === 'pending' && (
        <Button variant="default" loading={isChecking} onClick={() => check(order.trade_no)}>
          {t('order:checkNow')}
        </Button>
      )}
    </Stack>
  )
}

/** Pauses between queries to the provider, in milliseconds: most report within seconds. */
const usualPauses = [0, 2_000, 4_000, 8_000, 16_000]

/**
 * Returns the order of this number, or the latest one. While it awaits its payment the provider is polled a few times with growing pauses;
 * `isAsking` says whether that continues.
 */
function useOrderState(number: string | undefined, pauses: readonly number[] = usualPauses) {
  const refresh = useRefresh()
  const [attempts, setAttempts] = useState(0)
  const { data, error, refetch } = useRead(paymentRoutes.listOwnOrders, {
    query: { p: 1, page_size: 1, ...(number !== undefined && { keyword: number }) },
  })
  const order = data?.items.find(({ trade_no: own }) => number === undefined || own === number)
  const waits = order?.status === 'pending' ? order.trade_no : undefined
  const pause = viewedUser ? undefined : pauses[attempts]
  useEffect(() => {
    if (waits === undefined || pause === undefined) return undefined
    const timer = setTimeout(() => {
      // Even if the query fails, the provider may have reported the payment meanwhile: the order is read again in any case.
      void call(paymentRoutes.checkOrder, { body: { trade_no: waits } })
        .catch(() => undefined)
        .then(() => refresh(...orderReads))
        .finally(() => setAttempts(attempts + 1))
    }, pause)
    return () => clearTimeout(timer)
  }, [waits, pause, attempts, refresh])
  return {
    order,
    isMissing: data !== undefined && order === undefined,
    isAsking: waits !== undefined && pause !== undefined,
    error,
    retry: () => void refetch(),
  }
}
