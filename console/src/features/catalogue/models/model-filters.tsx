import { pricingRoutes } from '@tollgate/contract'
import { type ReactNode, useState } from 'react'
import { UnstyledButton } from '@mantine/core'

import classes from './models.module.css'
import { RatioBadge } from '../../../components/ratio-badge'
import { useTranslation } from '../../../lib/text/i18n'
import { billingKinds } from '../../../lib/text/price-entry/billing'
import { useFormat } from '../../../lib/text/use-format'
import { countOffers, matching, type Offer, otherVendor, vendorOf } from './offers'
import { abilityIcons, Vendor } from './model-cells'
import type { ModelSearch } from './model-search'
import type { Offers } from './model-data'
import { Tip } from '../../../components/tip'

interface FacetsProps {
  readonly offers: Offers
  readonly search: ModelSearch
  readonly setSearch: (change: Partial<ModelSearch>) => void
}

/** Filters by group, maker, billing and ability; each counts what the others leave. A facet with a single choice is hidden. */
export function ModelFilters({ offers, search, setSearch }: FacetsProps) {
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
  const found = countOffers(ofKind, vendorOf)
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

interface FacetChoice {
  readonly value: string | undefined
  readonly label: ReactNode
  /** A count, a ratio. */
  readonly mark?: ReactNode
  readonly hint?: string
}

interface FacetProps {
  readonly label: string
  readonly choices: readonly FacetChoice[]
  readonly chosen: string | undefined
  readonly onChoose: (value: string | undefined) => void
}

/** More choices than this are collapsed, two lines' worth. */
const maxShown = 10

/** Selects one of several values, the first of them visible. */
function Facet({ label, choices, chosen, onChoose }: FacetProps) {
  const { t } = useTranslation('pricing')
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? choices : choices.filter(({ value }, index) => index < maxShown || value === chosen)
  const folded = choices.length - shown.length
  return (
    <div className={classes.facet} role="group" aria-label={label}>
      <span className={classes.facetName}>{label}</span>
      <div className={classes.choices}>
        {shown.map(({ value, label, mark, hint }) => (
          <Tip key={value ?? ''} label={hint}>
            <UnstyledButton className={classes.choice} aria-pressed={value === chosen} onClick={() => onChoose(value)}>
              {label}
              {mark}
            </UnstyledButton>
          </Tip>
        ))}
        {folded > 0 && (
          <UnstyledButton className={classes.more} onClick={() => setOpen(true)}>
            {t('facet.more', { count: folded })}
          </UnstyledButton>
        )}
      </div>
    </div>
  )
}
