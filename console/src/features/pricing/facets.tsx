import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { RatioBadge } from '../../components/ratio-badge'
import { useFormat } from '../../lib/use-format'
import { Facet, type FacetChoice } from './facet'
import { counted, matching, otherVendor, vendorOf } from './offers'
import { Vendor } from './offer-parts'
import classes from './pricing.module.css'
import { billingKinds, type PricingSearch } from './pricing-search'
import type { Offers } from './use-offers'

interface FacetsProps {
  readonly offers: Offers
  readonly search: PricingSearch
  readonly setSearch: (change: Partial<PricingSearch>) => void
}

/** For which group, whose models, billed how; each counts what the others leave. */
export function Facets({ offers, search, setSearch }: FacetsProps) {
  const { t } = useTranslation('pricing')
  const { number } = useFormat()
  const { all, group, ratios, descriptions, vendors } = offers
  const { keyword, vendor, kind } = search
  const names: Readonly<Record<string, string>> = vendors
  const hints: Readonly<Record<string, string>> = descriptions
  const ofKind = matching(all, { keyword, kind })
  const ofVendor = matching(all, { keyword, vendor })
  const found = counted(ofKind, vendorOf)
  // What is chosen stays in sight, also where the search leaves nothing of it.
  const vendorCounts = vendor && !found.some(([id]) => id === vendor) ? [...found, [vendor, 0] as const] : found
  const withCount = (value: string | undefined, label: ReactNode, count: number): FacetChoice => ({
    value,
    label,
    mark: <span className={classes.count}>{number(count)}</span>,
  })
  const vendorLabel = (id: string) =>
    id === otherVendor ? t('vendor.other') : <Vendor id={id} name={names[id] ?? id} />
  return (
    <div className={classes.facets}>
      <Facet
        label={t('facet.group')}
        chosen={group}
        onChoose={(value) => setSearch({ group: value, page: undefined })}
        choices={Object.entries(ratios).map(([name, ratio]) => ({
          value: name,
          label: name,
          mark: <RatioBadge ratio={ratio} />,
          hint: hints[name],
        }))}
      />
      <Facet
        label={t('facet.vendor')}
        chosen={vendor}
        onChoose={(value) => setSearch({ vendor: value, page: undefined })}
        choices={[
          withCount(undefined, t('facet.all'), ofKind.length),
          ...vendorCounts.map(([id, count]) => withCount(id, vendorLabel(id), count)),
        ]}
      />
      <Facet
        label={t('facet.kind')}
        chosen={kind}
        onChoose={(value) => setSearch({ kind: billingKinds.find((kind) => kind === value), page: undefined })}
        choices={[
          withCount(undefined, t('facet.all'), ofVendor.length),
          ...billingKinds.map((kind) =>
            withCount(kind, t(`kind.${kind}`), ofVendor.filter((offer) => offer.kind === kind).length),
          ),
        ]}
      />
    </div>
  )
}
