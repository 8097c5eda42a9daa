import { useTranslation } from '../../lib/text/i18n'
import { RouteTabs } from '../../components/page/route-tabs'

/** Parts of the price pages, each with an address of its own. */
const tabs = [
  { name: 'prices', to: '/admin/prices' },
  { name: 'sync', to: '/admin/prices/sync' },
] as const

/** Switches between the prices charged and those of public lists and upstreams. */
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
