import { useTranslation } from '../../lib/i18n'
import { RouteTabs } from '../route-tabs'

/** The parts of the pages of prices, each at an address of its own. */
const tabs = [
  { name: 'prices', to: '/admin/prices' },
  { name: 'sync', to: '/admin/prices/sync' },
] as const

/** Leads from what is charged to what public lists and upstreams charge, and back. */
export function PriceTabs({ current }: { readonly current: (typeof tabs)[number]['name'] }) {
  const { t } = useTranslation('price-entry')
  return (
    <RouteTabs
      label={t('tabs.label')}
      tabs={tabs.map(({ name, to }) => ({ name, label: t(`tabs.${name}`), link: { to } }))}
      current={current}
    />
  )
}
