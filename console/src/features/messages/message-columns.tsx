import { Badge } from '@mantine/core'

import type { Column } from '../../components/data-table/types'
import { TimeAgo } from '../../components/time-ago'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { MessageAudience, MessageReads } from './message-cells'
import type { SentMessage } from './message-data'

/** The specification's colours. */
const formats = { html: { name: 'HTML', color: 'blue' }, markdown: { name: 'Markdown', color: 'green' } } as const

const FormatBadge = ({ format }: Pick<SentMessage, 'format'>) => (
  <Badge color={formats[format].color}>{formats[format].name}</Badge>
)

export function useMessageColumns(): readonly Column<SentMessage>[] {
  const { t } = useTranslation('messages')
  const { number } = useFormat()
  return [
    { id: 'id', title: t('column.id'), card: 'fact', cell: ({ id }) => <span className="figures">{id}</span> },
    { id: 'title', title: t('column.title'), isFixed: true, isWide: true, card: 'title', cell: ({ title }) => title },
    { id: 'format', title: t('column.format'), card: 'plain', cell: ({ format }) => <FormatBadge format={format} /> },
    {
      id: 'recipients',
      title: t('column.recipients'),
      align: 'end',
      card: 'fact',
      cell: ({ stats }) => <span className="figures">{number(stats.total_recipients)}</span>,
    },
    {
      id: 'read',
      title: t('column.read'),
      isHiddenAtFirst: true,
      align: 'end',
      card: 'fact',
      cell: (message) => <MessageReads message={message} />,
    },
    {
      id: 'audience',
      title: t('column.audience'),
      isHiddenAtFirst: true,
      card: 'fact',
      cell: (message) => <MessageAudience message={message} />,
    },
    {
      id: 'sender',
      title: t('column.sender'),
      isHiddenAtFirst: true,
      card: 'fact',
      cell: ({ created_by_name: name }) => name,
    },
    {
      id: 'created',
      title: t('column.created'),
      card: 'fact',
      cell: ({ created_at: at }) => <TimeAgo at={at} />,
    },
  ]
}
