/** Why a charge cannot be made durable: the disk is full, no file can be opened, or the journal takes nothing for another reason. */
export type JournalProblem = 'disk' | 'files' | 'journal'

const problems: Readonly<Record<string, JournalProblem>> = {
  SQLITE_FULL: 'disk',
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  SQLITE_CANTOPEN: 'files',
  EMFILE: 'files',
  ENFILE: 'files',
}

/** Returns what an error of the journal means. */
export function journalProblem(error: unknown): JournalProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return problems[code] ?? 'journal'
}
