import { Button, Text } from '@mantine/core'
import { noticeRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { StatusBadge } from '../../../components/status-badge'
import { TimeAgo } from '../../../components/time-ago'
import { formatDuration } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useRead, useWrite } from '../../../lib/api/query'
import { AccountSection, MeRow, ReadState } from '../account-section'
import classes from '../account.module.css'

const changes = [noticeRoutes.listDeliveries]
const shownAtFirst = 10
const maxShown = 100
/** Polling interval while a delivery is pending. */
const pollIntervalMs = 2000

interface DeliveriesSectionProps {
  /** For users whose notices are mails: only their tasks have webhooks. */
  readonly isHiddenWhenEmpty: boolean
}

/** Webhook deliveries of the last days with their responses. */
export function DeliveriesSection({ isHiddenWhenEmpty }: DeliveriesSectionProps) {
  const { t } = useTranslation('account')
  const [size, setSize] = useState(shownAtFirst)
  const [isWaiting, setWaiting] = useState(false)
  const read = useRead(
    noticeRoutes.listDeliveries,
    { query: { page_size: String(size) } },
    { refetchInterval: isWaiting ? pollIntervalMs : false },
  )
  const { data } = read
  const isInDelivery = data?.items.some(({ due_at: dueAt }) => dueAt !== null) ?? false
  if (isInDelivery !== isWaiting) setWaiting(isInDelivery)
  if (isHiddenWhenEmpty && !data?.items.length) return null
  const isMore = data !== undefined && data.total > size && size < maxShown
  return (
    <AccountSection
      title={t('deliveries.title')}
      hint={t(data?.items.length === 0 ? 'deliveries.none' : 'deliveries.hint')}
      actions={
        isMore && (
          <Button variant="default" size="sm" onClick={() => setSize(maxShown)}>
            {t('deliveries.more')}
          </Button>
        )
      }
    >
      {data?.items.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />) ?? (
        <li>
          <ReadState read={read} />
        </li>
      )}
    </AccountSection>
  )
}

function DeliveryRow({ delivery }: { readonly delivery: noticeRoutes.WebhookDelivery }) {
  const { t } = useTranslation('account')
  const { id, type, url, attempts, created_at: createdAt, duration_ms: ms, response } = delivery
  const again = useWrite(noticeRoutes.redeliver, {
    changes,
    onSuccess: () => notifySuccess(t('deliveries.queued')),
  })
  return (
    <MeRow
      name={
        <>
          {t(`deliveries.${nameOf(type)}`)}
          <DeliveryState delivery={delivery} />
        </>
      }
      details={
        <>
          <TimeAgo at={createdAt} />
          {` · ${url}`}
          {attempts > 0 && ` · ${unbroken(t('deliveries.attempts', { count: attempts }))}`}
          {ms !== null && ` · ${unbroken(formatDuration(ms))}`}
          {response && (
            <Text component="pre" className={classes.response} aria-label={t('deliveries.response')}>
              {response}
            </Text>
          )}
        </>
      }
      actions={
        <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate({ params: { id } })}>
          {t('deliveries.again')}
        </Button>
      }
    />
  )
}

const nameOf = (type: string) => (type === 'test' || type === 'task' ? type : 'lowBalance')

/** Returns a text that does not wrap between a number and its word. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00A0')

function DeliveryState({ delivery }: { readonly delivery: noticeRoutes.WebhookDelivery }) {
  const { t } = useTranslation('account')
  const { status, failure, due_at: dueAt, delivered_at: deliveredAt, attempts } = delivery
  if (deliveredAt !== null)
    return <StatusBadge tone="good">{t('deliveries.taken', { status: status ?? 200 })}</StatusBadge>
  // The first attempt counts from its beginning.
  if (attempts === 0 || (status === null && failure === ''))
    return <StatusBadge tone="neutral">{t('deliveries.waiting')}</StatusBadge>
  const reason = failure === '' ? t('deliveries.refused', { status }) : t(`deliveries.failure.${failure}`)
  return dueAt === null ? (
    <StatusBadge tone="bad">{reason}</StatusBadge>
  ) : (
    <StatusBadge tone="warning" reason={t('deliveries.retried')}>
      {reason}
    </StatusBadge>
  )
}
