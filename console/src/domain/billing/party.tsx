import { Text } from '@mantine/core'
import type { walletRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import classes from './billing.module.css'

interface PartyProps {
  readonly title: string
  readonly party: walletRoutes.Party
}

/** The seller or the customer of a document. */
export function Party({ title, party: { name, address, tax_id: taxId } }: PartyProps) {
  const { t } = useTranslation('document')
  return (
    <address className={classes.party}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      {address !== '' && (
        <Text size="sm" className={classes.address}>
          {address}
        </Text>
      )}
      {taxId !== '' && <Text size="sm">{t('taxId', { id: taxId })}</Text>}
    </address>
  )
}
