/** The files that each file imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** Returns the groups of files that import one another, directly or through others: the strongly connected components (Tarjan). */
export function cyclesIn(graph: ImportGraph): string[][] {
  const numbers = new Map<string, number>()
  const path: string[] = []
  const onPath = new Set<string>()
  const cycles: string[][] = []

  function visit(file: string): number {
    const number = numbers.size
    let low = number
    numbers.set(file, number)
    path.push(file)
    onPath.add(file)
    for (const imported of graph.get(file) ?? []) {
      if (!numbers.has(imported)) low = Math.min(low, visit(imported))
      else if (onPath.has(imported)) low = Math.min(low, numbers.get(imported) ?? low)
    }
    if (low === number) close(file)
    return low
  }

  function close(file: string) {
    const members = path.splice(path.indexOf(file))
    for (const member of members) onPath.delete(member)
    if (members.length > 1 || graph.get(file)?.includes(file)) cycles.push(members.toSorted())
  }

  for (const file of graph.keys()) if (!numbers.has(file)) visit(file)
  return cycles
}
