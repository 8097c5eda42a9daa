/** In which Ollama reports how long something took. */
export const nanoseconds = (milliseconds: number): number => Math.max(0, Math.round(milliseconds * 1_000_000))
