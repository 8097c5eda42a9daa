import { ActionIcon, Badge, Group } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { callCost, listedIn, type Offer } from './offers'
import { GroupPrice, OfferPrice } from './offer-price'
import { Abilities, ContextLength, Modalities, OfferName, TryOffer } from './model-cells'
import { OfferModes } from './offer-modes'
import classes from './models.module.css'
import { priceColumns, type ModelSearch } from './model-search'
import type { Offers } from './model-data'

interface PriceCardsProps {
  readonly rows: readonly Offer[]
  readonly offers: Offers
  readonly search: ModelSearch
  readonly onOpen: (offer: Offer) => void
}

/** The models of a page as cards. */
export function ModelCards({ rows, offers, search, onOpen }: PriceCardsProps) {
  const { t } = useTranslation('pricing')
  const names: Readonly<Record<string, string>> = offers.vendors
  return (
    <ul className={classes.cards} aria-label={t('title')}>
      {rows.map((offer) => (
        <li
          key={offer.model_name}
          className={classes.card}
          data-is-muted={offer.factor === undefined ? true : undefined}
        >
          <Group justify="space-between" wrap="nowrap" gap={4}>
            <OfferName offer={offer} vendor={names[offer.owned_by]} />
            <Group gap={0} wrap="nowrap">
              <ActionIcon aria-label={t('detailsOf', { model: offer.id })} onClick={() => onOpen(offer)}>
                <IconListDetails size={16} />
              </ActionIcon>
              <TryOffer offer={offer} />
            </Group>
          </Group>
          <Group gap="xs" mt={4} className={classes.cardFacts}>
            <span>{names[offer.owned_by] ?? t('vendor.other')}</span>
            {offer.kind !== 'volume' && <Badge color="gray">{t(`kind.${offer.kind}`)}</Badge>}
            <ContextLength offer={offer} />
            <Modalities offer={offer} />
            <Abilities offer={offer} />
          </Group>
          <dl className={classes.lines}>
            {search.compare ? <GroupLines offer={offer} offers={offers} /> : <PriceLines offer={offer} />}
            {search.calculator && <CostLines offer={offer} offers={offers} />}
          </dl>
          <OfferModes offer={offer} />
          {offer.factor === undefined && !search.compare && (
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

function PriceLines({ offer }: Pick<LinesProps, 'offer'>) {
  const { t } = useTranslation('pricing')
  const shown = priceColumns.filter((column) => listedIn(offer, column) !== undefined)
  return shown.map((column) => (
    <Line key={column} name={t(`column.${column}`)}>
      <OfferPrice offer={offer} column={column} />
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
  const cost = callCost(offer, offers.call)?.dollars
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
