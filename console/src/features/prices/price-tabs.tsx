import { RouteTabs } from '../../components/route-tabs'
import { useTranslation } from '../../lib/i18n'

/** The parts of the page, each at an address of its own. */
const tabs = [{ name: 'prices', to: '/admin/prices' }] as const
export type PriceTab = (typeof tabs)[number]['name']

/** A single part needs no tab. */
export function PriceTabs({ current }: { readonly current: PriceTab }) {
  const { t } = useTranslation('prices')
  if (tabs.length < 2) return null
  return (
    <RouteTabs
      label={t('title')}
      tabs={tabs.map(({ name, to }) => ({ name, label: t(`tab.${name}`), link: { to } }))}
      current={current}
    />
  )
}
