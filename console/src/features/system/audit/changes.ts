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

/**
 * Returns a line for each changed member; a value that is missing before or after is undefined. Members empty on both sides are left out.
 */
export function changesOf({ before, after }: Pick<auditRoutes.AuditEntity, 'before' | 'after'>): readonly Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names]
    .map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }))
    .filter(({ before = '', after = '' }) => !empty.includes(before) || !empty.includes(after))
}
