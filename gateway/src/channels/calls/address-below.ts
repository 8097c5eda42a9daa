/** Returns the address of what lies below another one, whose parameters it keeps. */
export function addressBelow(url: string, name: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? `${url}/${name}` : `${url.slice(0, mark)}/${name}${url.slice(mark)}`
}
