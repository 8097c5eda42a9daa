import { Alert, Button, Checkbox, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { paymentRoutes } from '@tollgate/contract'
import { useState, type SubmitEvent } from 'react'

import { FocusBack } from '../../../components/focus-back'
import { orderReads } from '../../../domain/order'
import { ErrorText } from '../../../lib/api/error-text'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useFormat } from '../../../lib/text/use-format'
import type { Order } from './order-data'

interface RefundDialogProps {
  readonly order: Order
  readonly onClose: () => void
}

/** Refunds an order fully or partially, and shows what that takes from the user's balance. */
export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const { t } = useTranslation('orders')
  const { money, paid } = useFormat()
  const { trade_no: number, refundable, currency, username } = order
  const [amount, setAmount] = useState<number | string>(refundable)
  const [isPaidBack, setPaidBack] = useState(false)
  const refund = useWrite(paymentRoutes.refundOrder, {
    changes: orderReads,
    onSuccess: () => {
      notifySuccess(t('refund.done'))
      onClose()
    },
    onError: () => {},
  })
  const isValid = Number(amount) > 0 && Number(amount) <= Number(refundable)
  const back = paid(Number(amount).toFixed(decimalsOf(refundable)), currency)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isValid) return
    const isAll = Number(amount) === Number(refundable)
    refund.mutate({
      body: { trade_no: number, is_paid_back: isPaidBack, ...(!isAll && { amount: String(amount) }) },
    })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('refund.title', { number })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <NumberInput
            label={t('refund.amount')}
            description={t('refund.most', { money: paid(refundable, currency) })}
            value={amount}
            onChange={setAmount}
            decimalScale={decimalsOf(refundable)}
            allowNegative={false}
            suffix={` ${currency}`}
            thousandSeparator=","
            hideControls
            error={amount !== '' && !isValid && t('refund.wrong', { money: paid(refundable, currency) })}
            data-autofocus
          />
          <Checkbox
            label={t('refund.isPaidBack')}
            description={t('refund.isPaidBackHint')}
            checked={isPaidBack}
            onChange={({ currentTarget }) => setPaidBack(currentTarget.checked)}
          />
          {isValid && (
            <Text size="sm" aria-live="polite">
              {t(isPaidBack ? 'refund.takesAlone' : 'refund.takes', {
                money: back,
                quota: money(quotaToTake(order, String(amount)) + quotaToTake(bonusOf(order), String(amount))),
                username,
              })}
            </Text>
          )}
          {refund.error && (
            <Alert color="red" role="alert">
              <ErrorText error={refund.error} />
            </Alert>
          )}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" size="sm" color="red" loading={refund.isPending} disabled={!isValid}>
              {t(isPaidBack ? 'refund.takeBack' : 'refund.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** The bonus is taken back in the same proportion. */
const bonusOf = ({ bonus, bonus_taken: taken, money, refunded }: Order) => ({
  quota: bonus,
  quota_taken: taken,
  money,
  refunded,
})

const decimalsOf = (money: string): number => money.split('.')[1]?.length ?? 0

/** Currencies have at most three decimals. */
const inThousandths = (money: string): bigint => BigInt(Math.round(Number(money) * 1000))

/**
 * Returns the quota that a refund takes back, as the server computes it: the order's quota times the refunded share of its price, rounded
 * down, minus what was taken before.
 */
export function quotaToTake(
  { quota, quota_taken: taken, money, refunded }: Pick<Order, 'quota' | 'quota_taken' | 'money' | 'refunded'>,
  amount: string,
): number {
  const price = inThousandths(money)
  if (price === 0n) return 0
  return Math.max(Number((BigInt(quota) * (inThousandths(refunded) + inThousandths(amount))) / price) - taken, 0)
}
