/** Returns whether the client already has the version with this weak tag. */
export function isKnown(request: Request, tag: string): boolean {
  const known = request.headers.get('if-none-match')
  if (!known) return false
  const bare = tag.slice('W/'.length)
  return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === bare)
}
