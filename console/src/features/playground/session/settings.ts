import * as z from 'zod'

import { StoredValue } from '../../../lib/browser/stored-value'

/** Settings of the reader besides the model. Each parameter keeps its value while it is off. */

const numeric = (fallback: number) =>
  z.object({ isOn: z.boolean(), value: z.number() }).default({ isOn: false, value: fallback })

const jsonText = z.object({ isOn: z.boolean(), value: z.string() }).default({ isOn: false, value: '' })

export const Parameters = z.object({
  /** Off is the specification's 0: the model's own default. */
  temperature: numeric(0.7),
  top_p: numeric(0.9),
  /** Off is the specification's 0: no limit. */
  max_tokens: numeric(1024),
  frequency_penalty: numeric(0),
  presence_penalty: numeric(0),
  seed: numeric(42),
  stop: z.object({ isOn: z.boolean(), value: z.array(z.string()) }).default({ isOn: false, value: [] }),
  json: z.object({ isOn: z.boolean() }).default({ isOn: false }),
  /** JSON text: the schema of the response. */
  schema: jsonText,
  /** JSON text: the functions available to the model. */
  tools: jsonText,
})
export type Parameters = z.output<typeof Parameters>

export const Settings = z.object({
  /** Empty: the reader's own. */
  group: z.string().default(''),
  /** Null: the default, in the language of the page. */
  system: z.string().nullable().default(null),
  parameters: Parameters.prefault({}),
})
export type Settings = z.output<typeof Settings>

export const defaultSettings: Settings = Settings.parse({})

/** Numeric parameters with their ranges. */
export const ranges = {
  temperature: { min: 0.1, max: 1, step: 0.1 },
  top_p: { min: 0.05, max: 1, step: 0.05 },
  frequency_penalty: { min: -2, max: 2, step: 0.1 },
  presence_penalty: { min: -2, max: 2, step: 0.1 },
} as const satisfies Partial<Record<keyof Parameters, { min: number; max: number; step: number }>>

export type RangedParameter = keyof typeof ranges

/** New sessions start with the latest settings. */
export const lastSettings = new StoredValue('playground-settings', Settings, defaultSettings)
/** New sessions start with the latest models. */
export const lastModels = new StoredValue('playground-models', z.array(z.string()), [])
