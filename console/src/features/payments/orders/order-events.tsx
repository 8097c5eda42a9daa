import { Code, Group, Stack, Text } from '@mantine/core'
import type { paymentRoutes } from '@tollgate/contract'

import { formatTime } from '../../../lib/text/format'
import { findText, useTranslation } from '../../../lib/text/i18n'

/** Reports and actions of an order, latest first. The provider's data can be expanded. */
export function OrderEvents({ events }: { readonly events: readonly paymentRoutes.OrderEvent[] }) {
  const { t } = useTranslation('orders')
  if (events.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('panel.noEvents')}
      </Text>
    )
  return (
    <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {events.map(({ id, created_at: at, kind, source, outcome, payload }) => (
        <li key={id}>
          <Group justify="space-between" gap="sm">
            <Text size="sm" fw={500}>
              {`${word('kind', kind)} · ${word('outcome', outcome)}`}
            </Text>
            <Text size="xs" c="dimmed" className="figures">
              {formatTime(at)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {word('source', source)}
          </Text>
          {payload !== '' && (
            <details>
              <summary style={{ cursor: 'pointer', fontSize: 'var(--text-xs)' }}>{t('panel.payload')}</summary>
              <Code block mt={4} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {payload}
              </Code>
            </details>
          )}
        </li>
      ))}
    </Stack>
  )
}

/** An unknown code of a later release is shown as it is. */
const word = (part: 'kind' | 'outcome' | 'source', code: string): string =>
  findText('orders', `event.${part}.${code}`) ?? code
