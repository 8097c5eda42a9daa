import { FormFile } from '@tollgate/dialects'

import type { Image, VideoRequest } from './video-request'

interface InlineImage {
  readonly data: string
  readonly mime: string
}

const dataUrl = /^data:([\w./+-]*)(?:;[^,]*)?;base64,/

/** Returns the base64 text of a picture that is inside the request; null for one at another address. */
export function inlineImage(image: Image): InlineImage | null {
  if (typeof image === 'string') {
    const match = dataUrl.exec(image)
    return match && { mime: match[1] || usualType, data: image.slice(match[0].length) }
  }
  const { bytes } = image
  return {
    mime: typeOf(image),
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  }
}

/** Returns the address of a picture: a data URL where the request holds it. */
export function imageAddress(image: Image): string {
  if (typeof image === 'string') return image
  const { mime, data } = inlineImage(image) ?? { mime: usualType, data: '' }
  return `data:${mime};base64,${data}`
}

/** Returns a picture as vendors take it that want base64 text alone, or an address. */
export const bareText = (image: Image): string => inlineImage(image)?.data ?? imageAddress(image)

/** Returns a picture that is inside the request as a file; null for one at another address. */
export function imageFile(image: Image): FormFile | null {
  if (typeof image !== 'string') return image
  const inline = inlineImage(image)
  if (inline === null) return null
  const ending = inline.mime.split('/')[1] ?? 'png'
  return new FormFile(`reference.${ending}`, inline.mime, new Uint8Array(Buffer.from(inline.data, 'base64')))
}

/** Returns all pictures of a request, the first frame first. */
export const imagesOf = ({ firstFrame, lastFrame, references }: VideoRequest): readonly Image[] =>
  [firstFrame, lastFrame, ...references].filter((image) => image !== null)

const usualType = 'image/png'
const typesByEnding: Readonly<Record<string, string>> = { jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' }

/** Some clients give no media type. */
const typeOf = ({ type, filename }: FormFile): string =>
  type.startsWith('image/') ? type : (typesByEnding[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? usualType)
