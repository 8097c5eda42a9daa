import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { priceRoutes } from '@tollgate/contract'

import type { EmptyText } from '../../../components/data-table/types'
import { useTranslation } from '../../../lib/text/i18n'
import { useReadWhole } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'

/** Returns what an empty price list says: models without a price are missing a price and not a channel. */
export function useEmptyPrices(isEmpty: boolean): EmptyText {
  const { t } = useTranslation('pricing')
  const { may } = useViewer()
  const query = { filter: 'unpriced', page_size: 1 } as const
  const { data } = useReadWhole(priceRoutes.listPrices, { query }, { enabled: isEmpty && may('prices.read') })
  const unpriced = data?.beside.counts['unpriced'] ?? 0
  if (unpriced > 0)
    return {
      title: t('empty.unpriced', { count: unpriced }),
      hint: t('empty.unpricedHint'),
      action: (
        <Button renderRoot={(props) => <Link to="/admin/prices" search={{ filter: 'unpriced' }} {...props} />}>
          {t('empty.setPrices')}
        </Button>
      ),
    }
  const mayConnect = may('keys.write')
  return {
    title: t('empty.title'),
    hint: t(mayConnect ? 'empty.hintAdmin' : 'empty.hint'),
    action: mayConnect && (
      <Button renderRoot={(props) => <Link to="/admin/channels" search={{ edit: 'new' }} {...props} />}>
        {t('empty.addChannel')}
      </Button>
    ),
  }
}
