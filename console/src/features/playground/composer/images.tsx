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
              size={24}
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

/** Image types that models accept. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export const maxImages = 8
/** Maximum size of one image. */
export const maxBytes = 5 * 1024 * 1024

type ImageFault = 'type' | 'size' | 'count' | 'unreadable'

interface ReadImages {
  /** Data URLs. */
  readonly images: readonly string[]
  readonly refused: readonly { readonly name: string; readonly why: ImageFault }[]
}

/** Reads images to be sent, up to the remaining number. */
export async function readImages(files: readonly File[], room: number): Promise<ReadImages> {
  const images: string[] = []
  const refused: { name: string; why: ImageFault }[] = []
  for (const file of files) {
    const why = faultOf(file, room - images.length)
    const url = why ? undefined : await dataUrlOf(file)
    if (url) images.push(url)
    else refused.push({ name: file.name, why: why ?? 'unreadable' })
  }
  return { images, refused }
}

function faultOf(file: File, room: number): ImageFault | undefined {
  if (!imageTypes.includes(file.type)) return 'type'
  if (file.size > maxBytes) return 'size'
  return room > 0 ? undefined : 'count'
}

async function dataUrlOf(file: File): Promise<string | undefined> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const pieces: string[] = []
    for (let at = 0; at < bytes.length; at += pieceSize)
      pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceSize)))
    return `data:${file.type};base64,${btoa(pieces.join(''))}`
  } catch {
    return undefined
  }
}

/** A number of call arguments that every engine supports. */
const pieceSize = 0x2000
