/** How many faulty names of before a folder may still have, by kind and folder. */
export type Budget = Record<string, Record<string, number>>

/** Faulty names by kind and folder, as lines to print. */
export type FoundNames = Map<string, Map<string, string[]>>

/** Returns what exceeds the budget; with `exact`, also where less is left than the budget has. */
export function budgetFaults(budget: Budget, names: FoundNames, { exact }: { exact: boolean }): string[] {
  const faults: string[] = []
  for (const kind of new Set([...Object.keys(budget), ...names.keys()])) {
    const found = names.get(kind) ?? new Map<string, string[]>()
    for (const folder of new Set([...Object.keys(budget[kind] ?? {}), ...found.keys()])) {
      const allowed = budget[kind]?.[folder] ?? 0
      const lines = found.get(folder) ?? []
      if (lines.length > allowed)
        faults.push(...lines, `${folder}: ${lines.length} faulty names (${kind}), the budget has ${allowed}`)
      if (exact && lines.length < allowed)
        faults.push(`${folder}: ${lines.length} names (${kind}) are left, the budget has ${allowed}: lower it`)
    }
  }
  return faults
}

/** Returns the budget of what is left; nothing in it rises. */
export function loweredBudget(budget: Budget, names: FoundNames): Budget {
  return Object.fromEntries(
    Object.entries(budget).map(([kind, folders]) => [
      kind,
      Object.fromEntries(
        Object.entries(folders).flatMap(([folder, allowed]) => {
          const count = Math.min(allowed, names.get(kind)?.get(folder)?.length ?? 0)
          return count > 0 ? [[folder, count]] : []
        }),
      ),
    ]),
  )
}
