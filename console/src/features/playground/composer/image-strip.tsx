import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { ImageLink } from '../../../components/image-link'
import { useTranslation } from '../../../lib/text/i18n'
import classes from './composer.module.css'

interface ImageStripProps {
  readonly images: readonly string[]
  readonly onRemove?: (index: number) => void
  readonly isLarge?: boolean
}

/** Thumbnails. An address that is not an image shows nothing. */
export function ImageStrip({ images, onRemove, isLarge = false }: ImageStripProps) {
  const { t } = useTranslation('playground')
  const shown = images.map((url, index) => ({ url, index })).filter(({ url }) => isImage(url))
  if (shown.length === 0) return null
  return (
    <div className={classes.strip}>
      {shown.map(({ url, index }) => (
        <div key={index} className={classes.thumb} data-is-large={isLarge || undefined}>
          {isOwnImage(url) ? (
            <img src={url} alt={t('image.number', { number: index + 1 })} />
          ) : (
            <ImageLink address={url} alt={t('image.number', { number: index + 1 })} />
          )}
          {onRemove && (
            <ActionIcon
              className={classes.remove}
              variant="filled"
              color="dark"
              radius="xl"
              size={20}
              aria-label={t('image.remove', { number: index + 1 })}
              onClick={() => onRemove(index)}
            >
              <IconX size={12} />
            </ActionIcon>
          )}
        </div>
      ))}
    </div>
  )
}

const isImage = (url: string): boolean => /^(?:https?:\/\/|data:image\/(?:png|jpeg|gif|webp);base64,)/i.test(url)

/** An embedded image; one in a logged call may be an address of another site. */
const isOwnImage = (url: string): boolean => /^(?:data|blob):/i.test(url)
