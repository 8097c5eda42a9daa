import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { roleNameOf } from './audience'
import type { SentMessage } from './message-data'

/** Renders "12 of 57 (21%)". */
export function MessageReads({ message: { stats } }: { readonly message: SentMessage }) {
  const { t } = useTranslation('messages')
  const { number, share } = useFormat()
  const { read_count: read, total_recipients: total, read_rate: rate } = stats
  return (
    <span className="figures">
      {t('reads', { read: number(read), total: number(total) })}
      {total > 0 && ` (${share(rate)})`}
    </span>
  )
}

/** The recipients in words. */
export function MessageAudience({ message: { audience } }: { readonly message: SentMessage }) {
  const { t } = useTranslation('messages')
  const { kind, value } = audience
  if (kind === 'users' || kind === 'all') return t(`sentTo.${kind}`)
  const roleName = kind === 'role' ? roleNameOf(value) : undefined
  return t(`sentTo.${kind}`, { name: roleName ? t(`role.${roleName}`) : value })
}
