import { webAddress } from '../../lib/url/web-address'

/** Returns the address of a result that a browser may load: a path of this site, or one of the web; undefined for any other. */
export const mediaAddress = (url: string): string | undefined =>
  url.startsWith('/') && !url.startsWith('//') ? url : webAddress(url)
