/** Image types that models accept. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export const maxImages = 8
/** Maximum size of one image. */
export const maxBytes = 5 * 1024 * 1024

type ImageFault = 'type' | 'size' | 'count' | 'unreadable'

export interface ReadImages {
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
