import { Badge, Group } from '@mantine/core'
import type { ReactNode } from 'react'

import { useTranslation } from '../../lib/i18n'
import { useFormat } from '../../lib/use-format'
import { costOf } from './cost'
import { GroupPrice } from './group-price'
import { Abilities, ContextLength, Modalities } from './model-facts'
import { OfferName, OfferPrice, TryOffer } from './offer-parts'
import type { Offer } from './offers'
import classes from './pricing.module.css'
import type { PricingSearch } from './pricing-search'
import type { Offers } from './use-offers'

const lines = { volume: ['input', 'output', 'cache'], call: ['call'] } as const

interface PriceCardsProps {
  readonly rows: readonly Offer[]
  readonly offers: Offers
  readonly search: PricingSearch
}

/** The models of a page as cards. */
export function PriceCards({ rows, offers, search }: PriceCardsProps) {
  const { t } = useTranslation('pricing')
  const names: Readonly<Record<string, string>> = offers.vendors
  return (
    <ul className={classes.cards} aria-label={t('title')}>
      {rows.map((offer) => (
        <li key={offer.model_name} className={classes.card} data-is-muted={offer.prices ? undefined : true}>
          <Group justify="space-between" wrap="nowrap" gap={4}>
            <OfferName offer={offer} vendor={names[offer.owned_by]} />
            <TryOffer offer={offer} />
          </Group>
          <Group gap="xs" mt={4} className={classes.cardFacts}>
            <span>{names[offer.owned_by] ?? t('vendor.other')}</span>
            {offer.kind === 'call' && <Badge color="gray">{t('kind.call')}</Badge>}
            <ContextLength offer={offer} />
            <Modalities offer={offer} />
            <Abilities offer={offer} />
          </Group>
          <dl className={classes.lines}>
            {search.compare ? (
              <GroupLines offer={offer} offers={offers} />
            ) : (
              <PriceLines offer={offer} offers={offers} />
            )}
            {search.calculator && <CostLines offer={offer} offers={offers} />}
          </dl>
          {!offer.prices && !search.compare && (
            <p className={classes.elsewhere}>{t('elsewhere', { groups: offer.enable_groups.join(', ') })}</p>
          )}
        </li>
      ))}
    </ul>
  )
}

interface LinesProps {
  readonly offer: Offer
  readonly offers: Offers
}

function PriceLines({ offer, offers }: LinesProps) {
  const { t } = useTranslation('pricing')
  return lines[offer.kind].map((column) => (
    <Line key={column} name={t(`column.${column}`)}>
      <OfferPrice offer={offer} column={column} groupRatio={offers.ratio} />
    </Line>
  ))
}

const GroupLines = ({ offer, offers }: LinesProps) =>
  Object.entries(offers.ratios).map(([name, ratio]) => (
    <Line key={name} name={name}>
      <GroupPrice offer={offer} group={name} ratio={ratio} />
    </Line>
  ))

function CostLines({ offer, offers }: LinesProps) {
  const { t } = useTranslation('pricing')
  const { dollars } = useFormat()
  const cost = costOf(offer.prices, offers.tokens)
  if (cost === undefined) return null
  return (
    <>
      <Line name={t('column.cost')}>
        <span className="figures">{dollars(cost)}</span>
      </Line>
      <Line name={t('column.cost1000')}>
        <span className="figures">{dollars(cost * 1000)}</span>
      </Line>
    </>
  )
}

const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
