import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { documentRoutes } from '@tollgate/contract'

import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import classes from './billing.module.css'

/** Issued documents with their amounts, each a link to its page. */
export function DocumentLinks({ documents }: { readonly documents: readonly documentRoutes.DocumentEntry[] }) {
  const { t } = useTranslation('document')
  const { paid } = useFormat()
  return (
    <ul className={classes.links}>
      {documents.map(({ number, label, kind, issued_at: issuedAt, total, currency }) => (
        <li key={number}>
          <Group justify="space-between" gap="sm">
            <Link to="/app/wallet/document/$number" params={{ number: String(number) }} className={classes.link}>
              {`${t(`kind.${kind}`)} ${label}`}
            </Link>
            <Text size="sm" className="figures">
              {paid(total, currency)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed" className="figures">
            {formatTime(issuedAt)}
          </Text>
        </li>
      ))}
    </ul>
  )
}
