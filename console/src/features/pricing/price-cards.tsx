import { Badge, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { OfferName, OfferPrice, TryOffer, Vendor } from './offer-parts'
import type { Offer } from './offers'
import classes from './pricing.module.css'
import type { Offers } from './use-offers'

const lines = { volume: ['input', 'output', 'cache'], call: ['call'] } as const

interface PriceCardsProps {
  readonly rows: readonly Offer[]
  readonly offers: Offers
}

/** The models of a page as cards. */
export function PriceCards({ rows, offers }: PriceCardsProps) {
  const { t } = useTranslation('pricing')
  const names: Readonly<Record<string, string>> = offers.vendors
  return (
    <ul className={classes.cards} aria-label={t('title')}>
      {rows.map((offer) => (
        <li key={offer.model_name} className={classes.card} data-is-muted={offer.prices ? undefined : true}>
          <Group justify="space-between" wrap="nowrap" gap={4}>
            <OfferName offer={offer} />
            <TryOffer offer={offer} />
          </Group>
          <Group gap={6} mt={4}>
            <Vendor id={offer.owned_by} name={names[offer.owned_by] ?? t('vendor.other')} />
            <Badge color="gray">{t(`kind.${offer.kind}`)}</Badge>
          </Group>
          <dl className={classes.lines}>
            {lines[offer.kind].map((column) => (
              <div key={column}>
                <dt>{t(`column.${column}`)}</dt>
                <dd>
                  <OfferPrice offer={offer} column={column} groupRatio={offers.ratio} />
                </dd>
              </div>
            ))}
          </dl>
          {!offer.prices && (
            <p className={classes.elsewhere}>{t('elsewhere', { groups: offer.enable_groups.join(', ') })}</p>
          )}
        </li>
      ))}
    </ul>
  )
}
