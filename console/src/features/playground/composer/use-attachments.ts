import { useRef, useState } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { notifyWarning } from '../../../lib/browser/notify'
import { formatDecimal } from '../../../lib/text/format'
import { mostBytes, mostImages, readImages } from './read-images'

/** Images of the next question. */
export function useAttachments() {
  const { t } = useTranslation('playground')
  const [images, setImages] = useState<readonly string[]>([])
  const count = useRef(0)
  count.current = images.length

  async function read(files: readonly File[]) {
    const { images: more, refused } = await readImages(files, mostImages - count.current)
    setImages((current) => [...current, ...more])
    for (const { name, why } of refused)
      notifyWarning(t(`image.fault.${why}`, { name, size: formatDecimal(mostBytes / 1024 / 1024), count: mostImages }))
  }

  return {
    images: [...images],
    add: (files: readonly File[]) => void read(files),
    remove: (index: number) => setImages((current) => current.filter((_, other) => other !== index)),
    clear: () => setImages([]),
  }
}
