import { ActionIcon, Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconMessage2 } from '@tabler/icons-react'

import { CopyButton } from '../../../components/copy-button'
import { Tip } from '../../../components/tip'
import { VendorMark } from '../../../domain/vendor-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import type { Offer } from './offer'
import classes from './models.module.css'

/** A model's name to copy, with its maker's mark. */
export function OfferName({ offer, vendor }: { readonly offer: Offer; readonly vendor: string | undefined }) {
  const { t } = useTranslation('pricing')
  return (
    <span className={classes.name}>
      {offer.owned_by && <VendorMark id={offer.owned_by} name={vendor} />}
      <span title={offer.model_name}>{offer.model_name}</span>
      <CopyButton text={offer.model_name} label={t('copy')} />
    </span>
  )
}

/** When the vendor retires or retired the model. */
export function RetiredMark({ offer: { retires_on: day, is_retired: isRetired } }: { readonly offer: Offer }) {
  const { t } = useTranslation('pricing')
  if (!isRetired && day === null) return null
  const text = day === null ? t('deprecated') : t(isRetired ? 'retiredOn' : 'retiresOn', { day })
  return (
    <Badge color={isRetired ? 'gray' : 'yellow'} className="figures" style={{ flex: 'none' }}>
      {text}
    </Badge>
  )
}

/** A model maker, with its mark where it is known. */
export function Vendor({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <span className={classes.vendor}>
      {id && <VendorMark id={id} name={name} />}
      {name}
    </span>
  )
}

/** Opens the playground with this model, for signed-in users. */
export function TryOffer({ offer }: { readonly offer: Offer }) {
  const { t } = useTranslation('pricing')
  const { user } = useViewer()
  if (!user) return null
  return (
    <Tip label={t('try')}>
      <ActionIcon
        renderRoot={(props) => <Link to="/playground" search={{ model: offer.model_name }} {...props} />}
        aria-label={t('tryModel', { model: offer.model_name })}
      >
        <IconMessage2 size={16} />
      </ActionIcon>
    </Tip>
  )
}
