import type { NumberedMigration } from '../migration'

/**
 * Changes no table: from here on the workers' journals name what calls draw from windows, which an earlier release does not read. Started on
 * such a folder it would set the charges in them aside.
 */
export const namedDraws: NumberedMigration = {
  name: '0079-named-draws.needs-0079',
  up: () => Promise.resolve(),
}
