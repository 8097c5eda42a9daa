import * as z from 'zod'

import { stored } from '../../../lib/storage'
import { Settings } from './settings'

/** A system prompt and parameters with a name. The group is not among them: it decides prices. */
const Preset = Settings.pick({ system: true, parameters: true }).extend({ name: z.string().min(1) })
export type Preset = z.output<typeof Preset>

export const presets = stored('playground-presets', z.array(Preset), [])

/** Whether a session is set as a preset says. */
export const isAsPreset = ({ system, parameters }: Settings, preset: Preset): boolean =>
  system === preset.system && JSON.stringify(parameters) === JSON.stringify(preset.parameters)
