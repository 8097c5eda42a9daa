import type { NumberedMigration } from '../migration'
import { createWindows } from '../schema/windows'

/** Limits that begin anew: their settings, the present and past periods, and what durable holds took from them. */
export const windows: NumberedMigration = { name: '0064-windows', up: createWindows }
