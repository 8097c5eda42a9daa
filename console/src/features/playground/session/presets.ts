import * as z from 'zod'

import { stored } from '../../../lib/browser/storage'
import { Settings } from './settings'

/** A named system prompt with parameters. The group is not included, since it decides prices. */
const Preset = Settings.pick({ system: true, parameters: true }).extend({ name: z.string().min(1) })
export type Preset = z.output<typeof Preset>

export const presets = stored('playground-presets', z.array(Preset), [])

/** Whether the settings of a session equal a preset. */
export const isAsPreset = ({ system, parameters }: Settings, preset: Preset): boolean =>
  system === preset.system && JSON.stringify(parameters) === JSON.stringify(preset.parameters)
