import type { SourceDates } from './price-lines'

/**
 * Reads when the sources were gathered: models.dev's file says so, LiteLLM's is at least as new as the newest snapshot that it
 * names, except where that day is still to come.
 */
export function sourceDates(liteLlm: unknown, modelsDev: unknown): SourceDates {
  const named = JSON.stringify(liteLlm).match(/[/-](20\d\d-\d\d-\d\d)"\s*:/g) ?? []
  const days = named.map((text) => text.replaceAll(/[^\d-]/g, '').replace(/^-/, '')).sort()
  const reported = /"source"\s*:\s*"[^"]*data of (\d{4}-\d\d-\d\d)/.exec(JSON.stringify(modelsDev))
  return { liteLlm: days.at(-1) ?? '', modelsDev: reported?.[1] ?? '9999' }
}
