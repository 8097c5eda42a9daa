import { UnstyledButton } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'

import { VendorMark } from '../../../domain/vendor-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import classes from './vendor-tiles.module.css'

interface VendorTilesProps {
  readonly vendors: readonly channelRoutes.ChannelType[]
  readonly value: number | ''
  readonly onChange: (type: number) => void
}

/** Tiles of the most common vendors; the list below has all of them. */
export function VendorTiles({ vendors, value, onChange }: VendorTilesProps) {
  const { t } = useTranslation('channel-editor')
  const { language } = useFormat()
  const popular = vendors.filter(({ is_popular: isPopular }) => isPopular)
  if (popular.length === 0) return null
  return (
    <div className={classes.tiles} role="group" aria-label={t('popularVendors')}>
      {popular.map(({ type, id, name }) => (
        <UnstyledButton
          key={type}
          className={classes.tile}
          aria-pressed={type === value}
          title={name[language]}
          onClick={() => onChange(type)}
        >
          <VendorMark id={id} name={name[language]} size="large" />
          <span className={classes.name}>{name[language]}</span>
        </UnstyledButton>
      ))}
    </div>
  )
}
