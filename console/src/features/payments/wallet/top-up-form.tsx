import { Box, Button, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { lazy, type SubmitEvent, Suspense, useEffect, useState } from 'react'
import { paymentRoutes } from '@tollgate/contract'
import { bonusOf, bonusTierOf } from '@tollgate/contract/price-formula'

import classes from './wallet.module.css'
import { QuickPicks } from '../../../components/fields/quick-picks'
import { useMethodName } from '../../../domain/order'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'
import { useFormat } from '../../../lib/text/use-format'
import { PayMethods } from '../../../domain/payment/pay-methods'
import { usePay, withSentence } from '../../../domain/payment/use-pay'
import { notifyError } from '../../../lib/browser/notify'
import { useRead } from '../../../lib/api/query'

const ConfirmTopUp = lazy(async () => ({ default: (await import('./confirm-top-up')).ConfirmTopUp }))

interface TopUpFormProps {
  readonly info: paymentRoutes.TopUpInfo
  readonly first: paymentRoutes.PaymentMethod
  readonly again: paymentRoutes.OwnOrder | undefined
  /** Something else on the page comes first. */
  readonly isAside: boolean
}

/** Amount, payment method and price. */
export function TopUpForm({ info, first, again, isAside }: TopUpFormProps) {
  const { t } = useTranslation('wallet')
  const { paid } = useFormat()
  const { display_in_currency: isCurrency, quota_per_unit: quotaPerUnit } = useSite()
  const amountText = useAmountText()
  const methodName = useMethodName()
  const discountText = useDiscountText()
  const bonusFor = useBonus(info.bonuses)
  const [type, setType] = useState(again?.method ?? first.type)
  const method = info.pay_methods.find((one) => one.type === type) ?? first
  const minAmount = Math.max(method.min_topup, 1)
  const [typed, setTyped] = useState(() =>
    String(again ? Math.round(isCurrency ? again.quota / quotaPerUnit : again.quota) : minAmount),
  )
  const [isAsking, setAsking] = useState(false)
  const { isLeaving, pay } = usePay()
  const requestedAmount = Math.max(Number(typed), 1)
  const isTooSmall = typed !== '' && requestedAmount < minAmount
  const isPriced = typed !== '' && !isTooSmall
  const bonus = bonusFor(requestedAmount)
  const { payable, error, askAgain } = usePayable(isPriced ? requestedAmount : undefined, method.type)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typed === '') setTyped('1')
    if (!isPriced || isLeaving) return
    setAsking(true)
    if (error) askAgain()
  }
  return (
    <>
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t(isCurrency ? 'topUp.amount' : 'topUp.quota')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(digitsOf(currentTarget.value))}
          onBlur={() => setTyped(String(requestedAmount))}
          inputMode="numeric"
          autoComplete="off"
          leftSection={isCurrency ? '$' : undefined}
          error={isTooSmall && t('topUp.least', { least: minAmount })}
        />
        <QuickPicks
          label={t('topUp.picks')}
          picks={info.amount_options.map((option) => ({
            text: [amountText(option), ...discountText(info.discount[option]), ...(bonusFor(option)?.pick ?? [])].join(
              ' · ',
            ),
            onPick: () => setTyped(String(option)),
          }))}
        />
        <Box mt="md">
          <PayMethods methods={info.pay_methods} value={method.type} onChange={setType} />
        </Box>
        <Group justify="space-between" align="flex-end" gap="sm" mt="md">
          <div aria-live="polite">
            <Text size="sm" c="dimmed">
              {t('topUp.payable')}
            </Text>
            {isPriced && payable === undefined && !error ? (
              <Skeleton h={27} w={96} />
            ) : (
              <Text className={classes.payable}>{payable === undefined ? '–' : paid(payable, method.currency)}</Text>
            )}
          </div>
          <Button
            type="submit"
            variant={isAside ? 'default' : 'filled'}
            size="sm"
            loading={isLeaving || (isAsking && payable === undefined && !error)}
          >
            {t('topUp.action')}
          </Button>
        </Group>
        {isPriced && bonus && (
          <Text size="sm" mt="sm" aria-live="polite">
            {bonus.sentence}
          </Text>
        )}
        <Text size="xs" c="dimmed" mt="sm">
          {t('topUp.rate', { price: paid(rateText(method.price * info.group_ratio), method.currency) })}
        </Text>
      </form>
      {isAsking && payable !== undefined && (
        <Suspense>
          <ConfirmTopUp
            credited={amountText(requestedAmount)}
            bonus={bonus?.text}
            payable={paid(payable, method.currency)}
            method={methodName(method.type, method.name)}
            onConfirm={() => pay({ amount: requestedAmount }, method.type)}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Returns a discount in words, or undefined without one. Chinese states what remains of ten, English the percentage off. */
function useDiscountText() {
  const { t, language } = useTranslation('wallet')
  return (factor = 1): readonly string[] => {
    const figure = language === 'zh' ? factor * 10 : (1 - factor) * 100
    return factor === 1 ? [] : [t('topUp.discount', { figure: Number(figure.toFixed(2)) })]
  }
}

/** Returns what an amount brings on top in words: alone, behind an amount, and in a sentence. */
function useBonus(tiers: paymentRoutes.TopUpInfo['bonuses']) {
  const { t } = useTranslation('wallet')
  const { money } = useFormat()
  const { display_in_currency: isCurrency, quota_per_unit: quotaPerUnit } = useSite()
  return (amount: number) => {
    const tier = bonusTierOf(amount, tiers)
    if (!tier) return undefined
    const text = money(bonusOf(tier, Math.round(amount * (isCurrency ? quotaPerUnit : 1))))
    return { text, pick: [`+${text}`], sentence: t(tier.is_once ? 'topUp.bonusOnce' : 'topUp.bonus', { quota: text }) }
  }
}

/** Returns the digits of a text, at least 1: the server does the same. */
function digitsOf(text: string): string {
  const digits = text.replaceAll(/\D/g, '').slice(0, maxDigits)
  return digits === '' ? '' : String(Math.max(Number(digits), 1))
}

const maxDigits = 15

/** Formats a price per dollar: two decimals, up to four where they are needed. */
function rateText(price: number): string {
  const [whole = '0', decimals = ''] = String(Number(price.toFixed(4))).split('.')
  return `${whole}.${decimals.padEnd(2, '0')}`
}

/** Returns a formatter of top-up amounts: "$10", or quota where the site shows no currency. */
function useAmountText() {
  const { display_in_currency: isCurrency } = useSite()
  const { number } = useFormat()
  return (amount: number): string => (isCurrency ? `$${number(amount)}` : number(amount))
}

const typingMs = 300

/** Requests the price of an amount, debounced; `payable` is undefined until it is known. Failures are shown. */
function usePayable(amount: number | undefined, method: string) {
  const { t } = useTranslation('wallet')
  const [pricedAmount, setPricedAmount] = useState(amount)
  useEffect(() => {
    const timer = setTimeout(() => setPricedAmount(amount), typingMs)
    return () => clearTimeout(timer)
  }, [amount])
  const { data, error, isPlaceholderData, isFetching, refetch } = useRead(
    paymentRoutes.payableAmount,
    { body: { amount: pricedAmount ?? 0, payment_method: method, top_up_code: '' } },
    { enabled: pricedAmount !== undefined },
  )
  useEffect(() => {
    if (error) notifyError(withSentence(error, t('requestFailed')))
  }, [error, t])
  const isCurrent = amount !== undefined && pricedAmount === amount && !isPlaceholderData
  return {
    payable: isCurrent && !error ? data : undefined,
    error: isCurrent && !isFetching ? error : null,
    askAgain: () => void refetch(),
  }
}
