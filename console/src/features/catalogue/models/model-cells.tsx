import { ActionIcon, Badge } from '@mantine/core'
import {
  type Icon,
  IconArrowNarrowRight,
  IconBraces,
  IconBulb,
  IconDatabase,
  IconFileTypePdf,
  IconLetterT,
  IconMessage2,
  IconPhoto,
  IconTool,
  IconVideo,
  IconVolume,
  IconWorld,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { pricingRoutes } from '@tollgate/contract'

import { CopyButton } from '../../../components/copy-button'
import { Tip } from '../../../components/tip'
import { VendorMark } from '../../../domain/vendor-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import type { Offer } from './offers'
import classes from './models.module.css'
import { useFormat } from '../../../lib/text/use-format'
import { tokensText } from '../../../lib/text/prices'

/** A model's name to copy, with its maker's mark. */
export function OfferName({ offer, vendor }: { readonly offer: Offer; readonly vendor: string | undefined }) {
  const { t } = useTranslation('pricing')
  return (
    <span className={classes.name}>
      <VendorMark id={offer.owned_by} name={vendor ?? offer.model_name} />
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

const modalityIcons: Record<pricingRoutes.Modality, Icon> = {
  text: IconLetterT,
  image: IconPhoto,
  audio: IconVolume,
  video: IconVideo,
  pdf: IconFileTypePdf,
}

export const abilityIcons: Record<pricingRoutes.Ability, Icon> = {
  tools: IconTool,
  reasoning: IconBulb,
  'structured-output': IconBraces,
  'prompt-caching': IconDatabase,
  'web-search': IconWorld,
}

interface FactProps {
  readonly offer: Offer
}

/** Size of the context window in tokens. */
export function ContextLength({ offer: { facts } }: FactProps) {
  const { t } = useTranslation('pricing')
  const { number } = useFormat()
  if (!facts?.context_tokens) return null
  const context = t('context', { tokens: number(facts.context_tokens) })
  const maxOutput = facts.output_tokens ? t('longestAnswer', { tokens: number(facts.output_tokens) }) : ''
  return (
    <Tip label={[context, maxOutput].filter(Boolean).join('\n')}>
      <span className="figures">{tokensText(facts.context_tokens)}</span>
    </Tip>
  )
}

/** Input and output modalities; the purpose of models other than chat. */
export function Modalities({ offer: { facts } }: FactProps) {
  const { t } = useTranslation('pricing')
  if (!facts || facts.input.length === 0) return null
  const { input, kind } = facts
  // Embeddings are not a modality.
  const output = kind === 'embedding' ? [] : facts.output
  const listNames = (list: readonly pricingRoutes.Modality[]) =>
    list.map((name) => t(`modality.${name}`)).join(t('listComma'))
  const text = [t('takes', { what: listNames(input) }), output.length > 0 && t('gives', { what: listNames(output) })]
    .filter(Boolean)
    .join('\n')
  return (
    <Tip label={text}>
      <span className={classes.icons} role="img" aria-label={text}>
        <Icons icons={input.map((name) => modalityIcons[name])} />
        {output.length > 0 && <IconArrowNarrowRight size={14} className={classes.arrow} />}
        <Icons icons={output.map((name) => modalityIcons[name])} />
        {kind !== 'chat' && <span className={classes.modelKind}>{t(`modelKind.${kind}`)}</span>}
      </span>
    </Tip>
  )
}

/** What a model can do besides responding. */
export function Abilities({ offer: { facts } }: FactProps) {
  const { t } = useTranslation('pricing')
  if (!facts || facts.abilities.length === 0) return null
  const text = facts.abilities.map((name) => t(`ability.${name}`)).join(t('listComma'))
  return (
    <Tip label={text}>
      <span className={classes.icons} role="img" aria-label={text}>
        <Icons icons={facts.abilities.map((name) => abilityIcons[name])} />
      </span>
    </Tip>
  )
}

const Icons = ({ icons }: { readonly icons: readonly Icon[] }) =>
  icons.map((Drawn, index) => <Drawn key={index} size={15} stroke={1.6} />)
