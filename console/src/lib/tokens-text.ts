/** 8K, 128K, 1M, 1.5M: a window in the round number it is known by. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}K`
  return `${Math.round(tokens / 100_000) / 10}M`
}
