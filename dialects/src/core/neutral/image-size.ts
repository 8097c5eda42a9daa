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

const resolutionIn = (text: string | null): string | null =>
  /^[124]k$/i.test(text ?? '') ? (text ?? '').toUpperCase() : null

/** The longest edge of each resolution, as Google draws 16:9; those below are usual sizes of 1K. */
const maxLength1k = 1792
const maxLength2k = 2752

/**
 * Returns the resolution that was requested, such as `2K`: as the quality, as the size, or by the pixels; null for 1K in pixels, which
 * every vendor draws unasked, and where nothing was requested.
 */
export function resolutionOf({ size, quality }: Pick<NeutralImageCall, 'size' | 'quality'>): string | null {
  const named = resolutionIn(quality) ?? resolutionIn(size)
  const pixels = pixelsOf(size)
  if (named !== null || pixels === null) return named
  const maxLength = Math.max(pixels.width, pixels.height)
  if (maxLength <= maxLength1k) return null
  return maxLength <= maxLength2k ? '2K' : '4K'
}

/** Returns whether the quality is a resolution. */
export const isResolution = (quality: string | null): boolean => resolutionIn(quality) !== null

/** Returns the aspect ratio of the request, or the nearest of those that the vendor offers; null when none was requested. */
export function aspectRatioOf({ aspectRatio, size }: NeutralImageCall, offered: readonly string[]): string | null {
  if (aspectRatio !== null) return aspectRatio
  const pixels = pixelsOf(size)
  if (pixels === null) return null
  const requested = Math.log(pixels.width / pixels.height)
  const distance = (ratio: string) => Math.abs(Math.log(quotientOf(ratio)) - requested)
  return offered.toSorted((one, other) => distance(one) - distance(other))[0] ?? null
}

function quotientOf(ratio: string): number {
  const [width, height] = ratio.split(':').map(Number)
  return (width ?? 1) / (height ?? 1)
}

/** The aspect ratios of most vendors. */
export const commonRatios: readonly string[] = ['1:1', '2:3', '3:2', '3:4', '4:3', '9:16', '16:9']
