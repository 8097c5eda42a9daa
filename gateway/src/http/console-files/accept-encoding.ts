export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/**
 * Returns the best of the available encodings of a file by what the client accepts (RFC 9110, 12.5.3): the highest quality, at equal
 * quality the smallest. Null: send it unencoded, also where the client accepts none of ours.
 */
export function chooseEncoding(accepted: string | null, available: readonly Encoding[]): Encoding | null {
  if (!accepted) return null
  const qualities = qualitiesOf(accepted)
  const plain = qualities.get('identity') ?? 0
  let best: Encoding | null = null
  let bestQuality = 0
  for (const encoding of encodings) {
    const quality = qualities.get(encoding) ?? qualities.get('*') ?? 0
    if (available.includes(encoding) && quality > bestQuality) [best, bestQuality] = [encoding, quality]
  }
  return bestQuality >= plain ? best : null
}

function qualitiesOf(accepted: string): Map<string, number> {
  const qualities = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const value = quality === undefined ? 1 : Number(quality.slice(2))
    if (name && value >= 0 && value <= 1) qualities.set(name === 'x-gzip' ? 'gzip' : name, value)
  }
  return qualities
}
