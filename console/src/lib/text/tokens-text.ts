/** Returns 8K, 128K, 1M, 1.5M: the usual round number of a context window. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}K`
  return `${Math.round(tokens / 100_000) / 10}M`
}
