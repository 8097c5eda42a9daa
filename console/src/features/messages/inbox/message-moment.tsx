import { Tip } from '../../../components/tip'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useNow } from '../../../lib/text/use-now'
import { messageTime } from './message-time'

const refreshMs = 60_000

/** When a message arrived, with the exact time on hover. */
export function MessageMoment({ at }: { readonly at: number }) {
  const { language } = useTranslation('inbox')
  const now = useNow(refreshMs) / 1000
  return (
    <Tip label={formatTime(at)}>
      <time dateTime={new Date(at * 1000).toISOString()} className="figures" style={{ whiteSpace: 'nowrap' }}>
        {messageTime(at, now, language)}
      </time>
    </Tip>
  )
}
