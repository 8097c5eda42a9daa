import type { NumberedMigration } from '../migration'

/**
 * Changes no table: from here on the workers' journals are files of lines, which an earlier release does not know. Started on such a
 * folder it would leave the charges in them out.
 */
export const journalLines: NumberedMigration = {
  name: '0062-journal-lines.needs-0062',
  up: () => Promise.resolve(),
}
