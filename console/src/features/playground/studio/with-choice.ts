/** Returns the choices of a select with the chosen one, which may be one that was handed over and is not among the usual ones. */
export const withChoice = (usual: readonly string[], chosen: string): readonly string[] =>
  chosen === '' || usual.includes(chosen) ? usual : [chosen, ...usual]
