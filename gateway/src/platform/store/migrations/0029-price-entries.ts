import { sql, type Kysely } from 'kysely'

import { parsedJson } from '../../text/parsed-json'
import type { NumberedMigration } from '../migration'

/**
 * Sale prices of models (channel 0) and their costs at channels. The ratios of an operator's options become entries that charge the same:
 * without the tiers, modes and schedules that lists have by now. The options' rows stay for releases before this one.
 */
export const priceEntries: NumberedMigration = {
  name: '0029-price-entries',
  async up(db) {
    await sql`create table price_entries (
      channel_id bigint not null,
      model text not null,
      entry text not null,
      updated_at bigint not null,
      updated_by text not null,
      source text not null,
      primary key (channel_id, model)
    )`.execute(db)
    for (const [model, entry] of await entriesOfOptions(db))
      await sql`insert into price_entries (channel_id, model, entry, updated_at, updated_by, source)
        values (0, ${model}, ${JSON.stringify(entry)}, 0, '', 'own')`.execute(db)
  },
}

interface Entry {
  readonly prices: Record<string, number>
  readonly ratios: Record<string, number>
  readonly tiers: readonly never[]
  readonly modes: readonly never[]
  readonly schedules: readonly never[]
}

/** A ratio of 1 is 2 US dollars for a million tokens. */
const setters: Readonly<Record<string, (entry: Entry, value: number) => void>> = {
  ModelRatio: ({ prices }, value) => (prices['input'] = value * 2),
  ModelPrice: ({ prices }, value) => (prices['per_call'] = value),
  CompletionRatio: ({ ratios }, value) => (ratios['output'] = value),
  CacheRatio: ({ ratios }, value) => (ratios['cache_read'] = value),
  CreateCacheRatio: ({ ratios }, value) => (ratios['cache_write_5m'] = value),
  ImageRatio: ({ ratios }, value) => (ratios['image_in'] = value),
  AudioRatio: ({ ratios }, value) => (ratios['audio_in'] = value),
  AudioCompletionRatio: ({ ratios }, value) => (ratios['audio_out'] = value),
}

async function entriesOfOptions(db: Kysely<unknown>): Promise<ReadonlyMap<string, Entry>> {
  const { rows } = await sql<{ key: string; value: string }>`select key, value from options`.execute(db)
  const entries = new Map<string, Entry>()
  for (const { key, value } of rows) {
    const set = Object.hasOwn(setters, key) ? setters[key] : undefined
    if (!set) continue
    for (const [model, ratio] of ratiosIn(value)) {
      let entry = entries.get(model)
      if (!entry) entries.set(model, (entry = { prices: {}, ratios: {}, tiers: [], modes: [], schedules: [] }))
      set(entry, ratio)
    }
  }
  return entries
}

const highest = 1e9
const name = /^[^\p{Cc}]{1,255}$/u

/** A table with anything else in it was never in force. */
function ratiosIn(text: string): [string, number][] {
  const table = parsedJson(text)
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return []
  const ratios: [string, number][] = []
  for (const [model, ratio] of Object.entries(table)) {
    if (typeof ratio !== 'number' || ratio < 0 || ratio > highest || !name.test(model) || model === '__proto__')
      return []
    ratios.push([model, ratio])
  }
  return ratios
}
