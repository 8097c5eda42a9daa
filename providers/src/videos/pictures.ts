import { FormFile } from '@tollgate/dialects'

import type { Picture, VideoRequest } from './video-request'

interface InlinePicture {
  readonly data: string
  readonly mime: string
}

const dataUrl = /^data:([\w./+-]*)(?:;[^,]*)?;base64,/

/** Returns the base64 text of a picture that is inside the request; null for one at another address. */
export function inlinePicture(picture: Picture): InlinePicture | null {
  if (typeof picture === 'string') {
    const match = dataUrl.exec(picture)
    return match && { mime: match[1] || usualType, data: picture.slice(match[0].length) }
  }
  const { bytes } = picture
  return {
    mime: typeOf(picture),
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  }
}

/** Returns the address of a picture: a data URL where the request holds it. */
export function pictureAddress(picture: Picture): string {
  if (typeof picture === 'string') return picture
  const { mime, data } = inlinePicture(picture) ?? { mime: usualType, data: '' }
  return `data:${mime};base64,${data}`
}

/** Returns a picture as vendors take it that want base64 text alone, or an address. */
export const bareText = (picture: Picture): string => inlinePicture(picture)?.data ?? pictureAddress(picture)

/** Returns a picture that is inside the request as a file; null for one at another address. */
export function pictureFile(picture: Picture): FormFile | null {
  if (typeof picture !== 'string') return picture
  const inline = inlinePicture(picture)
  if (inline === null) return null
  const ending = inline.mime.split('/')[1] ?? 'png'
  return new FormFile(`reference.${ending}`, inline.mime, new Uint8Array(Buffer.from(inline.data, 'base64')))
}

/** Returns all pictures of a request, the first frame first. */
export const picturesOf = ({ firstFrame, lastFrame, references }: VideoRequest): readonly Picture[] =>
  [firstFrame, lastFrame, ...references].filter((picture) => picture !== null)

const usualType = 'image/png'
const typesByEnding: Readonly<Record<string, string>> = { jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' }

/** Some clients give no media type. */
const typeOf = ({ type, filename }: FormFile): string =>
  type.startsWith('image/') ? type : (typesByEnding[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? usualType)
