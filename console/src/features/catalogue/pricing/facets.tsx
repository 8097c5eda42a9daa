import { pricingRoutes } from '@tollgate/contract'
import type { ReactNode } from 'react'

import { RatioBadge } from '../../../components/ratio-badge'
import { useTranslation } from '../../../lib/text/i18n'
import { billingKinds } from '../../../lib/text/price-entry/billing'
import { useFormat } from '../../../lib/text/use-format'
import { Facet, type FacetChoice } from './facet'
import { counted, matching, otherVendor, vendorOf } from './offers'
import type { Offer } from './offer'
import { Vendor } from './offer-parts'
import classes from './pricing.module.css'
import { abilityIcons } from './model-facts'
import type { PricingSearch } from './pricing-search'
import type { Offers } from './use-offers'

interface FacetsProps {
  readonly offers: Offers
  readonly search: PricingSearch
  readonly setSearch: (change: Partial<PricingSearch>) => void
}

/** Filters by group, maker, billing and ability; each counts what the others leave. A facet with a single choice is hidden. */
export function Facets({ offers, search, setSearch }: FacetsProps) {
  const { t } = useTranslation('pricing')
  const { number } = useFormat()
  const { all, group, ratios, descriptions, vendors } = offers
  const { keyword, vendor, kind, ability } = search
  const names: Readonly<Record<string, string>> = vendors
  const hints: Readonly<Record<string, string>> = descriptions
  const ofKind = matching(all, { keyword, kind, ability })
  const ofVendor = matching(all, { keyword, vendor, ability })
  const ofBoth = matching(all, { keyword, vendor, kind })
  const has = (some: (offer: Offer) => boolean) => all.some(some)
  const abilities = pricingRoutes.abilities.filter((name) =>
    has(({ facts }) => facts?.abilities.includes(name) ?? false),
  )
  const kinds = billingKinds.filter((name) => has(({ kind }) => kind === name))
  const isOneVendor = new Set(all.map(vendorOf)).size < 2
  const found = counted(ofKind, vendorOf)
  // The chosen value stays visible, even if the search leaves nothing of it.
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
      {Object.keys(ratios).length > 1 && (
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
      )}
      {(!isOneVendor || vendor) && (
        <Facet
          label={t('facet.vendor')}
          chosen={vendor}
          onChoose={(value) => setSearch({ vendor: value, page: undefined })}
          choices={[
            withCount(undefined, t('facet.all'), ofKind.length),
            ...vendorCounts.map(([id, count]) => withCount(id, vendorLabel(id), count)),
          ]}
        />
      )}
      {(kinds.length > 1 || kind) && (
        <Facet
          label={t('facet.kind')}
          chosen={kind}
          onChoose={(value) => setSearch({ kind: billingKinds.find((kind) => kind === value), page: undefined })}
          choices={[
            withCount(undefined, t('facet.all'), ofVendor.length),
            ...kinds.map((kind) =>
              withCount(kind, t(`kind.${kind}`), ofVendor.filter((offer) => offer.kind === kind).length),
            ),
          ]}
        />
      )}
      {(abilities.length > 0 || ability) && (
        <Facet
          label={t('facet.ability')}
          chosen={ability}
          onChoose={(value) =>
            setSearch({ ability: pricingRoutes.abilities.find((name) => name === value), page: undefined })
          }
          choices={[
            withCount(undefined, t('facet.all'), ofBoth.length),
            ...abilities.map((name) => {
              const Icon = abilityIcons[name]
              const label = (
                <span className={classes.vendor}>
                  <Icon size={15} stroke={1.6} />
                  {t(`ability.${name}`)}
                </span>
              )
              return withCount(name, label, matching(ofBoth, { ability: name }).length)
            }),
          ]}
        />
      )}
    </div>
  )
}
