import { plainText } from '../../../lib/text/plain-text'

/** Characters, more than fit into a line. */
const longest = 300

/** Returns the plain words of an operator's text; empty where it is a single address, which is shown as a page. */
export const excerptOf = (text: string): string =>
  /^\s*https:\/\/\S+\s*$/.test(text) ? '' : plainText(text).slice(0, longest)
