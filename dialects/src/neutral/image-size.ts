import type { NeutralImageCall } from './image'

interface Pixels {
  readonly width: number
  readonly height: number
}

/** Returns the pixels of a size such as `1024x1536`; null for any other. */
export function pixelsOf(size: string | null): Pixels | null {
  const match = /^(\d{2,5})[x*](\d{2,5})$/.exec(size ?? '')
  return match && { width: Number(match[1]), height: Number(match[2]) }
}

/** Returns a resolution such as `2K`; null where the size is in pixels. */
export const resolutionOf = (size: string | null): string | null =>
  /^[124]k$/i.test(size ?? '') ? (size ?? '').toUpperCase() : null

/** Returns the aspect ratio of the request, or the nearest of those that the vendor offers; null when none was requested. */
export function aspectRatioOf({ aspectRatio, size }: NeutralImageCall, offered: readonly string[]): string | null {
  if (aspectRatio !== null) return aspectRatio
  const pixels = pixelsOf(size)
  if (pixels === null) return null
  const wanted = Math.log(pixels.width / pixels.height)
  const distance = (ratio: string) => Math.abs(Math.log(quotientOf(ratio)) - wanted)
  return offered.toSorted((one, other) => distance(one) - distance(other))[0] ?? null
}

function quotientOf(ratio: string): number {
  const [width, height] = ratio.split(':').map(Number)
  return (width ?? 1) / (height ?? 1)
}

/** The aspect ratios of most vendors. */
export const commonRatios: readonly string[] = ['1:1', '2:3', '3:2', '3:4', '4:3', '9:16', '16:9']
