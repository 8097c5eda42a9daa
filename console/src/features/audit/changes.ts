import type { auditRoutes } from '@tollgate/contract'

export interface Change {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const empty: readonly unknown[] = ['', 'null', '[]', '{}']

const textOf = (value: unknown): string | undefined => {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What an act changed, a line for each member; one that was not there before or after has no text there. What is empty on both sides is left out. */
export function changesOf({ before, after }: Pick<auditRoutes.AuditEntity, 'before' | 'after'>): readonly Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names]
    .map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }))
    .filter(({ before = '', after = '' }) => !empty.includes(before) || !empty.includes(after))
}
