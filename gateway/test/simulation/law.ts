export class LawBroken extends Error {
  override readonly name = 'LawBroken'
}

export function must(holds: boolean, law: string, facts: () => unknown): void {
  if (!holds) throw new LawBroken(`${law}: ${JSON.stringify(facts())}`)
}
