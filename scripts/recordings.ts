import { join } from 'node:path'

import { recordingsTable, withTable } from './recordings/recordings-table'

/** The table in docs/recordings.md, made of the fixtures. One that was out of date, or a response without a source, is a fault. */
const root = join(import.meta.dir, '..')
const file = Bun.file(join(root, 'docs/recordings.md'))
const { markdown, faults } = await recordingsTable(root)
const page = await file.text()
const written = withTable(page, markdown)
if (written !== page) {
  await file.write(written)
  console.error('docs/recordings.md was out of date; it is written now: commit it and run this again')
}
for (const fault of faults) console.error(fault)
process.exitCode = written === page && faults.length === 0 ? 0 : 1
